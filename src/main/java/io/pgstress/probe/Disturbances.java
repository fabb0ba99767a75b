package io.pgstress.probe;

import io.pgstress.probe.MeasuredCounters.Reading;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Warnings about a server's own work within a measurement. */
final class Disturbances {
    /** More of them are regular. */
    private static final long MAX_CHECKPOINTS = 2;

    private static final int MAX_TABLES = 3;

    /** Of {@code pg_stat_checkpointer}, and before PostgreSQL 17 of {@code pg_stat_bgwriter}. */
    private static final String CHECKPOINTS = "num_timed|num_requested|checkpoints_timed|checkpoints_req";

    private static final String WRITTEN_BUFFERS = "buffers_written|buffers_checkpoint";

    private Disturbances() {}

    /**
     * The warnings.
     *
     * @param requestsCheckpoints whether the load itself requests checkpoints, which then are part of it
     */
    static List<Remark> between(Reading start, Reading end, String server, boolean requestsCheckpoints) {
        List<Remark> found = new ArrayList<>();
        if (!requestsCheckpoints) {
            addCheckpoints(found, start, end, server);
        }
        addVacuums(found, start, end, server);
        return found;
    }

    /** A checkpoint that wrote nothing, as on an idle server, disturbed nothing. */
    private static void addCheckpoints(List<Remark> found, Reading start, Reading end, String server) {
        long checkpoints = growth(CHECKPOINTS, start, end);
        if (checkpoints > 0 && checkpoints <= MAX_CHECKPOINTS && growth(WRITTEN_BUFFERS, start, end) > 0) {
            found.add(Remark.of(
                    RemarkCode.CHECKPOINT, checkpoints == 1 ? "a checkpoint" : checkpoints + " checkpoints", server));
        }
    }

    private static long growth(String names, Reading start, Reading end) {
        return Math.round(sum(names, end) - sum(names, start));
    }

    private static double sum(String names, Reading reading) {
        return reading.single("checkpointer").entrySet().stream()
                .filter(counter -> counter.getKey().matches(names))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static void addVacuums(List<Remark> found, Reading start, Reading end, String server) {
        Map<String, Map<String, Double>> running = start.of("vacuum");
        Set<String> tables = new TreeSet<>(running.keySet());
        double from = start.single("clock").getOrDefault("now", Double.MAX_VALUE);
        end.of("vacuum").forEach((table, facts) -> {
            if (facts.containsKey("running") || facts.getOrDefault("at", 0.0) > from) {
                tables.add(table);
            }
        });
        if (!tables.isEmpty()) {
            found.add(
                    running.isEmpty()
                            ? Remark.of(RemarkCode.AUTOVACUUM, server, names(tables))
                            : Remark.of(RemarkCode.AUTOVACUUM_FROM_BEFORE, server, names(tables)));
        }
    }

    private static String names(Set<String> tables) {
        int more = tables.size() - MAX_TABLES;
        return tables.stream().limit(MAX_TABLES).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
