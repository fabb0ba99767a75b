package io.pgstress.measure;

/**
 * Divides a phase into segments of equal length, and each segment into intervals of equal length; the last one may be
 * shorter. So no interval spans two steps of a target rate. Times are nanoseconds since the start of the phase.
 */
public final class IntervalGrid {
    private final long interval;
    private final long segment;
    private final long perSegment;

    /**
     * @param interval length of an interval, above 0
     * @param segment length of a segment, above 0; {@link Long#MAX_VALUE}: one segment for the whole phase
     */
    public IntervalGrid(long interval, long segment) {
        if (interval <= 0 || segment <= 0) {
            throw new IllegalArgumentException("intervals and segments must be longer than 0");
        }
        this.interval = Math.min(interval, segment);
        this.segment = segment;
        this.perSegment = segment / this.interval + (segment % this.interval == 0 ? 0 : 1);
    }

    /** A grid without segments. */
    public static IntervalGrid of(long interval) {
        return new IntervalGrid(interval, Long.MAX_VALUE);
    }

    /** A copy without segments. */
    IntervalGrid unsegmented() {
        return of(interval);
    }

    /** The number of the interval at this instant; the first one if the instant is before the start. */
    int indexAt(long nanos) {
        long since = Math.max(0, nanos);
        return (int) (since / segment * perSegment + since % segment / interval);
    }

    /** When the interval of this number starts. */
    public long startOf(int index) {
        return index / perSegment * segment + index % perSegment * interval;
    }

    /** When the interval of this number ends. */
    public long endOf(int index) {
        long inSegment = (index % perSegment + 1) * interval;
        return index / perSegment * segment + Math.min(inSegment, segment);
    }

    /** The number of the segment that holds this interval. */
    public int segmentOf(int index) {
        return (int) (index / perSegment);
    }
}
