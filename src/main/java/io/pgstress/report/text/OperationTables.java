package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateStep;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of a run as tables: operations, parts of their time, nodes. */
final class OperationTables {
    /** The parts of an operation's time shown below its headline, if recorded. */
    private static final List<String> PARTS = List.of("total", "acquire", "service", "fetch", "failed");

    private final RunResult result;

    OperationTables(RunResult result) {
        this.result = result;
    }

    /** One row per operation, plus a total if there are several; rows/s and MB/s if they matter. */
    TextTable operations() {
        List<String> first = new ArrayList<>(List.of("operation", "data", "threads", "ops/s"));
        if (hasBytes()) {
            first.addAll(List.of("rows/s", "MB/s"));
        }
        TextTable table = new TextTable(2, header(first, List.of("errors", "misses", "duplicates")));
        result.operations().forEach((name, o) -> table.add(operation(name, o)));
        if (result.operations().size() > 1) {
            table.add(operation("all", result.total()));
        }
        return table.optional(
                "data", "threads", "duplicates", "misses", "p99.9 ms", "p95 ms", "rows/s", "mean ms", "MB/s");
    }

    private boolean hasBytes() {
        return result.operations().values().stream().anyMatch(o -> o.megabytesPerSecond() != null);
    }

    private List<String> operation(String name, OperationResult o) {
        List<String> row = new ArrayList<>(List.of(
                name, result.dataset().table(), Figures.count(result.clients()), Figures.rate(o.opsPerSecond())));
        if (hasBytes()) {
            Double megabytes = o.megabytesPerSecond();
            row.add(Figures.rate(o.rowsPerSecond()));
            row.add(megabytes == null ? "-" : Figures.decimal(megabytes, 1));
        }
        row.addAll(times(result.headline(o)));
        row.add(Figures.count(o.failed()));
        row.add(Figures.count(o.misses()));
        row.add(Figures.count(o.duplicates()));
        return row;
    }

    /** One row per step of the target rate, if there are several. */
    TextTable rateSteps() {
        TextTable table = new TextTable(
                0, List.of("step from s", "target/s", "ops/s", "p50 ms", "p99 ms", "max ms", "backlog", "sustained"));
        if (result.load().open().rateSteps().size() < 2) {
            return table;
        }
        for (RateStep step : result.load().open().rateSteps()) {
            Latency times = step.responseMicros();
            table.add(
                    Figures.decimal(step.fromSeconds(), 1),
                    Figures.rate(step.targetRate()),
                    Figures.rate(step.opsPerSecond()),
                    times == null ? "-" : Figures.millis(times.p50()),
                    times == null ? "-" : Figures.millis(times.p99()),
                    times == null ? "-" : Figures.millis(times.max()),
                    Figures.count(step.backlog()),
                    step.knee() ? "highest" : "");
        }
        return table;
    }

    /** The parts of the time: waiting for a connection and service, and each statement if there are several. */
    TextTable parts() {
        TextTable table = new TextTable(2, header(List.of("operation", "time", "count"), List.of()));
        result.operations().forEach((name, o) -> {
            for (String kind : PARTS) {
                Latency latency = o.latencyMicros().get(kind);
                boolean isTold = !kind.equals(result.run().workload().headline())
                        && (!kind.equals("fetch") || result.run().workload().fetchSize() > 0);
                if (latency != null && isTold) {
                    addPart(table, name, kind, latency.count(), latency);
                }
            }
            addStatements(table, name, o.statements());
        });
        return table.optional("p99.9 ms", "p95 ms");
    }

    private void addStatements(TextTable table, String operation, Map<String, StatementResult> statements) {
        if (statements.size() > 1) {
            statements.forEach(
                    (name, s) -> addPart(table, operation, "statement " + name, s.calls(), s.latencyMicros()));
        }
    }

    private void addPart(TextTable table, String operation, String part, long count, @Nullable Latency latency) {
        List<String> row = new ArrayList<>(List.of(operation, part, Figures.count(count)));
        row.addAll(times(latency));
        table.add(row);
    }

    /** One row per node, if there are several. */
    TextTable nodes() {
        TextTable table = new TextTable(1, List.of("node", "clients", "ops/s", "errors", "in Mbit/s", "out Mbit/s"));
        if (result.nodes().size() < 2) {
            return table;
        }
        for (NodeResult node : result.nodes()) {
            OperationResult all = OperationResult.sum(node.operations().values());
            Network network = node.network();
            table.add(
                    node.url(),
                    Figures.count(node.clients()),
                    Figures.rate(all.opsPerSecond()),
                    Figures.count(all.failed()),
                    network == null ? "" : Figures.decimal(network.inMbitPerSecond(), 1),
                    network == null ? "" : Figures.decimal(network.outMbitPerSecond(), 1));
        }
        return table;
    }

    private List<String> header(List<String> first, List<String> last) {
        List<String> header = new ArrayList<>(first);
        header.addAll(List.of("mean ms", "p50 ms", "p95 ms", "p99 ms", "p99.9 ms", "max ms"));
        header.addAll(last);
        return header;
    }

    private List<String> times(@Nullable Latency l) {
        if (l == null || l.count() == 0) {
            return List.of("-", "-", "-", "-", "-", "-");
        }
        return List.of(
                Figures.millis(l.mean()),
                Figures.millis(l.p50()),
                Figures.millis(l.p95()),
                Figures.millis(l.p99()),
                Figures.millis(l.p999()),
                Figures.millis(l.max()));
    }
}
