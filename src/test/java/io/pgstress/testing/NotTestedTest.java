package io.pgstress.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The build says in one line what it did not test. */
final class NotTestedTest {
    @Test
    void equalReasonsAreCountedInOneLine() {
        assertThat(NotTested.summary(List.of("Citus: no server", "event loops", "event loops")))
                .isEqualTo("NOT TESTED HERE: Citus: no server (1); event loops (2)");
    }

    @Test
    void aBuildThatRanEveryTestSaysSo() {
        assertThat(NotTested.summary(List.of())).isEqualTo("Every test ran; none was skipped.");
    }
}
