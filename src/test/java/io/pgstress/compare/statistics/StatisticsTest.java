package io.pgstress.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class StatisticsTest {
    @Test
    void studentsIntervalMatchesTheTables() {
        Interval interval = new Sample(1, 2, 3, 4, 5).interval(0.95);

        assertThat(interval.value()).isEqualTo(3);
        assertThat(interval.high() - 3).isCloseTo(2.776 * Math.sqrt(2.5 / 5), offset(0.001));
        assertThat(new Sample(1, 2, 3, 4, 5).pValue()).isCloseTo(0.01324, offset(0.0001));
    }

    @Test
    void bootstrapHasItsNominalCoverage() {
        Random random = new Random(5);
        int covered = 0;
        for (int i = 0; i < 1000; i++) {
            double[] skewed = new double[20];
            for (int j = 0; j < skewed.length; j++) {
                skewed[j] = Math.exp(random.nextGaussian() / 2) - Math.exp(0.125);
            }
            Sample sample = new Sample(skewed);
            covered += sample.interval(0.95).excludes(0) ? 0 : 1;
            assertThat(sample.interval(1 - sample.pValue() * 1.1 - 0.002).excludes(0) || sample.pValue() > 0.8)
                    .as("p and interval say the same")
                    .isTrue();
        }
        assertThat(covered).isBetween(925, 975);
    }

    @Test
    void commonDeviationOfAGroupWidensTheInterval() {
        double[] values = new double[60];
        int[] group = new int[60];
        Random random = new Random(8);
        int missed = 0;
        int missedAlone = 0;
        for (int t = 0; t < 1000; t++) {
            for (int i = 0; i < 60; i += 2) {
                double common = random.nextGaussian();
                values[i] = common + random.nextGaussian() / 2;
                values[i + 1] = common + random.nextGaussian() / 2;
                group[i] = i / 2;
                group[i + 1] = i / 2;
            }
            missed += Sample.inGroups(values, group).interval(0.95).excludes(0) ? 1 : 0;
            missedAlone += new Sample(values).student(0.95).excludes(0) ? 1 : 0;
        }
        assertThat(missed).isBetween(30, 65);
        assertThat(missedAlone).isGreaterThan(120);
    }

    @Test
    void outlierDoesNotShiftTheInterval() {
        double[] values = new double[40];
        values[7] = -50;
        for (int i = 0; i < 40; i++) {
            values[i] += i % 2 == 0 ? 1 : -1;
        }
        Interval interval = new Sample(values).interval(0.95);
        assertThat(interval.high() - interval.value()).isCloseTo(interval.value() - interval.low(), offset(1e-12));
    }

    @Test
    void holmRelaxesOnlyAfterRejections() {
        assertThat(Holm.confidences(new double[] {0.2, 0.001, 0.02}, 0.95))
                .containsExactly(new double[] {0.95, 1 - 0.05 / 3, 0.975}, offset(1e-9));
        assertThat(Holm.confidences(new double[] {0.2, 0.03, 0.04}, 0.95))
                .containsExactly(new double[] {1 - 0.05 / 3, 1 - 0.05 / 3, 1 - 0.05 / 3}, offset(1e-9));
        assertThat(Holm.confidences(new double[] {0.4}, 0.95)).containsExactly(0.95);
    }

    @Test
    void powerMatchesTheTextbooks() {
        assertThat(Power.pairsToFind(0.03, 0.05, 0.95)).isBetween(23, 25);
        assertThat(Power.pairsToFind(0.03, 0.10, 0.95)).isBetween(88, 91);
        assertThat(Power.pairsToFind(0.03, 0.20, 0.95)).isBetween(349, 353);
        assertThat(Power.detectable(Power.pairsToFind(0.03, 0.1, 0.95), 0.1, 0.95))
                .isCloseTo(0.03, offset(0.0003));
        assertThat(Power.upperDeviation(new Sample(1, 2, 3, 4, 5, 6, 7, 8)))
                .isGreaterThan(new Sample(1, 2, 3, 4, 5, 6, 7, 8).deviation() * 1.2);
    }

    @Test
    void findsASlopeWithItsInterval() {
        Random random = new Random(6);
        int covered = 0;
        for (int t = 0; t < 1000; t++) {
            double[] rising = new double[30];
            for (int i = 0; i < rising.length; i++) {
                rising[i] = 7 + 0.01 * i + 0.02 * random.nextGaussian();
            }
            assertThat(Line.slope(rising, 0.95).excludes(0)).isTrue();
            covered += Line.slope(rising, 0.95).excludes(0.01) ? 0 : 1;
        }
        assertThat(covered).isBetween(930, 970);
    }

    @Test
    void comparesUnpairedMeansByWelchsTest() {
        Sample a = new Sample(27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4);
        Sample b = new Sample(27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4);

        assertThat(new Welch(a, b).pValue()).isCloseTo(0.008072, offset(0.000001));
        assertThat(new Welch(a, b).interval(0.95).excludes(0)).isTrue();
    }

    /** Two clusters met three: the variances of both sides add up, each with its own degrees of freedom. */
    @Test
    void sidesMayHaveDifferentNumbersOfClusters() {
        double[] values = {0.1, 0.2, 0.3, 0.2, 0.4, 0.9};
        int[] two = {0, 0, 0, 1, 1, 1};
        int[] three = {0, 1, 2, 0, 1, 2};

        assertThat(new ClusterMeans(values, two, three).pValue()).isCloseTo(0.199637, offset(0.000001));
        assertThat(new ClusterMeans(values, three, two).pValue()).isCloseTo(0.199637, offset(0.000001));
    }

    /** Whose numbers happen to have the same sums. */
    @Test
    void clustersThatMeetInFixedPairsAreOneUnit() {
        double[] values = {0.1, 0.2, 0.3, 0.2, 0.4, 0.9};
        int[] own = {0, 0, 0, 1, 1, 1};
        int[] other = {1, 1, 1, 0, 0, 0};

        assertThat(new ClusterMeans(values, own, other).pValue()).isCloseTo(0.257762, offset(0.000001));
    }

    /** The degrees of freedom are mainly those of the sample with the larger error, whichever it is. */
    @Test
    void unpairedSamplesMayHaveDifferentSizes() {
        Sample few = new Sample(17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8);
        Sample many = new Sample(
                21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5,
                23.5, 21.5, 21.8);

        assertThat(new Welch(few, many).pValue()).isCloseTo(0.148842, offset(0.000001));
        assertThat(new Welch(many, few).pValue()).isCloseTo(0.148842, offset(0.000001));
    }
}
