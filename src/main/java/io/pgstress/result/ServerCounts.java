package io.pgstress.result;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the servers counted. What could not be read is empty.
 *
 * @param waitEventSeconds for how long clients' sessions were so, summed over them: what an active one waited for, as {@code Lock:tuple}, or the state of another
 *     one. An estimate: each sample stands for the time around it
 * @param waitSamples number of samples of sessions
 * @param database changes of {@code pg_stat_database} over the run
 * @param statements the run's statements in {@code pg_stat_statements}, by operation's statement
 * @param wal changes of the counters of WAL and checkpoints
 * @param checkpointer changes of the counters of checkpoints during the measurement
 * @param io changes of {@code pg_stat_io} during the measurement, from PostgreSQL 16 on
 */
public record ServerCounts(
        Map<String, Double> waitEventSeconds,
        long waitSamples,
        Map<String, Double> database,
        List<ServerStatement> statements,
        Map<String, Double> wal,
        Map<String, Double> checkpointer,
        List<IoCounts> io) {
    public ServerCounts {
        waitEventSeconds = Objects.requireNonNullElse(waitEventSeconds, Map.of()); // a result of an earlier version
    }

    /** The time of all sampled sessions. */
    public double sessionSeconds() {
        return waitEventSeconds.values().stream()
                .mapToDouble(seconds -> seconds)
                .sum();
    }

    /** Adds up what several servers counted. Not thread-safe. */
    public static final class Collector {
        public final Map<String, Double> waitEventSeconds = new TreeMap<>();
        public long waitSamples;
        public final Map<String, Double> database = new LinkedHashMap<>();
        public final List<ServerStatement> statements = new ArrayList<>();
        public final Map<String, Double> wal = new LinkedHashMap<>();
        public final Map<String, Double> checkpointer = new LinkedHashMap<>();
        public final List<IoCounts> io = new ArrayList<>();
        private final Set<List<Object>> scopes = new HashSet<>();

        /**
         * Whether these counters were not added yet: several URLs may lead to one server.
         *
         * @param counters what they count
         * @param scope the server, and the database or role, that they belong to
         */
        public boolean isNew(String counters, Object scope) {
            return scopes.add(List.of(counters, scope));
        }

        /** The sums so far. */
        public ServerCounts counts() {
            return new ServerCounts(waitEventSeconds, waitSamples, database, statements, wal, checkpointer, io);
        }
    }

    /**
     * The counts of {@code pg_stat_statements}.
     *
     * @param blocksHit blocks found in the server's cache
     * @param blocksRead blocks requested from the operating system
     * @param walBytes WAL generated, from PostgreSQL 13 on; excludes the commit record
     */
    public record ServerStatement(
            String node,
            String query,
            long calls,
            long rows,
            double totalExecMillis,
            @Nullable Double meanExecMicros,
            @Nullable Long blocksHit,
            @Nullable Long blocksRead,
            @Nullable Long walBytes) {}

    /**
     * A row of {@code pg_stat_io} that changed during the measurement.
     *
     * @param context {@code normal}, {@code vacuum}, {@code bulkread}, {@code bulkwrite} or {@code init}
     * @param counts changes by column, without those that are 0: operations, and milliseconds for times
     */
    public record IoCounts(
            String node, String backendType, String object, String context, Map<String, Double> counts) {}
}
