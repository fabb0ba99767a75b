package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rates and mean times that cannot both be right. */
final class LittlesLawTest {
    @Test
    void impossibleRateIsAnArtifactOfTheWindow() {
        // 8 clients, operations of 3 s that end at 0.5 s and 3.5 s of a window of 4 s
        LittlesLaw law = new LittlesLaw(8, 4, 16, 3.006, 24);

        assertThat(law.violation())
                .hasValue(
                        "the rate is an artifact of the window: 8 clients whose operations take 3.0 s cannot complete more"
                                + " than 2.7 per second, but 4.0 ended in each second of the measurement; measure for at least"
                                + " 31 s");
    }

    @Test
    void shortWindowMayShowLessThanTheClientsAchieve() {
        // they all end at 3 s
        LittlesLaw law = new LittlesLaw(8, 4, 8, 3.006, 16);

        assertThat(law.violation()).isEmpty();
        assertThat(law.shortWindow())
                .hasValue(
                        "the measurement of 4.0 s holds only 1.3 operations per client (each takes 3.0 s): the rate depends"
                                + " on where the window lies; measure for at least 31 s");
    }

    @Test
    void stallAtTheEdgeIsNotAViolation() {
        // 1000 clients with operations of 10 ms, all delayed by 2 s at the start by operations from the warm-up
        assertThat(new LittlesLaw(1000, 10, 800_000, 0.01, 2000).violation()).isEmpty();
    }

    @Test
    void longOperationAtTheEndOfAShortBlockIsNotAViolation() {
        // 117 operations of 0.57 ms, and one of 13 ms that ends in the drain
        assertThat(new LittlesLaw(1, 0.08, 139, 0.00068, 0.013).violation()).isEmpty();
        assertThat(new LittlesLaw(1, 0.08, 139, 0.00068, 0).violation()).isPresent();
    }

    @Test
    void clientsThatWaitOutsideOperationsViolateIt() {
        assertThat(new LittlesLaw(1000, 10, 480_000, 0.01, 10).violation().orElseThrow())
                .contains("48%");
        assertThat(new LittlesLaw(1000, 10, 950_000, 0.01, 10).violation()).isEmpty();
        assertThat(new LittlesLaw(1000, 10, 950_000, 0.01, 10).shortWindow()).isEmpty();
    }
}
