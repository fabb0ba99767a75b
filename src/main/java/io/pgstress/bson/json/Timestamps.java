package io.pgstress.bson.json;

/** Converts BSON dates (milliseconds since 1970) to PostgreSQL's timestamptz (microseconds since 2000). */
public final class Timestamps {
    private static final long EPOCH_2000_MILLIS = 946_684_800_000L;

    /** PostgreSQL's MIN_TIMESTAMP (4714-11-24 BC) and END_TIMESTAMP (294277-01-01), in milliseconds since 2000 (datatype/timestamp.h). */
    private static final long MIN = -211_813_488_000_000L;

    private static final long END = 9_223_371_331_200_000L;

    private Timestamps() {}

    /** Whether the date is in the range of timestamptz. */
    public static boolean holds(long millis) {
        return millis >= MIN + EPOCH_2000_MILLIS && millis < END + EPOCH_2000_MILLIS;
    }

    /** The value in the binary format: microseconds since 2000. */
    public static long micros(long millis) {
        return (millis - EPOCH_2000_MILLIS) * 1_000;
    }

    /** The date whose value in the binary format this is. */
    public static long millis(long micros) {
        return Math.floorDiv(micros, 1_000L) + EPOCH_2000_MILLIS;
    }
}
