package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When an open load is called behind. */
final class ValidityTest {
    private static Validity rate(long due, Long backlog) {
        Validity validity = new Validity();
        validity.rate(due, 10, backlog);
        return validity;
    }

    @Test
    void whatIsInFlightAtTheEndIsNotBehind() {
        // 20 a second of 150 ms each: three in flight at the end, none waits
        assertThat(rate(200, 0L).isValid()).isTrue();
    }

    @Test
    void aBacklogOfMoreThanOnePercentIsBehind() {
        assertThat(rate(1000, 10L).isValid()).isTrue();
        Validity behind = rate(1000, 11L);
        assertThat(behind.isValid()).isFalse();
        assertThat(behind.warnings())
                .containsExactly("the load fell behind: 98.9 of 100.0 operations/s (98.9%) were begun in time,"
                        + " 11 were due and not begun at the end");
    }

    @Test
    void moreThanTheWindowsOwnIsAllOfIt() {
        assertThat(rate(1000, 5000L).warnings().get(0)).contains("0.0 of 100.0");
    }
}
