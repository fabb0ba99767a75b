package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rates and mean times that cannot both be right. */
final class LittlesLawTest {
    @Test
    void impossibleRateNeedsALongerMeasurement() {
        // 8 clients, operations of 3 s that end at 0.5 s and 3.5 s of a window of 4 s
        LittlesLaw law = new LittlesLaw(8, 4, 16, 16, 3.006, false, 24);

        assertThat(law.violation().orElseThrow())
                .extracting(Remark::code, r -> r.figures().get("enough"))
                .containsExactly(RemarkCode.RATE_OF_WINDOW, "31 s");
    }

    @Test
    void shortWindowMayShowLessThanTheClientsAchieve() {
        // they all end at 3 s
        LittlesLaw law = new LittlesLaw(8, 4, 8, 8, 3.006, false, 16);

        assertThat(law.violation()).isEmpty();
        assertThat(law.shortWindow())
                .hasValue(RemarkCode.SHORT_WINDOW
                        .with("measured", "4.0 s")
                        .with("only", "only")
                        .with("operationsPerClient", 4 / 3.006)
                        .with("mean", "3.0 s")
                        .with("enough", "31 s")
                        .remark());
    }

    @Test
    void stallAtTheEdgeIsNotAViolation() {
        // 1000 clients with operations of 10 ms, all delayed by 2 s at the start by operations from the warm-up
        assertThat(new LittlesLaw(1000, 10, 800_000, 800_000, 0.01, false, 2000).violation())
                .isEmpty();
    }

    @Test
    void longOperationAtTheEndOfAShortBlockIsNotAViolation() {
        // 117 operations of 0.57 ms, and one of 13 ms that ends in the drain
        assertThat(new LittlesLaw(1, 0.08, 139, 139, 0.00068, false, 0.013).violation())
                .isEmpty();
        assertThat(new LittlesLaw(1, 0.08, 139, 139, 0.00068, false, 0).violation())
                .isPresent();
    }

    @Test
    void clientsThatWaitOutsideOperationsViolateIt() {
        assertThat(new LittlesLaw(1000, 10, 480_000, 480_000, 0.01, false, 10)
                        .violation()
                        .orElseThrow()
                        .code())
                .isEqualTo(RemarkCode.IDLE_CLIENTS);
        assertThat(new LittlesLaw(1000, 10, 850_000, 850_000, 0.01, false, 10)
                        .violation()
                        .orElseThrow()
                        .code())
                .isEqualTo(RemarkCode.IDLE_CLIENTS);
        assertThat(new LittlesLaw(1000, 10, 910_000, 910_000, 0.01, false, 10).violation())
                .isEmpty();
        assertThat(new LittlesLaw(1000, 10, 950_000, 950_000, 0.01, false, 10).shortWindow())
                .isEmpty();
    }

    @Test
    void figuresSayWhatTheClientsCanReach() {
        // 8 clients, operations of 100 ms: 80 per second are possible
        assertThat(new LittlesLaw(8, 10, 1000, 1000, 0.1, false, 0).violation().orElseThrow())
                .isEqualTo(RemarkCode.RATE_OF_WINDOW
                        .with("clients", 8)
                        .with("mean", "100.0 ms")
                        .with("possible", 80.0)
                        .with("ended", 100.0)
                        .with("enough", null)
                        .remark());
        // of which they were in operations for 3 of 10 seconds
        assertThat(new LittlesLaw(8, 10, 240, 240, 0.1, false, 0)
                        .violation()
                        .orElseThrow()
                        .figures())
                .containsExactlyInAnyOrderEntriesOf(Map.of("percent", 30.0, "busyClients", 2.4, "clients", 8));
    }

    /** An operation in progress at an edge explains as much as it lasts; it does not explain a rate twice as high. */
    @Test
    void operationsAtTheEdgesExplainWhatTheyLast() {
        assertThat(new LittlesLaw(8, 10, 1000, 1000, 0.1, false, 16).violation())
                .isEmpty();
        assertThat(new LittlesLaw(8, 10, 1600, 1600, 0.1, false, 16)
                        .violation()
                        .orElseThrow()
                        .code())
                .isEqualTo(RemarkCode.RATE_OF_WINDOW);
        assertThat(new LittlesLaw(8, 10, 600, 600, 0.1, false, 16).violation()).isEmpty();
        assertThat(new LittlesLaw(8, 10, 500, 500, 0.1, false, 16)
                        .violation()
                        .orElseThrow()
                        .code())
                .isEqualTo(RemarkCode.IDLE_CLIENTS);
    }

    /** Unfinished operations count as begun, and their mean is a lower bound. */
    @Test
    void clientsOfUnfinishedOperationsAreNotIdle() {
        assertThat(new LittlesLaw(10, 10, 25, 50, 2, true, 0).violation()).isEmpty();
        assertThat(new LittlesLaw(10, 10, 25, 25, 2, true, 0)
                        .violation()
                        .orElseThrow()
                        .code())
                .isEqualTo(RemarkCode.IDLE_CLIENTS);
        assertThat(new LittlesLaw(10, 10, 25, 50, 2, false, 0)
                        .violation()
                        .orElseThrow()
                        .code())
                .as("none is unfinished")
                .isEqualTo(RemarkCode.IDLE_CLIENTS);
    }
}
