package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.EveryJdk;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

@EveryJdk
final class TurnWaitsTest {
    private static final long LONG_NANOS = 4_000_000;

    private final TurnWaits waits = new TurnWaits();

    private long[] counts() {
        long[] sum = new long[Long.SIZE];
        waits.addTo(sum);
        return sum;
    }

    private static void runOthers() {
        long end = System.nanoTime() + LONG_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void dataFoundAtOnceArrivedHalfwaySinceTheLastPoll() {
        waits.looks();
        runOthers();
        waits.looks();
        waits.goesOn();

        assertThat(Arrays.stream(counts()).sum()).isEqualTo(1);
        assertThat(Arrays.stream(counts()).limit(21).sum())
                .isZero(); // at least 2 ms, more than 2 to the power of 20 ns
    }

    @Test
    void dataFoundWithoutWaitingWasThereBefore() {
        waits.looks();
        runOthers();
        waits.looks();
        waits.found();
        waits.goesOn();

        assertThat(Arrays.stream(counts()).sum()).isEqualTo(1);
    }

    @Test
    void countsTheTimeOfThreadsThatRunFirst() {
        waits.looks();
        waits.found();
        runOthers();
        waits.goesOn();

        assertThat(Arrays.stream(counts()).limit(22).sum()).isZero(); // 4 ms, more than 2 to the power of 21 ns
    }
}
