package io.pgstress.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The build reports in one line what it did not test. */
final class NotTestedTest {
    @Test
    void countsEqualReasonsInOneLine() {
        assertThat(NotTested.summary(List.of("Citus: no server", "event loops", "event loops")))
                .isEqualTo("NOT TESTED HERE: Citus: no server (1); event loops (2)");
    }

    @Test
    void reportsThatEveryTestRan() {
        assertThat(NotTested.summary(List.of())).isEqualTo("Every test ran; none was skipped.");
    }
}
