package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateLimitTest {
    @Test
    void aQuantileLeavesAShareOfOperationsBeyondItsTime() {
        assertThat(RateLimit.parse("p99 < 10ms")).isEqualTo(new RateLimit("p99<10ms", "p99", 10_000, 0.01));
        assertThat(RateLimit.parse("errors<0.1%")).isEqualTo(new RateLimit("errors<0.1%", "errors", 0, 0.001));
    }

    @ParameterizedTest
    @ValueSource(strings = {"p99<", "p99>5ms", "p99<10", "p98<1ms", "mean<1ms", "errors<5"})
    void whatARateCannotKeepIsRefusedWithExamplesThatItCan(String given) {
        assertThatThrownBy(() -> RateLimit.parse(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a limit that a rate can keep, such as p99<10ms, max<1s or errors<0.1%, was '"
                        + given + "'");
    }
}
