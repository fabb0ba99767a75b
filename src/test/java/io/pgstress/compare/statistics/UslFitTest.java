package io.pgstress.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.pgstress.compare.statistics.UslFit.Coefficients;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class UslFitTest {
    private static final double[] CLIENTS = {1, 2, 4, 8, 12, 16, 24, 32, 64, 128};

    private static double[] law(double lambda, double sigma, double kappa, double noise, long seed) {
        Random random = new Random(seed);
        double[] throughput = new double[CLIENTS.length];
        for (int i = 0; i < CLIENTS.length; i++) {
            double n = CLIENTS[i];
            throughput[i] =
                    lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)) * Math.exp(noise * random.nextGaussian());
        }
        return throughput;
    }

    @Test
    void findsTheParametersOfTheLaw() {
        Coefficients c = UslFit.of(CLIENTS, law(1000, 0.05, 0.001, 0, 1), 0.95).orElseThrow();

        assertThat(c.lambda().value()).isCloseTo(1000, offset(0.01));
        assertThat(c.sigma().value()).isCloseTo(0.05, offset(1e-5));
        assertThat(c.kappa().value()).isCloseTo(0.001, offset(1e-7));
    }

    @Test
    void intervalsHaveTheirNominalCoverage() {
        int held = 0;
        for (int seed = 0; seed < 400; seed++) {
            Coefficients c =
                    UslFit.of(CLIENTS, law(1000, 0.05, 0.001, 0.03, seed), 0.95).orElseThrow();
            held += c.sigma().excludes(0.05) ? 0 : 1;
        }
        assertThat(held).isBetween(366, 394);
    }

    @Test
    void perfectScalingHasNoContention() {
        Coefficients c = UslFit.of(CLIENTS, law(500, 0, 0, 0.01, 3), 0.95).orElseThrow();

        assertThat(c.sigma().low()).isZero();
        assertThat(c.sigma().value()).isLessThan(0.005);
    }

    /** Throughput of a server on which a single client is best: without limits, contention would be 2.1. */
    @Test
    void contentionIsAtMostOneIfMoreClientsAchieveLess() {
        double[] falling =
                Arrays.stream(CLIENTS).map(n -> 5000 / (1 + 2.1 * (n - 1)) * n).toArray();

        Coefficients c = UslFit.of(CLIENTS, falling, 0.95).orElseThrow();

        assertThat(c.sigma().value()).isEqualTo(1);
        assertThat(c.sigma().high()).isEqualTo(1);
        assertThat(c.kappa().value()).isNotNegative();
    }

    @Test
    void coefficientsAndIntervalsStayWithinTheirLimits() {
        Random random = new Random(9);
        for (int i = 0; i < 300; i++) {
            double[] noise = Arrays.stream(CLIENTS)
                    .map(n -> 1000 * Math.exp(0.5 * random.nextGaussian()))
                    .toArray();
            UslFit.of(CLIENTS, noise, 0.95).ifPresent(c -> {
                assertThat(c.sigma().value()).isBetween(0.0, 1.0);
                assertThat(c.sigma().isWithin(0, 1)).isTrue();
                assertThat(c.kappa().low()).isNotNegative();
                assertThat(c.kappa().value()).isNotNegative();
            });
        }
    }

    @Test
    void stepsWithoutSuccessGiveNoCurve() {
        assertThat(UslFit.of(new double[] {1, 2, 4, 8}, new double[] {1, 2, 3, 0}, 0.95))
                .isEmpty();
    }

    @Test
    void threeStepsGiveNoCurve() {
        assertThat(UslFit.of(new double[] {1, 2, 4}, new double[] {1, 2, 3}, 0.95))
                .isEmpty();
    }
}
