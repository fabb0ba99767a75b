package io.pgstress.result;

import org.jspecify.annotations.Nullable;

/**
 * One step of an open load's target rate; times are response times.
 *
 * @param fromSeconds its start since the start of the measurement
 * @param seconds its length within the measurement
 * @param targetRate operations per second that were due
 * @param opsPerSecond operations that succeeded within it, per second
 * @param responseMicros of the operations that ended within it; null if none did
 * @param backlog intended starts that were due at its end and not begun
 * @param knee whether it is the last step that kept up before the first that did not
 */
public record RateStep(
        double fromSeconds,
        double seconds,
        double targetRate,
        double opsPerSecond,
        @Nullable Latency responseMicros,
        long backlog,
        boolean knee) {}
