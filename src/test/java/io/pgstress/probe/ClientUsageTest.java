package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.ClientUsage.Reading;
import io.pgstress.runner.CompilerTime;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Readings at the ends of intervals. */
final class ClientUsageTest {
    private static Reading reading(double seconds, double cpuSeconds, double pausedSeconds) {
        return new Reading(
                new CpuMeter((long) (seconds * 1e9), (long) (cpuSeconds * 1e9), 0),
                List.of(),
                pausedSeconds,
                Instant.EPOCH,
                0);
    }

    /** CPU time that includes pauses, divided by a time that does not, were 59.7 of two cores in a run that hung in a reset. */
    @Test
    void coresAreThoseOfTheWholeTimeAndTrafficIsThatOutsidePauses() {
        Reading start = reading(100, 3, 7);
        Reading end = reading(110, 13, 16);

        assertThat(end.coresSince(start)).isEqualTo(1);
        assertThat(end.secondsSince(start)).isEqualTo(1);
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
