package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.result.Explained;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.ServerCounts.IoCounts;
import io.pgstress.result.ServerCounts.ServerStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The servers' figures in at most five lines (waits, statements, database, WAL, I/O), the plans, and what was unavailable. */
final class ServerLines {
    private static final int MAX = 5;
    private static final int SQL_LENGTH = 60;

    private ServerLines() {}

    static List<Fact> lines(ServerProfile p) {
        List<Fact> lines = new ArrayList<>();
        ServerCounts counts = p.counts();
        add(lines, "waits", waits(counts));
        add(lines, "statements", inAll(statements(counts)));
        add(lines, "database", inAll(deltas(counts.database()) + alone(p, counts.database())));
        add(lines, "WAL", inAll(deltas(counts.wal()) + alone(p, counts.wal())));
        add(lines, "checkpoints", deltas(counts.checkpointer()));
        add(lines, "I/O", io(counts));
        String bottleneck = p.machines().bottleneck();
        if (bottleneck != null) {
            lines.add(new Fact("bottleneck", bottleneck));
        }
        lines.addAll(MachineTables.environments(p.machines().all()));
        explained(p.explained()).forEach(lines::add);
        p.notes().forEach(note -> add(lines, "unavailable", note));
        return lines;
    }

    /** Servers count from before the warm-up until after the drain, so their figures cover more than the measurement. */
    private static String inAll(String counted) {
        return counted.isEmpty() ? "" : "including warm-up and drain: " + counted;
    }

    private static List<Fact> explained(Explained e) {
        List<Fact> lines = new ArrayList<>();
        e.lines().forEach(line -> add(lines, "plan", line));
        add(lines, "on nodes", e.verdict() == null ? "" : e.verdict());
        if (e.genericPlans() != null && e.customPlans() != null) {
            add(
                    lines,
                    "planned",
                    Figures.count(e.genericPlans()) + " executions with a generic plan, "
                            + Figures.count(e.customPlans()) + " with a custom plan, in one session");
        }
        return lines;
    }

    private static void add(List<Fact> lines, String label, String text) {
        if (!text.isEmpty()) {
            lines.add(Fact.detail(label, text));
        }
    }

    private static String waits(ServerCounts p) {
        if (p.waitSamples() == 0) {
            return "";
        }
        return p.waitEvents().entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(MAX)
                        .map(e -> e.getKey() + " " + Figures.percent((double) e.getValue() / p.waitSamples()))
                        .collect(Collectors.joining(", "))
                + " of " + Figures.count(p.waitSamples()) + " samples";
    }

    private static String statements(ServerCounts p) {
        return p.statements().stream()
                .sorted((a, b) -> Long.compare(b.calls(), a.calls()))
                .limit(MAX)
                .map(ServerLines::statement)
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
