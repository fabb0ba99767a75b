package io.pgstress.report.text;

import static io.pgstress.report.format.TextTable.TIMES;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.HostResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateStep;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of a run as tables: operations, parts of their time, steps, nodes, hosts. */
final class RunTables {
    /** The parts of an operation's time shown below its headline, if recorded. */
    private static final List<String> PARTS = List.of("total", "acquire", "service", "fetch", "failed");

    private static final Columns<Latency> ALL_TIMES =
            TIMES.only("mean ms", "p50 ms", "p95 ms", "p99 ms", "p99.9 ms", "max ms");

    private static final Columns<Latency> BRIEF_TIMES = TIMES.only("p50 ms", "p99 ms", "max ms");

    private static final Columns<Network> NETWORK = new Columns<Network>()
            .decimal("in Mbit/s", Network::inMbitPerSecond, 1)
            .decimal("out Mbit/s", Network::outMbitPerSecond, 1);

    private final RunResult result;

    RunTables(RunResult result) {
        this.result = result;
    }

    /** @param isWhole whether it is all that the run did */
    private record Row(String name, OperationResult operation, boolean isWhole) {}

    /** One row per operation, plus a total if there are several. */
    private List<Row> rows() {
        boolean isMix = result.operations().size() > 1;
        List<Row> rows = new ArrayList<>();
        result.operations().forEach((name, operation) -> rows.add(new Row(name, operation, !isMix)));
        if (isMix) {
            rows.add(new Row("all", result.total(), true));
        }
        return rows;
    }

    private @Nullable Latency headline(Row row) {
        return recorded(result.headline(row.operation));
    }

    /** The times, unless there are none. */
    static @Nullable Latency recorded(@Nullable Latency times) {
        return times == null || times.count() == 0 ? null : times;
    }

    /** One row per operation; rows/s and MB/s if they matter. */
    TextTable operations() {
        Columns<Row> columns = new Columns<Row>()
                .add("operation", Row::name)
                .add("ops/s", row -> row.operation.opsPerSecond(), Figures::rate);
        if (result.operations().values().stream().anyMatch(o -> o.megabytesPerSecond() != null)) {
            columns.add("rows/s", row -> row.operation.rowsPerSecond(), Figures::rate)
                    .decimal("MB/s", row -> row.operation.megabytesPerSecond(), 1);
        }
        columns.part(this::headline, ALL_TIMES)
                .count("errors", row -> row.operation.failed())
                .count("misses", row -> row.operation.misses())
                .count("duplicates", row -> row.operation.duplicates());
        return TextTable.of(1, columns, rows())
                .optional("duplicates", "misses", "p99.9 ms", "p95 ms", "rows/s", "mean ms", "MB/s");
    }

    /**
     * The run as rows of a table that an author would publish: what was run, its rate and times, and the load that it caused.
     * Traffic and load are those of the whole run.
     */
    TextTable published() {
        Columns<Row> connecting = new Columns<Row>()
                .part(
                        row -> result.load().connecting(),
                        new Columns<Connecting>()
                                .add("with connecting", Connecting::opsPerSecondWith, Figures::rate)
                                .add("without", Connecting::opsPerSecondWithout, Figures::rate));
        Stream<MachineProfile> clients = result.serverProfile().machines().machines().stream()
                .filter(machine -> machine.role().equals(MachineProfile.CLIENT));
        String clientCpu = cpu(clients);
        String serverCpu = cpu(result.serverProfile().machines().hosts().stream());
        Columns<Row> load = new Columns<Row>()
                .part(row -> result.load().network(), NETWORK)
                .add("client CPU", row -> clientCpu)
                .add("server CPU", row -> serverCpu)
                .decimal("client load", row -> result.client().loadAverage(), 2)
                .decimal("server load", row -> serverLoad(result), 2);
        Columns<Row> columns = new Columns<Row>()
                .add("operation", Row::name)
                .add("data", row -> result.dataset().table())
                .count("clients", row -> result.clients())
                .add("ops/s", row -> row.operation.opsPerSecond(), Figures::rate)
                .part(row -> row, connecting.onlyIn(Row::isWhole))
                .part(this::headline, TIMES.only("mean ms", "stddev ms", "min ms", "p50 ms", "p99 ms", "max ms"))
                .part(row -> row, load.onlyIn(Row::isWhole));
        return TextTable.of(2, columns, rows())
                .optional(
                        "server load",
                        "client load",
                        "data",
                        "clients",
                        "min ms",
                        "stddev ms",
                        "in Mbit/s",
                        "out Mbit/s",
                        "client CPU",
                        "server CPU",
                        "mean ms");
    }

