package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is read at the borders of intervals. */
final class SnapshotsTest {
    @Test
    void timeForWhichTheClientsStoodStillIsNone() {
        AtomicReference<Double> halted = new AtomicReference<>(7.0);
        Snapshots withHalt = new Snapshots(List.of(), halted::get);
        Snapshots without = new Snapshots(List.of(), () -> 0);
        withHalt.measureStarts();
        without.measureStarts();
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(200)) {
            Thread.onSpinWait();
        }
        halted.set(7.0 + 0.9 * (System.nanoTime() - start) / 1e9);
        withHalt.measureEnds(false);
        without.measureEnds(false);

        assertThat(withHalt.cpuCores()).isGreaterThan(1.5 * without.cpuCores());
        assertThat(without.cpuCores()).isPositive();
    }
}
