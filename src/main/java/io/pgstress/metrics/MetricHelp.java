package io.pgstress.metrics;

import java.util.Map;

/** What each metric is, told to whoever reads a scrape. */
final class MetricHelp {
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("pgstress.operations", "Operations that ended well or failed."),
            Map.entry("pgstress.operation.p99.seconds", "p99 of an operation's total time in the last interval."),
            Map.entry("pgstress.rows", "Rows that operations read or changed that ended well."),
            Map.entry("pgstress.row.bytes", "Bytes of these rows' values; bulk operations and whole scans only."),
            Map.entry("pgstress.node.operations", "Operations that ended well, by node."),
            Map.entry("pgstress.errors", "Failed operations, by SQLSTATE."),
            Map.entry("pgstress.misses", "Reads that found no row."),
            Map.entry("pgstress.duplicates", "Inserts that met a key that was there."),
            Map.entry("pgstress.late", "Operations that took longer than --latency-limit."),
            Map.entry("pgstress.network.bytes", "Bytes on the load's sockets."),
            Map.entry("pgstress.client.cpu.seconds", "CPU time of the load tester."),
            Map.entry("pgstress.target.rate", "Operations per second that an open load asks for."),
            Map.entry("pgstress.backlog", "Intended starts that are due and not begun; open load only."),
            Map.entry("pgstress.pool", "Connections of the pool by state, and clients that wait for one."));

    private MetricHelp() {}

    static String of(String name) {
        return TEXTS.getOrDefault(name, "");
    }
}
