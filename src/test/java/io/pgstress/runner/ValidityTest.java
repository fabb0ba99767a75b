package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.testing.Runs;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a result is not to be believed, or only with a warning. */
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

    @Test
    void failuresOfOverOnePercentAreWarnedOf() {
        assertThat(failed(99, 1).warnings()).isEmpty();
        assertThat(failed(98, 2).warnings())
                .containsExactly("2.00% of the operations failed: rates and times are those of the others");
        assertThat(failed(98, 2).isValid()).isTrue();
    }

    private static Validity failed(long ok, long failed) {
        OperationResult result = new OperationResult(
                ok,
                0,
                0,
                0,
                0,
                0,
                ok,
                Map.of("40P01", new OperationResult.ErrorCount(failed, "deadlock")),
                ok,
                ok,
                null,
                Map.of(),
                Map.of());
        Validity validity = new Validity();
        validity.operations(Runs.spec(), Map.of("find_update", result));
        return validity;
    }
}
