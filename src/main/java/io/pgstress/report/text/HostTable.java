package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.RunResult;
import java.util.List;

/** One row per stress host of a run on several hosts. */
final class HostTable {
    private HostTable() {}

    /** The table; empty for a run on one host. */
    static TextTable of(RunResult result) {
        List<HostResult> hosts = result.hosts();
        TextTable table = new TextTable(
                1,
                List.of(
                        "stress host",
                        "clients",
                        "ops/s",
                        "p50 ms",
                        "p99 ms",
                        "max ms",
                        "errors",
                        "CPU cores",
                        "in Mbit/s",
                        "out Mbit/s",
                        "clock +-ms",
                        "state"));
        hosts.forEach(host -> table.add(row(host)));
        return table.optional("clock +-ms", "in Mbit/s", "out Mbit/s", "CPU cores", "clients", "max ms");
    }

    private static List<String> row(HostResult host) {
        Latency times = host.latencyMicros();
        ClientInfo client = host.client();
        Network network = host.network();
        Double bound = host.clockBoundMicros();
        return List.of(
                host.name(),
                Figures.count(host.clients()),
                Figures.rate(host.opsPerSecond()),
                times == null ? "-" : Figures.millis(times.p50()),
                times == null ? "-" : Figures.millis(times.p99()),
                times == null ? "-" : Figures.millis(times.max()),
                Figures.count(host.failed()),
                client == null ? "-" : Figures.decimal(client.cpuCoresUsed(), 2) + " of " + client.cpus(),
                network == null ? "-" : Figures.decimal(network.inMbitPerSecond(), 1),
                network == null ? "-" : Figures.decimal(network.outMbitPerSecond(), 1),
                bound == null ? "-" : Figures.decimal(bound / 1e3, 3),
                state(host));
    }

    private static String state(HostResult host) {
        Double lost = host.lostAtSeconds();
        if (lost == null) {
            return host.valid() ? "valid" : "not valid";
        }
        return lost < 0 ? "lost before" : "lost at " + Figures.seconds(lost);
    }
}
