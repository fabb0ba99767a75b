package io.pgstress.result;

import io.pgstress.text.SqlText;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the sessions of the run did during the slowest operations and during ordinary ones, by samples of {@code pg_stat_activity}. Waits are
 * named {@code Type:event} as by the server, {@code CPU} for a session that runs or waits for a core, {@code client} for one that waits for the
 * client or the network, {@code workers} for one that waits for other servers of its
 * cluster, {@code datanodes or CPU} for one on a server that does not tell these apart, {@code connection} for an operation that has no connection yet, or {@code not sampled}.
 *
 * @param causes what slow operations spent clearly more of their time on, or a note that it was nothing; empty if too few were sampled
 * @param blockers for which sessions operations waited, the most frequent first
 */
public record OperationWaits(
        List<Remark> causes, List<Profile> operations, List<Blocker> blockers, OverTime overTime, Sampling sampling) {
    public static final String CPU = "CPU";
    public static final String CLIENT = "client";
    public static final String CONNECTION = "connection";
    public static final String NOT_SAMPLED = "not sampled";

    /** A client's session without a wait event, on a server that has none while it waits for other servers. */
    public static final String DATANODES_OR_CPU = "datanodes or CPU";

    /** A client's session that waits for sessions of other servers. */
    public static final String WORKERS = "workers";

    /** No session of the server works for the client's. */
    public static final String ELSEWHERE = "elsewhere";

    /** The waits that are named in words. */
    public static final Map<String, String> WORDS = Map.of(
            CPU,
            "on CPU",
            CLIENT,
            "waiting for the client",
            CONNECTION,
            "waiting for a connection",
            WORKERS,
            "waiting for workers",
            DATANODES_OR_CPU,
            "waiting for datanodes or on CPU",
            NOT_SAMPLED,
            NOT_SAMPLED);

    /** A cause takes at least this share of the time. */
    private static final double MIN_SHARE = 0.2;

    /** The intervals of the shares of a wait are at least this far apart if it is a cause. */
    public static final double MIN_APART = 0.05;

    /** The waits that explain nothing. */
    public static Set<String> noCauses(boolean isCpuFull) {
        return isCpuFull ? Set.of(NOT_SAMPLED, CPU, CLIENT, WORKERS, DATANODES_OR_CPU) : Set.of(NOT_SAMPLED);
    }

    /**
     * The waits of one operation.
     *
     * @param slow operations beyond the 99th percentile; the shares leave out those that only a sample delayed
     * @param usual those between the 25th and the 75th percentile
     */
    public record Profile(String operation, double p99Micros, Group slow, Group usual) {}

    /**
     * Operations of similar duration.
     *
     * @param operations their number
     * @param seconds the sum of their durations
     * @param sampledOperations number of those in which at least one sample was taken
     * @param waits shares of their time, by wait
     * @param during shares of their time, by what else the server did
     */
    public record Group(
            long operations,
            double seconds,
            long sampledOperations,
            long samples,
            Map<String, Share> waits,
            Map<String, Share> during) {}

    /** A share (0 to 1) with its 95% interval. */
    public record Share(double share, double low, double high) {
        private static final double Z = 1.96;

        /** The sum of two shares; its interval is at least as wide as if they were independent. */
        public Share plus(Share other) {
            return new Share(share + other.share, low + other.low, high + other.high);
        }

        /** This part of it. */
        public Share times(double part) {
            return new Share(share * part, low * part, high * part);
        }

        /**
         * A share of clusters of samples: Wilson's interval (1927) for the number of independent samples that would have the same variance.
         *
         * @param variance of the share; 0: unknown
         * @param clusters number of independent clusters
         */
        public static Share of(double share, double variance, double clusters) {
            double own = variance > 0 ? share * (1 - share) / variance : clusters;
            double n = Math.max(1, own);
            double middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n);
            double half = Z / (1 + Z * Z / n) * Math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
            return new Share(share, Math.max(0, middle - half), Math.min(1, middle + half));
        }

        /** Whether this share is notable, and its interval above the other's by at least this much. */
        public boolean isApart(Share other, double least) {
            return share >= MIN_SHARE && low - other.high >= least;
        }
    }

    /**
     * A session that held what an operation waited for, at the head of the chain of blockers.
     *
     * @param operation the operation that waited
     * @param name the operation of the run, or what a process of another kind calls itself; empty: unknown
     * @param statement its last one, with a question mark in place of each literal
     * @param state what it was doing, such as {@code idle in transaction}
     * @param samples number of samples in which an operation waited for it
     * @param longestChain number of sessions from the one that waited to this one
     */
    public record Blocker(
            String operation, Kind kind, String name, String statement, String state, long samples, int longestChain) {
        private static final int MAX_STATEMENT = 60;

        /** Whose session it is. */
        public enum Kind {
            RUN,
            MAINTENANCE,
            OTHER,
            PREPARED_TRANSACTION,
            UNKNOWN
        }

        /** What the session runs, without its values, which may be nobody's business; that of an idle one does not tell what it holds. */
        private String command() {
            String shown = SqlText.withoutLiterals(statement).strip();
            String cut = shown.length() > MAX_STATEMENT
                    ? shown.substring(0, MAX_STATEMENT).strip()
                    : shown;
            return !state.equals("active") || cut.isEmpty()
                    ? ""
                    : ": " + cut + (cut.length() < shown.length() ? "..." : "");
        }

        /** As the object of a sentence. */
        public String words() {
            return switch (kind) {
                case RUN -> name.isEmpty() ? "a session of the run" : name;
                case MAINTENANCE -> name;
                case OTHER ->
                    (name.isEmpty() ? "another session" : "session " + name)
                            + (state.isEmpty() ? "" : " (" + state + command() + ")");
                case PREPARED_TRANSACTION -> "a prepared transaction";
                case UNKNOWN -> "a session that ended";
            };
        }
    }

    /**
     * Numbers of samples in equal parts of the measurement.
     *
     * @param slotSeconds duration of a part
     * @param waits by wait
     * @param during by what else the server did
     */
    public record OverTime(double slotSeconds, Map<String, List<Long>> waits, Map<String, List<Long>> during) {}

    /**
     * The cost of sampling.
     *
     * @param looks number of times at which all sessions were sampled
     * @param intervalMillis the time between them at the end, which depends on their cost
     * @param serverCores CPU time on the server, in cores
     * @param isCpu whether it was read, rather than estimated by the shortest duration of a sample
     */
    public record Sampling(long looks, double intervalMillis, double serverCores, boolean isCpu) {}
}
