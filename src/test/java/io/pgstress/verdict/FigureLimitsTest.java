package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.plan.FigureLimit;
import io.pgstress.report.Samples;
import io.pgstress.result.Latency;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.text.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits on the figures of a run: their syntax, and when they are broken. */
final class FigureLimitsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the sample: 4,000 ops/s, response p99 1,273 us, 15 errors, 2 misses, 1 duplicate of 40,024
                "p99>1.2ms | true | p99 was 1.27 ms",
                "p99>1300us | false | p99 was 1.27 ms",
                "p99 > 5 ms | false | p99 was 1.27 ms",
                "p999>1ms | true | p99.9 was 1.82 ms",
                "max>2s | false | max was 2.75 ms",
                "mean<1ms | true | mean was 0.45 ms",
                "ops<4000 | false | ops/s was 4,000",
                "ops/s<4,001 | true | ops/s was 4,000",
                "errors>0.1% | false | errors was 0.0375%",
                "errors>0 | true | errors were 15",
                "misses>2 | false | misses were 2",
                "duplicates<2 | true | duplicates were 1"
            })
    void checksLimitsAgainstTheOverallFigures(String text, boolean broken, String words) {
        RunResult checked = FigureLimits.checked(Samples.open(), List.of(FigureLimit.parse(text)));
        assertThat(checked.limits())
                .extracting(LimitCheck::limit, LimitCheck::broken, LimitCheck::words)
                .containsExactly(tuple(text.replace(" ", ""), broken, words));
    }

    @ParameterizedTest
    @CsvSource({
        "p99.9>5ms, 149, ', the longest of 298 operations'",
        "p99>5ms, 49, ', the longest of 98 operations'",
        "p99>5ms, 50, ''"
    })
    void percentileOfFewTimesIsSaidToBeTheLongest(String limit, long perOperation, String words) {
        LatencyHistogram times = new LatencyHistogram();
        for (int i = 0; i < perOperation; i++) {
            times.record(1_500_000);
        }
        String json = Json.writeLine(Samples.open())
                .replaceAll("\"response\":\\{[^}]*}", "\"response\":" + Json.writeLine(Latency.of(times)));
        RunResult few = Json.read(json, RunResult.class);

        String said = FigureLimits.checked(few, List.of(FigureLimit.parse(limit)))
                .limits()
                .get(0)
                .words();
        assertThat(said).endsWith(" ms" + words);
    }

    @Test
    void missingTimeBreaksItsLimit() {
        RunResult checked = FigureLimits.checked(Samples.nothing(), List.of(FigureLimit.parse("p99>5ms")));
        assertThat(checked.limits())
                .containsExactly(
                        new LimitCheck("p99>5ms", true, "p99 is unknown: no operation succeeded", 5000.0, null));
    }

    @Test
    void brokenLimitDoesNotAffectValidity() {
        RunResult checked = FigureLimits.checked(Samples.closed(), List.of(FigureLimit.parse("p99>1us")));
        assertThat(checked.usability()).isEqualTo(Verdict.VALID);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p98>5ms | unknown figure 'p98'; did you mean 'p9",
                "latency>5ms | unknown figure 'latency' (known: ops/s, mean, p50,",
                "p99>5 | needs a time with its unit, such as p99>5ms, was 'p99>5'",
                "p99>+5% | 'p99>+5%' is a change, which needs a baseline: see 'stress compare'",
                "p99 | must be a limit such as p99>5ms or ops/s<1000, was 'p99'",
                "p99>=5ms | must be a limit such as p99>5ms",
                "ops<many | needs a number, such as ops/s<1000",
                "ops<1e999 | needs a number, such as ops/s<1000"
            })
    void refusesAnInvalidLimitInOneLine(String text, String message) {
        assertThatThrownBy(() -> FigureLimit.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }
}
