package io.pgstress.measure;

/**
 * When the phases of a run begin and end, in the clock's nanoseconds, as known at one moment. Immutable.
 *
 * @param origin when the load starts
 * @param measureStart start of the measurement; {@link Long#MAX_VALUE} while unknown
 * @param measureEnd end of the measurement; {@link Long#MAX_VALUE} while unknown
 * @param pausedAt when the current pause began; {@link Long#MAX_VALUE} if there is none
 * @param isEnded whether the measurement was ended early, so that its end is final
 */
record Times(long origin, long measureStart, long measureEnd, long pausedAt, boolean isEnded) {
    static final Times UNKNOWN = new Times(0, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, false);

    Times startingAt(long newOrigin) {
        return new Times(newOrigin, measureStart, measureEnd, pausedAt, isEnded);
    }

    Times measuring(long start, long end) {
        return isEnded ? this : new Times(origin, start, end, pausedAt, false);
    }

    Times endingAt(long now) {
        long at = Math.min(now, pausedAt);
        return new Times(origin, Math.min(measureStart, at), Math.min(measureEnd, at), pausedAt, true);
    }

    Times pausedAt(long now) {
        return new Times(origin, measureStart, measureEnd, now, isEnded);
    }

    Times shiftedBy(long nanos) {
        boolean isOpen = measureStart == Long.MAX_VALUE;
        return new Times(
                origin + nanos,
                isOpen ? measureStart : measureStart + nanos,
                isOpen ? measureEnd : measureEnd + nanos,
                Long.MAX_VALUE,
                isEnded);
    }

    Phase phaseAt(long nanos) {
        if (nanos >= measureEnd) {
            return Phase.DRAIN;
        }
        return nanos >= measureStart ? Phase.MEASURE : Phase.WARMUP;
    }
}
