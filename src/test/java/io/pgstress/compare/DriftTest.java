package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Comparison.Drift;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said about the change of the variants over the rounds of a comparison, for changes that are planted. */
final class DriftTest {
    private static final int ROUNDS = 12;
    /** How the speed changes over the time of the comparison, from 0 to 1. */
    private enum Change {
        NONE,
        /** Throughput rises by a fifth over the comparison. */
        LINE,
        /** Throughput falls by 15% in the middle of the comparison, within a round. */
        STEP;

        double speed(double time) {
            return switch (this) {
                case NONE -> 1;
                case LINE -> 1 + 0.2 * time;
                case STEP -> time < 0.55 ? 1 : 0.85;
            };
        }
    }

    @Test
    void commonDriftIsToldWithTheChangeBetweenBothEnds() {
        Drift line = drift(Change.LINE, Change.LINE, true);
        Drift step = drift(Change.STEP, Change.STEP, true);

        assertThat(line.alike()).isTrue();
        assertThat(line.low()).isGreaterThan(1);
        assertThat(line.changes())
                .hasSize(2)
                .allSatisfy((variant, ratio) -> assertThat(ratio).isCloseTo(1.13, within(0.02)));
        assertThat(step.alike()).isTrue();
        assertThat(step.high()).isLessThan(1);
        assertThat(Math.pow(step.ratioPerRound(), ROUNDS - 1.0)).isLessThan(0.82); // what a line makes of the step
        assertThat(step.changes())
                .hasSize(2)
                .allSatisfy((variant, ratio) -> assertThat(ratio).isCloseTo(0.85, within(0.02)));
    }

    /** Only one of the two changes: neither do all variants, nor do their ratios stay the same. */
    @Test
    void driftOfOneVariantIsNotToldAsOneOfAll() {
        for (Change change : List.of(Change.LINE, Change.STEP)) {
            Drift own = drift(Change.NONE, change, true);

            assertThat(own.alike()).isFalse();
            assertThat(own.changes().get("a")).isCloseTo(1, within(0.02));
            assertThat(own.changes().get("b")).isCloseTo(change == Change.LINE ? 1.13 : 0.85, within(0.02));
            assertThat(own.words()).isNotEqualTo(drift(change, change, true).words());
        }
    }

    @Test
    void ratioToAnEarlierResultIsSaidToDependOnTheDrift() {
        assertThat(drift(Change.LINE, Change.LINE, false).words())
                .isNotEqualTo(drift(Change.LINE, Change.LINE, true).words());
    }

    /** Without any change, drift is told in 5% of comparisons, and one of a variant in 5%. */
    @Test
    void withoutDriftItIsSeldomTold() {
        List<Drift> drifts = IntStream.range(0, 1_000)
                .mapToObj(seed -> drift(Change.NONE, Change.NONE, true, seed))
                .toList();

        assertThat(drifts.stream().filter(d -> d.low() > 1 || d.high() < 1).count())
                .isBetween(30L, 70L);
        assertThat(drifts.stream().filter(d -> Boolean.FALSE.equals(d.alike())).count())
                .isBetween(30L, 70L);
    }

    /** A common change of 15% to 20%, even within a round, moves the mean ratio by at most that change divided by the number of rounds. */
    @Test
    void commonDriftHardlyMovesTheRatio() {
        for (Change change : List.of(Change.LINE, Change.STEP)) {
            for (int seed = 0; seed < 50; seed++) {
                double ratio = new BlockPairs(blocks(change, change, 0, seed), "a")
                        .logRatio("b", Metrics.PRIMARY)
                        .orElseThrow()
                        .student(0.95)
                        .value();
                assertThat(ratio).isCloseTo(0, within(-Math.log(0.84) / ROUNDS));
            }
        }
    }

    private static Drift drift(Change a, Change b, boolean isPaired) {
        return drift(a, b, isPaired, 7);
    }

    private static Drift drift(Change a, Change b, boolean isPaired, int seed) {
        return Objects.requireNonNull(
                VerdictText.drift(new BlockPairs(blocks(a, b, 0.01, seed), "a").levels(), isPaired));
    }

    /** Two variants in the order of a comparison, whose speeds depend on the time from 0 to 1; a block has that of its middle. */
    private static List<MeasuredBlock> blocks(Change a, Change b, double noise, int seed) {
        Map<Integer, Change> speeds = new LinkedHashMap<>(Map.of(0, a, 1, b));
        Random random = new Random(seed * 31L + 1);
        BlockOrder order = new BlockOrder(2, seed);
        List<MeasuredBlock> blocks = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int variant : order.round(round)) {
                double time = (blocks.size() + 0.5) / (2.0 * ROUNDS);
                double rate = 1_000 * speeds.get(variant).speed(time) * Math.exp(noise * random.nextGaussian());
                blocks.add(new MeasuredBlock(
                        round, variant == 0 ? "a" : "b", 0, blocks.size(), 1, 0, Map.of(Metrics.PRIMARY, rate), null));
            }
        }
        return blocks;
    }
}
