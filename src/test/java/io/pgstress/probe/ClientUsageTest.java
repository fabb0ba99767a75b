package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.ClientUsage.Reading;
import io.pgstress.runner.CompilerTime;
import io.pgstress.text.Records;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Readings at the ends of intervals. */
final class ClientUsageTest {
    private static void work() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(200)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void excludesPausesOfTheClients() {
        Reading start = Reading.of(List.of(), 7.0);
        work();
        Reading end = Reading.of(List.of(), 7.0 + 0.9 * 0.2);

        assertThat(end.coresSince(start))
                .isGreaterThan(1.5 * end.coresSince(Records.with(start, "paused", end.paused())))
                .isPositive();
    }

    @Test
    void compilerNeedsNoMoreCpuTimeThanTheProcess() {
        CpuMeter start = CpuMeter.ofProcess();
        CompilerTime compiler = new CompilerTime();
        Pattern.compile("[ab]*+c").matcher("ab".repeat(1000)).find();
        compiler.read();

        assertThat(compiler.seconds())
                .isNotNegative()
                .isLessThanOrEqualTo(CpuMeter.ofProcess().cpuSecondsSince(start) + 0.05);
    }
}
