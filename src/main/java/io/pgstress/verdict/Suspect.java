package io.pgstress.verdict;

/**
 * Something that may have made operations wait, with the time at which it did. Seconds since the start of the measurement.
 *
 * @param who its name, in words
 * @param seconds at most how much of that time it took
 */
public record Suspect(Kind kind, String who, double from, double to, double seconds) {
    /** What it is, from the most specific to the least. */
    public enum Kind {
        COLLECTOR("the client's garbage collector", "paused the client for %.3f s of it", true),
        STEAL("other virtual machines on the client's host", "took %.3f s of it from the client (steal)", true),
        CLIENT("the client's own threads", "stalled for %.3f s of it", false),
        SERVER("a server", "left its checks unanswered for %.3f s of it, too: it or the network stalled", false);

        final String who;
        final String what;

        /** Whether several within an operation's time add up; else the longest counts, as an operation waits for one answer. */
        final boolean isSummed;

        Kind(String who, String what, boolean isSummed) {
            this.who = who;
            this.what = what;
            this.isSummed = isSummed;
        }
    }

    /** A part of the client that took all of its time. */
    public Suspect(Kind kind, double from, double to) {
        this(kind, kind.who, from, to, to - from);
    }

    /** The same in seconds since this time. */
    public Suspect since(double start) {
        return new Suspect(kind, who, from - start, to - start, seconds);
    }

    /** How much of another time it took, at most. */
    double within(double otherFrom, double otherTo) {
        return Math.max(0, Math.min(seconds, Math.min(to, otherTo) - Math.max(from, otherFrom)));
    }
}
