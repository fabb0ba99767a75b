package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.report.Samples;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.verdict.LoadChecks.SteadyState.MeanRate;
import io.pgstress.verdict.LoadChecks.SteadyState.Trend;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How throughput changed over a measurement. */
final class TrendTest {
    @Test
    void trendIsTheChangeFromTheFirstToTheLastThird() {
        assertThat(Trend.of(31_000, 45_100, 52_300, 58_000, 59_000, 60_000, 60_300, 59_900, 60_200))
                .isCloseTo((60_300 + 59_900 + 60_200) / (31_000 + 45_100 + 52_300.0) - 1, within(1e-12));
        assertThat(Trend.of(9, 9, 9, 8, 8, 8, 6, 6, 6)).isCloseTo(-1 / 3.0, within(1e-12));
    }

    /** A table that loses its index, or a server that gets slower, also within a few seconds. */
    @ParameterizedTest
    @CsvSource({
        "71073 52148 1852 1878 1885 1774, NOT_STEADY",
        "912 912 596 473 476 465, NOT_STEADY",
        "100 110 150 180 190 200, NOT_STEADY",
        "100 110 120 130 130 140, ",
        "100 60 80 80 120 110, ",
        "300 200 100, UNSTEADY",
        "40000 30000 9000, NOT_STEADY",
        "8000 20000 40000, NOT_STEADY",
        "40000 1000 900 1100 1000, NOT_STEADY",
        "40 20 5, UNSTEADY",
        "39081 3397 1100 1090 1110 1100 1090 1110 1100 1090 1110 1100 1090 1110, NOT_STEADY",
        "30 100 110 105 100 110 105 100 110 105 100 110, ",
        "100 90 80 70 60, ",
        "919 926 925 935 267 98 98 98 736 939 930 945, NOT_STEADY",
        "100 101 102 130 131 132 101 99 100, NOT_STEADY",
        "100 101 102 115 116 117 101 99 100, UNSTEADY",
        "100 101 102 107 108 107 101 99 100, ",
        "100 101 102 130 80 132 101 99 100, ",
        "100 20, ",
        // speeds that alternate, and fall by 44%, by 12% and not at all
        "435 442 201 136 354 447 230 135 246 312 189 118 235 312 190 119 188 232 150 96 172 236 159 96, NOT_STEADY",
        "600 610 200 210 605 590 205 195 570 580 190 200 575 560 195 185 530 540 175 185 530 520 180 170, ",
        "600 610 200 210 605 590 205 195 600 610 200 210 605 590 205 195 600 610 200 210 605 590 205 195, ",
        "600 200 610 205 590 195 600 210 605 200, ",
        // large noise, with a fall and without
        "100 140 60 120 90 130 80 110 120 70 90 60 80 100 50 60 80 40 70 30 60 50 80 45, NOT_STEADY",
        "100 140 60 120 90 130 80 110 120 70 90 130 80 100 140 60 120 90 130 80 100 60 110 100, "
    })
    void largeChangesInFewIntervalsAreATrend(String rates, RemarkCode expected) {
        List<RemarkCode> found = codes(rates).stream()
                .filter(code -> code == RemarkCode.NOT_STEADY || code == RemarkCode.UNSTEADY)
                .toList();
        assertThat(found).isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    /** Two slow periods of two seconds in twelve; speeds that take turns have an exact mean. */
    @ParameterizedTest
    @CsvSource({
        "888 895 877 184 114 817 868 178 114 817 900 908, true",
        "600 200 610 205 590 195 600 210 605 200, false",
        "900 880 910 890 905 450 900 885 915 895, false",
        "100 140 60 120 90 130 80 110 120 70 90 60, false"
    })
    void meanOfAVaryingRateIsUncertain(String rates, boolean isTold) {
        assertThat(codes(rates).contains(RemarkCode.RATE_VARIES)).isEqualTo(isTold);
    }

    /** Of few independent values, the spread is unknown too: 2.43 for 7 values, instead of 1.96. */
    @Test
    void uncertaintyOfAMeanIsThatOfStudentsDistribution() {
        MeanRate mean = MeanRate.of(888, 895, 877, 184, 114, 817, 868, 178, 114, 817, 900, 908);

        assertThat(mean.effective()).isCloseTo(7.16, within(0.01));
        assertThat(mean.uncertainty() / mean.error()).isCloseTo(2.43, within(0.01));
        assertThat(MeanRate.student(2)).isCloseTo(4.303, within(0.15));
        assertThat(MeanRate.student(5)).isCloseTo(2.571, within(0.01));
        assertThat(MeanRate.student(30)).isCloseTo(2.042, within(0.001));
    }

    /** A change that would refute a steady state if there were more intervals. */
    @ParameterizedTest
    @CsvSource({
        "15609 20866 27176 24305 23985, true",
        "100 90 80 70 60, true",
        "100 95 90 95 100, false",
        "100 110 105 100 115, false",
        "300 200 100, false",
        "100 110 120 130 130 140, true",
        "100 110 120 110 110 100, false",
        "100 101 102 130 80 132 101 99 100, false",
    })
    void changeThatFewIntervalsDoNotTellFromChanceIsNamed(String rates, boolean isTold) {
        assertThat(codes(rates).contains(RemarkCode.FEW_INTERVALS)).isEqualTo(isTold);
    }

    /** Enough intervals, but not for what is left of them. */
    @Test
    void intervalsInOutagesAreNotAmongThoseThatAreTooFew() {
        RunResult run = RunSample.run(Map.of("warmup", "1"), 100, 110, 120, 110, 0, 0, 0, 0, 120, 130, 130, 140);
        RunResult judged = Judge.judged(Samples.with(run, "outages", List.of(new Outage(4, 8, null))));

        assertThat(judged.warnings())
                .filteredOn(remark -> remark.code() == RemarkCode.FEW_INTERVALS)
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures())
                        .containsEntry("intervals", 8)
                        .containsEntry("measured", 12));
    }

    /** The remarks on a run with these rates. */
    private static List<RemarkCode> codes(String rates) {
        double[] each =
                Stream.of(rates.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
        return Judge.judged(RunSample.run(Map.of("warmup", "1"), each)).remarks().stream()
                .map(Remark::code)
                .toList();
    }

    @Test
    void noiseIsNotATrend() {
        assertThat(Trend.of(100, 60, 100, 80, 80, 80, 120, 100, 90)).isZero();
        assertThat(Trend.of(100, 60, 80, 80, 90, 100)).isZero();
        assertThat(Trend.of(1, 2)).isZero();
        assertThat(Trend.of()).isZero();
    }
}
