package io.pgstress.verdict;

/**
 * A possible cause of waits, with its period in seconds since the start of the measurement.
 *
 * @param who its name in a sentence
 * @param seconds upper bound of the time it took in that period
 */
public record Suspect(Kind kind, String who, double from, double to, double seconds) {
    /** The kind of cause, from the most to the least specific. */
    public enum Kind {
        COLLECTOR("the client's garbage collector", "paused the client for %.3f s of it", true),
        STEAL("other virtual machines on the client's host", "took %.3f s of it from the client (steal)", true),
        CLIENT("the client's own threads", "stalled for %.3f s of it", false),
        SERVER("a server", "left its checks unanswered for %.3f s of it, too: it or the network stalled", false);

        final String who;
        final String what;

        /** Whether several of them within an operation's time add up; otherwise the longest counts, because an operation waits for one answer. */
        final boolean isSummed;

        Kind(String who, String what, boolean isSummed) {
            this.who = who;
            this.what = what;
            this.isSummed = isSummed;
        }
    }

    /** A cause in the client that lasted for the whole period. */
    public Suspect(Kind kind, double from, double to) {
        this(kind, kind.who, from, to, to - from);
    }

    /** The same period in seconds since this time. */
    public Suspect since(double start) {
        return new Suspect(kind, who, from - start, to - start, seconds);
    }

    /** Upper bound of the time it took within another period. */
    double within(double otherFrom, double otherTo) {
        return Math.max(0, Math.min(seconds, Math.min(to, otherTo) - Math.max(from, otherFrom)));
    }
}
