package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
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
}
