package io.pgstress.report.text;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Comparison;
import io.pgstress.result.HostResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import java.util.List;

/**
 * The parts of a result for the plain-text formats.
 *
 * @param title what was run, in one line
 * @param head facts about the setup
 * @param tables the figures; empty tables are omitted
 * @param details further figures, which the console shows only with {@code --verbose}
 * @param note note on the first table
 * @param verdict sentences with the conclusions
 * @param end further facts
 */
public record TextReport(
        String title,
        List<Fact> head,
        List<TextTable> tables,
        List<TextTable> details,
        String note,
        List<String> verdict,
        List<Fact> end) {
    /** A report without further figures. */
    TextReport(
            String title, List<Fact> head, List<TextTable> tables, String note, List<String> verdict, List<Fact> end) {
        this(title, head, tables, List.of(), note, verdict, end);
    }

    public static TextReport of(Result finding) {
        if (finding instanceof Comparison comparison) {
            return ComparisonText.of(comparison);
        }
        if (finding instanceof Scaling scaling) {
            return ScalingText.of(scaling);
        }
        return run((RunResult) finding);
    }

    private static TextReport run(RunResult result) {
        SetupFacts head = new SetupFacts(result);
        List<MachineProfile> machines = result.serverProfile().allMachines();
        OperationTables tables = new OperationTables(result);
        return new TextReport(
                head.title(),
                head.all(),
                List.of(tables.operations(), tables.rateSteps(), HostTable.of(result)),
                List.of(
                        new PublishedTable(result).table(),
                        tables.parts(),
                        tables.nodes(),
                        MachineTables.cpus(machines),
                        MachineTables.disks(machines)),
                result.run().workload().hasRate() ? ConsoleReport.OPEN : ConsoleReport.CLOSED,
                List.of(),
                new OutcomeFacts(result).all());
    }

    /** One row per stress host of a run on several hosts. */
    static final class HostTable {
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
}
