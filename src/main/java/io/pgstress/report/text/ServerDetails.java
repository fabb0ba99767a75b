package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Explained;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerCounts.IoCounts;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.result.ServerProfile;
import io.pgstress.text.Rounded;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers' figures in at most five lines (waits, statements, database, WAL, I/O), the plans, and what was unavailable. */
final class ServerDetails {
    private static final int MAX = 5;
    private static final int SQL_LENGTH = 60;

    private ServerDetails() {}

    static void addTo(Facts facts, ServerProfile p) {
        ServerCounts counts = p.counts();
        facts.detail("waits", waits(p) + cost(p.operationWaits()))
                .detail("statements", inAll(statements(counts)))
                .detail("database", inAll(deltas(counts.database()) + alone(p, counts.database())))
                .detail("WAL", inAll(deltas(counts.wal()) + alone(p, counts.wal())))
                .detail("checkpoints", deltas(counts.checkpointer()))
                .detail("I/O", io(counts));
        MachineTables.environments(p.machines().all()).forEach(machine -> facts.detail("machine", machine));
        Explained e = p.explained();
        e.lines().forEach(line -> facts.detail("plan", line));
        facts.detail("on nodes", e.verdict());
        if (e.genericPlans() != null && e.customPlans() != null) {
            facts.detail(
                    "planned",
                    Figures.count(e.genericPlans()) + " executions with a generic plan, "
                            + Figures.count(e.customPlans()) + " with a custom plan, in one session");
        }
        p.notes().forEach(note -> facts.detail("unavailable", note.sentences()));
    }

    /** Servers count from before the warm-up until after the drain, so their figures cover more than the measurement. */
    private static String inAll(String counted) {
        return counted.isEmpty() ? "" : "including warm-up and drain: " + counted;
    }

    private static String waits(ServerProfile profile) {
        ServerCounts p = profile.counts();
        if (p.waitSamples() == 0) {
            return "";
        }
        boolean isFull = profile.machines().all().stream()
                .anyMatch(machine -> machine.cpuBusy() != null && machine.cpuBusy() >= Bottleneck.FULL);
        double all = p.sessionSeconds();
        return p.waitEventSeconds().entrySet().stream()
                        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                        .limit(MAX)
                        .map(e -> e.getKey() + " " + Figures.percent(e.getValue() / all))
                        .collect(Collectors.joining(", "))
                + " of the time, by " + Figures.count(p.waitSamples()) + " samples"
                + (isFull ? ", which meet sessions at work too rarely while the CPU is full" : "");
    }

    /** What the samples cost the server. */
    private static String cost(@Nullable OperationWaits waits) {
        return waits == null || waits.sampling().looks() == 0
                ? ""
                : Rounded.format(
                        ", one per session every %.0f ms, for %s%s of a core on the server",
                        waits.sampling().intervalMillis(),
                        waits.sampling().isCpu() ? "" : "about ",
                        Rounded.percent(waits.sampling().serverCores(), 1));
    }

    private static String statements(ServerCounts p) {
        return p.statements().stream()
                .sorted((a, b) -> Long.compare(b.calls(), a.calls()))
                .limit(MAX)
                .map(ServerDetails::statement)
                .collect(Collectors.joining("; "));
    }

    private static String statement(ServerStatement s) {
        String sql = s.query().replaceAll("\\s+", " ").trim();
        return Figures.count(s.calls()) + " calls, " + Figures.count(s.rows()) + " rows"
                + (s.meanExecMicros() == null ? "" : ", " + Figures.decimal(s.meanExecMicros(), 1) + " us each")
                + ": " + (sql.length() > SQL_LENGTH ? sql.substring(0, SQL_LENGTH - 3) + "..." : sql);
    }

    private static String deltas(Map<String, Double> deltas) {
        return deltas.entrySet().stream()
                .filter(e -> e.getValue() != 0)
                .map(e -> e.getKey() + " " + Figures.decimal(e.getValue(), isWhole(e.getValue()) ? 0 : 1))
                .collect(Collectors.joining(", "));
    }

    /** On a cluster the figures cover only the servers that clients connect to. */
    private static String alone(ServerProfile p, Map<String, Double> deltas) {
        boolean isDistributed =
                p.explained().routes().stream().anyMatch(r -> !r.unit().equals("table"));
        return isDistributed && !deltas(deltas).isEmpty() ? " (only of the servers that clients connect to)" : "";
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value);
    }

    /** The kinds of processes and of I/O with the most operations. */
    private static String io(ServerCounts p) {
        return p.io().stream()
                .sorted((a, b) -> Double.compare(operations(b), operations(a)))
                .limit(MAX)
                .map(row -> row.backendType() + " " + row.object() + " " + row.context() + " on " + row.node() + ": "
                        + deltas(row.counts()))
                .collect(Collectors.joining("; "));
    }

    private static double operations(IoCounts row) {
        return Stream.of("reads", "writes", "extends", "fsyncs")
                .mapToDouble(name -> row.counts().getOrDefault(name, 0.0))
                .sum();
    }
}
