package io.pgstress.result;

import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import org.jspecify.annotations.Nullable;

/**
 * One step of an open loop's target rate.
 *
 * @param fromSeconds its start, relative to the start of the measurement
 * @param seconds its length within the measurement
 * @param targetRate operations due per second
 * @param opsPerSecond successful operations per second within it
 * @param responseMicros response times of operations that ended within it; null if none did
 * @param backlog operations that were due but not started at its end
 * @param knee whether it is the highest sustained rate: the last step that kept up before the first one that did not
 */
public record RateStep(
        @By(Rule.FIRST) double fromSeconds,
        @By(Rule.MAX) double seconds,
        @By(Rule.ADDED) double targetRate,
        @By(Rule.ADDED) double opsPerSecond,
        @Nullable Latency responseMicros,
        @By(Rule.ADDED) long backlog,
        boolean knee) {}
