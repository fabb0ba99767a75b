package io.pgstress.operation;

/**
 * The writes of one host, or of all, that the server acknowledged since the last reset of the tables.
 *
 * @param acknowledged rows
 * @param ids the sum of their ids modulo 2^64; 0 if ids are not compared
 * @param discarded rows that the server left out without an error
 * @param unanswered statements without an answer
 * @param doubts upper bound of the rows whose outcome is unknown; {@link #UNBOUNDED} if there is none
 */
public record WriteSums(long acknowledged, long ids, long discarded, long unanswered, long doubts) {
    /** Nothing was written. */
    public static final WriteSums NONE = new WriteSums(0, 0, 0, 0, 0);

    /** More rows than any table holds: the doubts of a host that was lost, whose last writes nobody has counted. */
    public static final long UNBOUNDED = 1L << 50;

    /** The sum of both. */
    public WriteSums plus(WriteSums other) {
        return new WriteSums(
                acknowledged + other.acknowledged,
                ids + other.ids,
                discarded + other.discarded,
                unanswered + other.unanswered,
                Math.min(UNBOUNDED, doubts + other.doubts));
    }

    /** The same, of a host that was lost: it may have written any number of rows since. */
    public WriteSums ofLostHost() {
        return new WriteSums(acknowledged, ids, discarded, unanswered, UNBOUNDED);
    }

    /** Whether the number of rows of unknown outcome has no upper bound. */
    public boolean isUnbounded() {
        return doubts >= UNBOUNDED;
    }
}
