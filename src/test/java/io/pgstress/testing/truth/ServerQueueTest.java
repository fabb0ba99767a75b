package io.pgstress.testing.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ServerQueueTest {
    /** The response times of M/M/1 are exponential, with the difference of the rates. */
    @Test
    void highestRateOfOneExponentialServer() {
        double rate = ServerQueue.highestRate(1, r -> -Math.log1p(-r.nextDouble()) * 0.002, 0.03, 0.01, 1_000_000);

        double truth = 500 - Math.log(100) / 0.03;
        assertThat(rate).isCloseTo(truth, within(0.01 * truth));
    }

    @Test
    void statementsWaitForAFreeServer() {
        ServerQueue queue = new ServerQueue(2, (SplittableRandom r) -> 0.004, 1);

        assertThat(queue.nanos(0, 0)).isEqualTo(4_000_000);
        assertThat(queue.nanos(1, 1_000_000)).isEqualTo(4_000_000);
        assertThat(queue.nanos(2, 2_000_000)).isEqualTo(6_000_000);
        assertThat(queue.nanos(3, 20_000_000)).isEqualTo(4_000_000);
        assertThat(queue.planned()).isCloseTo(0.018, within(1e-9));
    }
}
