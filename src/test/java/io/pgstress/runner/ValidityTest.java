package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult.Outage;
import io.pgstress.testing.Runs;
import java.util.List;
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

    @Test
    void aTenthOfTheTimeWithoutASuccessIsNotToBeBelieved() {
        assertThat(idle(new Outage(7, 8, null)).isValid()).isTrue();
        assertThat(idle(new Outage(7, 10, "b")).isValid()).isTrue();
        assertThat(idle(new Outage(7, 7.9, null)).isValid()).isTrue();
        Validity twice = idle(new Outage(2, 3, null), new Outage(9, 10.5, null));
        assertThat(twice.isValid()).isFalse();
        assertThat(twice.warnings())
                .containsExactly("no operation succeeded in 20% of the measurement:"
                        + " rates are not those of a server that answers");
    }

    private static Validity idle(Outage... outages) {
        Validity validity = new Validity();
        validity.idle(List.of(outages), 10);
        return validity;
    }

    @Test
    void silenceOfAllServersAtOnceIsToldWithWhatToLookAt() {
        Silence first = new Silence("c1", "coordinator", 4, 12, true);
        Silence other = new Silence("dn1", "datanode", 6, 20, false);
        Silence before = new Silence("dn1", "datanode", 1, 4.5, true);

        assertThat(nodes(first, before, other))
                .endsWith("all 2 servers of the cluster were silent at once, from 6.0 s to 12.0 s: is the GTM up?");
        assertThat(nodes(first, before)).noneMatch(w -> w.startsWith("all "));
        assertThat(nodes(first)).hasSize(1);
    }

    private static List<String> nodes(Silence... silences) {
        Validity validity = new Validity();
        validity.nodes(List.of(silences), 2, "is the GTM up?");
        return validity.warnings();
    }
}
