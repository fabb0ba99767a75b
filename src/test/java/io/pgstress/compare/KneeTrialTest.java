package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Slow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Slow
final class KneeTrialTest {
    private static final int TRIES = 400;
    private static final int MAX_ROUNDS = 60;
    private static final List<Integer> NUMBERS = List.of(1, 2, 4, 8, 16, 32, 64);

    private static KneeTrial trial(IntToDoubleFunction throughput) {
        Map<Integer, Double> climbed = new HashMap<>();
        NUMBERS.forEach(n -> climbed.put(n, throughput.applyAsDouble(n)));
        return new KneeTrial(climbed);
    }

    private static void rounds(KneeTrial trial, int rounds, IntToDoubleFunction throughput) {
        for (int i = 0; i < rounds && !trial.isDecided(); i++) {
            Map<Integer, Double> round = new HashMap<>();
            trial.next().forEach(n -> round.put(n, throughput.applyAsDouble(n)));
            trial.add(round);
        }
    }

    /** Doubles up to 8 clients, then stays constant. */
    private static double levelFrom8(int clients) {
        return 1000.0 * Math.min(clients, 8);
    }

    private static IntToDoubleFunction noisy(IntToDoubleFunction throughput, double spread, Random random) {
        return n -> throughput.applyAsDouble(n) * Math.exp(spread * random.nextGaussian());
    }

    @Test
    void climbAloneDecidesNothing() {
        KneeTrial trial = trial(KneeTrialTest::levelFrom8);

        assertThat(trial.isDecided()).isFalse();
        assertThat(trial.next()).containsExactly(4, 8, 16);
        assertThat(trial.from()).as("4 clients reach half of the best").isEqualTo(8);
        assertThat(trial.to()).isEqualTo(16);
        assertThat(trial.roundsToDecide()).isEmpty();
    }

    /** A server that runs 4 operations at once: the climb leaves 4 to 16 clients, even if no step was measured again. */
    @Test
    void climbExcludesWhatIsFarFromTheBest() {
        KneeTrial trial =
                new KneeTrial(Map.of(1, 48.2, 2, 96.3, 3, 142.7, 4, 189.7, 6, 193.0, 8, 194.7, 16, 193.0, 32, 150.0));

        assertThat(trial.isDecided()).isFalse();
        assertThat(trial.from()).isEqualTo(4);
        assertThat(trial.to()).isEqualTo(16);
    }

    @Test
    void separateIntervalsGiveAKnee() {
        Random random = new Random(1);
        KneeTrial trial = trial(KneeTrialTest::levelFrom8);
        rounds(trial, 12, noisy(KneeTrialTest::levelFrom8, 0.005, random));

        assertThat(trial.isDecided()).isTrue();
        assertThat(trial.from()).isEqualTo(8);
        assertThat(trial.isEnough(4)).isFalse();
    }

    @Test
    void overlappingIntervalsGiveTheNumberOfMissingRounds() {
        Random random = new Random(2);
        KneeTrial trial = trial(KneeTrialTest::levelFrom8);
        rounds(trial, 12, noisy(KneeTrialTest::levelFrom8, 0.25, random));

        assertThat(trial.isDecided()).isFalse();
        assertThat(trial.roundsToDecide().orElseThrow()).isGreaterThan(100);
    }

    @Test
    void driftFromRoundToRoundCancelsOut() {
        Random random = new Random(3);
        double[] level = {1};
        KneeTrial trial = trial(KneeTrialTest::levelFrom8);
        IntStream.range(0, 12).filter(i -> !trial.isDecided()).forEach(i -> {
            level[0] *= 0.8;
            rounds(trial, 1, noisy(n -> level[0] * levelFrom8(n), 0.005, random));
        });

        assertThat(trial.from()).isEqualTo(8);
        assertThat(trial.isDecided()).isTrue();
    }

    @Test
    void betterChallengerReplacesTheBest() {
        KneeTrial trial = trial(n -> n == 8 ? 9000 : Math.min(8000, 1000 * n)); // a lucky step
        Random random = new Random(4);
        rounds(trial, 40, noisy(n -> 1000.0 * Math.min(n, 16), 0.005, random));

        assertThat(trial.best()).isEqualTo(16);
        assertThat(trial.isEnough(8)).isFalse();
        assertThat(trial.from()).isEqualTo(16);
    }

    @Test
    void ignoresRoundsWithoutSuccess() {
        KneeTrial trial = trial(KneeTrialTest::levelFrom8);
        rounds(trial, 20, n -> 0);

        assertThat(trial.rounds(4)).isZero();
        assertThat(trial.isDecided()).isFalse();
    }

    /** If throughput does not depend on the number of clients, every number is enough. */
    @ParameterizedTest(name = "spread of a step {0}")
    @ValueSource(doubles = {0.005, 0.02, 0.1})
    void noiseHasAKneeAboveOneClientInAtMost5Percent(double spread) {
        assertThat(falseClaims(n -> 1000, spread)).isLessThan(0.05);
    }

    /** The worst case: some steps are just below 97%. */
    @ParameterizedTest(name = "spread of a step {1}, {0} of the best below the knee")
    @CsvSource({"0.9699, 0.005", "0.9699, 0.02", "0.9701, 0.005", "0.9701, 0.02", "0.95, 0.02", "0.99, 0.02"})
    void decisionsNearTheThresholdAreWrongInAtMost5Percent(double share, double spread) {
        assertThat(falseClaims(n -> n < 4 ? 500 * n : n < 8 ? share * 4000 : 4000, spread))
                .isLessThan(0.05);
    }

    /** The share of trials with a wrong decision. */
    private static double falseClaims(IntToDoubleFunction truth, double spread) {
        int wrong = 0;
        for (int seed = 0; seed < TRIES; seed++) {
            Random random = new Random(seed);
            IntToDoubleFunction measured = noisy(truth, spread, random);
            KneeTrial trial = trial(measured);
            rounds(trial, MAX_ROUNDS, measured);
            wrong += isWrong(trial, truth) ? 1 : 0;
        }
        return (double) wrong / TRIES;
    }

    private static boolean isWrong(KneeTrial trial, IntToDoubleFunction truth) {
        Map<Integer, Boolean> claims = new TreeMap<>();
        NUMBERS.stream()
                .filter(n -> n < trial.best() && trial.isEnough(n) != null)
                .forEach(n -> claims.put(n, trial.isEnough(n)));
        double best = truth.applyAsDouble(trial.best());
        return claims.entrySet().stream()
                .anyMatch(c -> c.getValue() != truth.applyAsDouble(c.getKey()) >= KneeTrial.NEAR * best);
    }
}
