package io.pgstress.probe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** CPU time of processes. */
final class ProcessTicksTest {
    private static final String STAT = "%d (%s) S 1 2 3 4 5 6 7 8 9 10 %d %d %d %d 20 0 1 0 123 456";

    @Test
    void addsUpProcessesAndTheirEndedChildren() {
        assertThat(ProcessTicks.parse(STAT.formatted(7, "postgres", 1, 20, 300, 4000) + "\n"
                        + STAT.formatted(8, "odd) (name", 50_000, 0, 0, 0) + "\n"))
                .isEqualTo(54_321);
        assertThat(ProcessTicks.parse("")).isEqualTo(ProcessTicks.UNKNOWN);
    }
}
