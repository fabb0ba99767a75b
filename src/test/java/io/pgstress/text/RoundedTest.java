package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounding must not change what a number says. */
final class RoundedTest {
    @ParameterizedTest
    @CsvSource({
        "0.05, 1, 0.05",
        "0.1, 1, 0.1",
        "0, 2, 0.00",
        "1.3, 0, 1.3",
        "0.5, 0, 0.5",
        "4.6, 0, 5",
        "12.34, 1, 12.3",
        "0.0023, 3, 0.002",
        "1234.5, 0, '1,235'",
        "-0.004, 2, -0.004",
        "0.00000001, 1, 0.000000"
    })
    void keepsWhatTheNumberSays(double value, int decimals, String text) {
        assertThat(Rounded.decimal(value, decimals)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.999996, 1, 99.9996%", "1, 1, 100.0%", "0.00003, 2, 0.003%", "0.5, 0, 50%", "1.004, 0, 100%"})
    void onlyAllIsAHundredPercent(double share, int decimals, String text) {
        assertThat(Rounded.percent(share, decimals)).isEqualTo(text);
    }

    /** Percentages beyond some hundred tell nobody anything. */
    @ParameterizedTest
    @CsvSource({
        "1.032, +3.2%",
        "0.88, -12.0%",
        "10, +900.0%",
        "12.3, 12 times",
        "409.95, 410 times",
        "1e9, 'over 10,000 times'"
    })
    void largeRatiosAreNoPercentages(double ratio, String text) {
        assertThat(Rounded.change(ratio)).isEqualTo(text);
        assertThat(Rounded.change(ratio, "rows")).isEqualTo(text + (ratio > 10 ? " the rows" : " rows"));
    }

    @Test
    void formatsSentences() {
        assertThat(Rounded.format(
                        "%,d of %,d failed (%.2f%%), %s; %+.1f, %.1f of %.1f",
                        1, 60_000, 0.00167, "x", 0.04, 0.05, 0.05))
                .isEqualTo("1 of 60,000 failed (0.0017%), x; +0.04, 0.05 of 0.05");
        assertThat(Rounded.format("%.0f%% and %.0f%%", 99.98, 100.0)).isEqualTo("99.98% and 100%");
    }
}
