package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Readings at the ends of intervals. */
final class ReadingsTest {
    @Test
    void excludesPausesOfTheClients() {
        AtomicReference<Double> paused = new AtomicReference<>(7.0);
        Readings withPause = new Readings(List.of(), paused::get);
        Readings without = new Readings(List.of(), () -> 0);
        withPause.measureStarts();
        without.measureStarts();
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(200)) {
            Thread.onSpinWait();
        }
        paused.set(7.0 + 0.9 * (System.nanoTime() - start) / 1e9);
        withPause.measureEnds(false);
        without.measureEnds(false);

        assertThat(withPause.cpuCores()).isGreaterThan(1.5 * without.cpuCores());
        assertThat(without.cpuCores()).isPositive();
    }

    @Test
    void compilerNeedsNoMoreCpuTimeThanTheProcess() {
        Readings readings = new Readings(List.of(), () -> 0);
        readings.measureStarts();
        Pattern.compile("[ab]*+c").matcher("ab".repeat(1000)).find();
        readings.measureEnds(false);

        assertThat(readings.compilerSeconds()).isNotNegative().isLessThanOrEqualTo(readings.cpuSeconds() + 0.05);
    }
}
