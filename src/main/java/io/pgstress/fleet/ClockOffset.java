package io.pgstress.fleet;

/**
 * The difference between the monotonic clocks ({@link System#nanoTime}) of two hosts, another's minus ours.
 *
 * @param nanos add it to our time to get the other's
 * @param boundNanos the difference is wrong by at most this
 */
public record ClockOffset(long nanos, long boundNanos) {
    public ClockOffset {
        if (boundNanos < 0) {
            throw new IllegalArgumentException("bound " + boundNanos);
        }
    }

    /**
     * The offset from one round trip. The other read its clock at some moment between sending and receiving. In the middle of
     * the two, the error is at most half of the round trip, even if all of the delay was on one way (Cristian 1989).
     *
     * @param sent our time before sending the question
     * @param other the other's time in the answer
     * @param received our time after receiving the answer
     */
    public static ClockOffset of(long sent, long other, long received) {
        long roundTrip = received - sent;
        return new ClockOffset(other - (sent + roundTrip / 2), (roundTrip + 1) / 2);
    }

    /** The one with the smaller bound; this one if they are equal. */
    public ClockOffset orBetter(ClockOffset another) {
        return another.boundNanos < boundNanos ? another : this;
    }

    /**
     * A later estimate, if it is at least as exact as this one, or contradicts it: the clocks have drifted since. Otherwise this one, so that a
     * slow round trip makes nothing worse.
     */
    public ClockOffset orLater(ClockOffset later) {
        boolean haveDrifted = Math.abs(later.nanos - nanos) > boundNanos + later.boundNanos;
        return haveDrifted || later.boundNanos <= boundNanos ? later : this;
    }

    /** Our time at this time of the other. */
    public long toOurs(long other) {
        return other - nanos;
    }

    /**
     * This offset with a bound that holds until a later estimate: the clocks have drifted by the difference of the two, give or
     * take the later one's bound.
     */
    public ClockOffset until(ClockOffset later) {
        return new ClockOffset(nanos, Math.max(boundNanos, Math.abs(later.nanos - nanos) + later.boundNanos));
    }
}
