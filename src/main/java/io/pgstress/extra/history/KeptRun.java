package io.pgstress.extra.history;

import io.pgstress.compare.Circumstances;
import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the history needs of a run.
 *
 * @param test the same for runs that repeat a test
 * @param circumstances what may explain a change, such as the server's version
 * @param rows of the table, before the run
 * @param figures by figure; times in microseconds
 */
public record KeptRun(
        String id, String startedAt, String test, Circumstances circumstances, long rows, Map<Figure, Double> figures) {
    static KeptRun of(RunResult run) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.of(run.run().workload().hasRate())) {
            double value = figure.of(run);
            if (value > 0) {
                figures.put(figure, value);
            }
        }
        return new KeptRun(
                run.run().id(),
                run.run().startedAt(),
                test(run),
                Circumstances.of(run),
                run.dataset().rowsBefore(),
                figures);
    }

    /** The value of a figure; NaN if there is none. */
    public double value(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    private static String test(RunResult run) {
        Workload w = run.run().workload();
        String text = run.mix() + " on " + run.dataset().table();
        text += ", " + (w.statement() == null ? "unknown statements" : w.statement() + " statements");
        text += ", " + run.clients() + (run.clients() == 1 ? " client" : " clients");
        text += w.hasRate() ? ", " + w.rateText() + " ops/s" : "";
        text += w.pool() == null || w.pool().equals("none") ? "" : ", " + w.pool();
        text += w.poolSize() > 0 ? " of " + w.poolSize() : "";
        text += w.transaction() ? ", transactions" : "";
        text += w.fetchSize() > 0 ? ", fetch size " + w.fetchSize() : "";
        text += w.keyDistribution() == null || w.keyDistribution().equals("uniform") ? "" : ", " + w.keyDistribution();
        text += run.hosts().isEmpty() ? "" : ", " + run.hosts().size() + " hosts";
        return text + kinds(run);
    }

    private static String kinds(RunResult run) {
        String kinds = run.servers().stream()
                .map(ServerInfo::kind)
                .distinct()
                .filter(kind -> !kind.equals("postgres"))
                .collect(Collectors.joining(", "));
        return kinds.isEmpty() ? "" : ", " + kinds;
    }

    /** A figure that is followed from run to run. */
    public enum Figure {
        OPS("ops/s", "opsPerSecond", true),
        P50("p50", "p50Micros", false),
        P99("p99", "p99Micros", false);

        private final String label;
        private final String json;
        private final boolean higherIsBetter;

        Figure(String label, String json, boolean higherIsBetter) {
            this.label = label;
            this.json = json;
            this.higherIsBetter = higherIsBetter;
        }

        /** The figures of a run; in an open loop, the rate is given. */
        static List<Figure> of(boolean hasRate) {
            return hasRate ? List.of(P50, P99) : List.of(values());
        }

        public String label() {
            return label;
        }

        /** Its name in JSON. */
        @Override
        public String toString() {
            return json;
        }

        /** Whether a ratio of the figure after a change to that before is a change for the worse. */
        boolean isWorse(double ratio) {
            return higherIsBetter == ratio < 1;
        }

        /** Its value in a run, times in microseconds; NaN if there is none. */
        double of(RunResult run) {
            if (this == OPS) {
                return run.total().opsPerSecond();
            }
            Latency latency = run.headline(run.total());
            return latency == null ? Double.NaN : this == P50 ? latency.p50() : latency.p99();
        }
    }
}
