package io.pgstress.machine;

import org.jspecify.annotations.Nullable;

/**
 * The figures of a machine for one interval; {@code atSeconds} is relative to the start of the measurement and negative
 * before it.
 */
public record MachineSample(
        double atSeconds,
        double seconds,
        double cpuBusy,
        double loadAverage,
        double inMbitPerSecond,
        double outMbitPerSecond,
        @Nullable Double diskWriteMbPerSecond,
        @Nullable MachineUse use) {}
