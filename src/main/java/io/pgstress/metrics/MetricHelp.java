package io.pgstress.metrics;

import java.util.Map;

/** The HELP text of each metric. */
final class MetricHelp {
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("pgstress.operations", "Operations that succeeded or failed."),
            Map.entry("pgstress.operation.p99.seconds", "p99 of the total time of an operation in the last interval."),
            Map.entry("pgstress.rows", "Rows that successful operations read or changed."),
            Map.entry(
                    "pgstress.row.bytes",
                    "Bytes of the values in these rows; only for bulk operations and whole scans."),
            Map.entry("pgstress.node.operations", "Successful operations, by node."),
            Map.entry("pgstress.host.operations", "Successful operations, by stress host; only with several hosts."),
            Map.entry("pgstress.errors", "Failed operations, by SQLSTATE."),
            Map.entry("pgstress.misses", "Reads that found no row."),
            Map.entry("pgstress.duplicates", "Inserts of a key that already existed."),
            Map.entry("pgstress.late", "Operations that took longer than --latency-limit."),
            Map.entry("pgstress.network.bytes", "Bytes that the client sockets carried."),
            Map.entry("pgstress.client.cpu.seconds", "CPU time that the load tester used."),
            Map.entry("pgstress.target.rate", "Target rate of an open load, in operations per second."),
            Map.entry("pgstress.backlog", "Operations that are due but not started; only in an open load."),
            Map.entry("pgstress.pool", "Connections of the pool, by state, and clients that wait for one."));

    private MetricHelp() {}

    static String of(String name) {
        return TEXTS.getOrDefault(name, "");
    }
}
