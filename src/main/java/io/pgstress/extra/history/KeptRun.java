package io.pgstress.extra.history;

import io.pgstress.compare.Circumstances;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload;
import java.util.EnumMap;
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
}
