package io.pgstress.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.MoreSamples;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.text.Records;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A comparison as text. */
final class ComparisonTextTest {
    /** Those that are not exceeded were kept, were not checked, or are undecided. */
    @Test
    void limitIsNotCalledKeptIfItIsUnknown() {
        Comparison comparison = Records.with(
                MoreSamples.comparison(),
                "limits",
                List.of(
                        new LimitCheck("p99>+60%", "plain", false, false, "unknown: too few operations or rounds"),
                        new LimitCheck(
                                "ops<-5%", "plain", true, false, "-9.8%: beyond the limit, but not with confidence")));

        String text = TextReport.of(comparison).result().toString();

        assertThat(text)
                .contains("p99>+60%, plain: unknown", "ops<-5%, plain: -9.8%")
                .doesNotContain("kept");
    }
}
