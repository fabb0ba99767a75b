package io.pgstress.machine;

import org.jspecify.annotations.Nullable;

/**
 * What a disk did, as iostat shows it.
 *
 * @param device its name, such as {@code nvme0n1p2} or {@code dm-0}
 * @param holdsData whether the server's data directory is on it
 * @param awaitMillis mean time of a request, waiting included; null if there were none
 * @param readAwaitMillis, writeAwaitMillis the same for reads and writes
 * @param utilization share of the time in which requests were under way, 0 to 1. A disk that serves requests in parallel, as SSDs
 *     do, can do more even at 1 (iostat(1)).
 */
public record DiskUse(
        String device,
        boolean holdsData,
        double readsPerSecond,
        double writesPerSecond,
        double readMbPerSecond,
        double writeMbPerSecond,
        @Nullable Double awaitMillis,
        @Nullable Double readAwaitMillis,
        @Nullable Double writeAwaitMillis,
        double utilization) {}
