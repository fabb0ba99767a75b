package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.RunSpec;
import org.jspecify.annotations.Nullable;

/**
 * What the course of a run is followed by.
 *
 * @param schedule null in a closed load
 */
record Course(
        RunSpec spec,
        NanoClock clock,
        Timeline timeline,
        Stop stop,
        Pause pause,
        @Nullable Schedule schedule,
        Warmup warmup,
        Snapshots snapshots,
        Intervals intervals,
        Announcer announcer) {}