    /** The range over the machines. */
    private static @Nullable String cpu(Stream<MachineProfile> machines) {
        List<Double> busy = machines.map(MachineProfile::cpuBusy)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
        if (busy.isEmpty()) {
            return null;
        }
        String min = Figures.decimal(100 * busy.get(0), 0);
        String max = Figures.decimal(100 * busy.get(busy.size() - 1), 0);
        return (min.equals(max) ? max : min + "-" + max) + "%";
    }

    private static @Nullable Double serverLoad(RunResult run) {
        return run.servers().stream()
                .map(ServerInfo::loadAverage)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    /** One row per step of the target rate, if there are several. */
    TextTable rateSteps() {
        List<RateStep> steps = result.load().open().rateSteps();
        Columns<RateStep> columns = new Columns<RateStep>()
                .decimal("step from s", RateStep::fromSeconds, 1)
                .add("target/s", RateStep::targetRate, Figures::rate)
                .add("ops/s", RateStep::opsPerSecond, Figures::rate)
                .part(RateStep::responseMicros, BRIEF_TIMES)
                .count("backlog", RateStep::backlog);
        if (steps.stream().anyMatch(RateStep::knee)) {
            columns.add("sustained", step -> step.knee() ? "highest" : "");
        }
        return TextTable.of(0, columns, steps.size() < 2 ? List.of() : steps);
    }

    private record Part(
            String operation,
            String name,
            long count,
            @Nullable Latency times) {}

    /** The parts of the time: waiting for a connection and service, and each statement if there are several. */
    TextTable parts() {
        List<Part> parts = new ArrayList<>();
        result.operations().forEach((name, o) -> {
            for (String kind : PARTS) {
                Latency times = o.latencyMicros().get(kind);
                boolean isTold = !kind.equals(result.run().workload().headline())
                        && (!kind.equals("fetch") || result.run().workload().fetchSize() > 0);
                if (times != null && isTold) {
                    parts.add(new Part(name, kind, times.count(), times));
                }
            }
            if (o.statements().size() > 1) {
                o.statements()
                        .forEach((statement, s) ->
                                parts.add(new Part(name, "statement " + statement, s.calls(), s.latencyMicros())));
            }
        });
        Columns<Part> columns = new Columns<Part>()
                .add("operation", Part::operation)
                .add("time", Part::name)
                .count("count", Part::count)
                .part(part -> recorded(part.times), ALL_TIMES);
        return TextTable.of(2, columns, parts).optional("p99.9 ms", "p95 ms");
    }

    /** One row per node, if there are several. */
    TextTable nodes() {
        Columns<OperationResult> operations = new Columns<OperationResult>()
                .add("ops/s", OperationResult::opsPerSecond, Figures::rate)
                .count("errors", OperationResult::failed);
        Columns<NodeResult> columns = new Columns<NodeResult>()
                .add("node", NodeResult::url)
                .count("clients", NodeResult::clients)
                .part(node -> OperationResult.sum(node.operations().values()), operations)
                .part(NodeResult::network, NETWORK);
        return TextTable.of(1, columns, result.nodes().size() < 2 ? List.of() : result.nodes());
    }

    /** One row per load generator host of a run on several hosts. */
    TextTable hosts() {
        Columns<HostResult> columns = new Columns<HostResult>()
                .add("load generator", HostResult::name)
                .count("clients", HostResult::clients)
                .add("ops/s", HostResult::opsPerSecond, Figures::rate)
                .part(HostResult::latencyMicros, BRIEF_TIMES)
                .count("errors", HostResult::failed)
                .add("CPU cores", HostResult::client, RunTables::cores)
                .part(HostResult::network, NETWORK)
                .add("clock +-ms", HostResult::clockBoundMicros, Figures::millis)
                .add("state", RunTables::state);
        return TextTable.of(1, columns, result.hosts())
                .optional("clock +-ms", "in Mbit/s", "out Mbit/s", "CPU cores", "clients", "max ms");
    }

    private static String cores(ClientInfo client) {
        return Figures.decimal(client.cpuCoresUsed(), 2) + " of " + client.cpus();
    }

    private static String state(HostResult host) {
        Double lost = host.lostAtSeconds();
        if (lost == null) {
            return host.valid() ? "valid" : "not valid";
        }
        return lost < 0 ? "lost before" : "lost at " + Figures.seconds(lost);
    }
}
