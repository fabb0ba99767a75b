package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.compare.Comparer.CompareListener;
import io.pgstress.compare.Comparer.Ended;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.report.Samples;
import io.pgstress.result.Comparison;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.text.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.Condition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Comparisons of artificial blocks. */
@Slow
final class ComparerTest {
    private static final Variant A = new Variant("a", Runs.spec(""));
    private static final Variant B = new Variant("b", Runs.spec("-M plain"));

    private static Comparison compare(
            List<Variant> variants,
            double until,
            List<Limit> limits,
            @Nullable EarlierResult earlier,
            Function<Variant, RunResult> block) {
        Workload workload = new Workload("", variants);
        Effort effort = new Effort(until > 0 ? 200 : 8, until, Duration.ofHours(100), 0, 0, 1);
        Scenario scenario = new Scenario("", "", List.of(workload), "a", Hooks.NONE, effort, limits);
        Comparer comparer = new Comparer(
                scenario,
                workload,
                (variant, cluster) -> block.apply(variant),
                new CompareListener() {},
                earlier,
                System::nanoTime);
        Ended ended = comparer.run(ComparisonState.none("key"));
        assertThat(ended.failure()).isNull();
        return comparer.comparison(ended, List.of());
    }

    private static long noisy(Random random) {
        return 10_000 + (long) (200 * random.nextGaussian());
    }

    @Test
    void blockWithoutOperationsDoesNotPreventTheEnd() {
        Random random = new Random(1);
        int[] blocks = {0};

        Comparison found = compare(
                List.of(A, B), 0.02, List.of(), null, v -> SampleBlocks.block(blocks[0]++ == 6 ? 0 : noisy(random)));

        assertThat(found.blocks().size()).isLessThan(100);
        assertThat(found.effects().get(0).rounds()).isEqualTo(found.blocks().size() / 2 - 1);
    }

    /** Clients in step complete 49 and 46 operations in blocks of a second, in all rounds alike. Their times differ by 5%. */
    @Test
    void wholeOperationsOfClientsInStepAreNoBias() {
        Random random = new Random(1);
        Comparison found = compare(
                List.of(A, B),
                0,
                List.of(),
                null,
                v -> SampleBlocks.block(
                        v.equals(A) ? 49 : 46, (v.equals(A) ? 20_000 : 21_000) + 20 * random.nextGaussian(), Map.of()));

        Comparison.Effect effect = found.effects().get(0);
        assertThat(20_000 / 21_000.0).isBetween(effect.low(), effect.high());
        assertThat(effect.high()).isLessThan(0.96);
    }

    /** The machine's speed changes now and then: no variant gains by that. */
    @Test
    void blocksThatRiseAndFallByTurnsAreNoise() {
        int[] blocks = {0};
        Comparison found = compare(List.of(A, B), 0, List.of(), null, v -> changing(blocks[0]++ % 4 < 2 ? 1.5 : 0.6));

        assertThat(found.valid()).isTrue();
        assertThat(found.warnings()).extracting(Remark::code).containsExactly(RemarkCode.UNSTEADY);
    }

    /** As while something still warms up: the rate of b depends on how long its blocks last. */
    @Test
    void blocksOfAVariantThatChangeAlikeMakeTheComparisonInvalid() {
        Random random = new Random(1);
        Comparison found = compare(
                List.of(A, B),
                0,
                List.of(),
                null,
                v -> changing((v.equals(B) ? 1.4 : 1) * (1 + 0.2 * random.nextDouble())));

        assertThat(found.valid()).isFalse();
        assertThat(found.reasons()).extracting(Remark::code).containsExactly(RemarkCode.VARIANT_NOT_STEADY);
        assertThat(found.reasons().get(0).figures())
                .containsEntry("variant", "b")
                .containsEntry("blocks", 8);
    }

    @Test
    void acceptedReasonOfTheWholeIsAWarning() {
        Comparison found = compare(List.of(A, B), 0, List.of(), null, v -> {
            RunResult block = changing(1.5);
            RunInfo run = Records.with(
                    block.run(),
                    "workload",
                    Records.with(block.run().workload(), "accepted", List.of(RemarkCode.VARIANT_NOT_STEADY)));
            return Records.with(block, "header", block.header().with(run));
        });

        assertThat(found.valid()).isTrue();
        assertThat(found.warnings()).extracting(Remark::code).contains(RemarkCode.VARIANT_NOT_STEADY);
    }

    /** Steps of a target rate are asked for. */
    @Test
    void blocksWithATargetRateAreNotJudgedByIt() {
        Comparison found = compare(List.of(A, B), 0, List.of(), null, v -> {
            RunResult block = changing(4);
            RunInfo run = Records.with(
                    block.run(), "workload", Records.with(block.run().workload(), "rates", List.of(100.0, 400.0)));
            return Records.with(block, "header", block.header().with(run)).withRemarks(List.of(), List.of());
        });

        assertThat(found.valid()).isTrue();
    }

    /** A block that is this many times faster in its last third than in its first. */
    private static RunResult changing(double ratio) {
        RunResult block = SampleBlocks.block(
                1_000,
                10,
                Map.of(),
                SampleBlocks.interval(0, 100),
                SampleBlocks.interval(1, 100),
                SampleBlocks.interval(2, Math.round(100 * ratio)));
        Remark notSteady = RemarkCode.NOT_STEADY
                .with("first", 100.0)
                .with("last", 100 * ratio)
                .remark();
        return block.withRemarks(Math.abs(ratio - 1) > 0.2 ? List.of(notSteady) : List.of(), List.of());
    }

    private static final List<Variant> OPEN =
            List.of(new Variant("a", Runs.spec("-R 1500")), new Variant("b", Runs.spec("-R 1500 -M plain")));

    /** Two variants with the same target rate, whose response times differ. */
    private static Comparison compareAtARate() {
        Random random = new Random(1);
        return compare(OPEN, 0, List.of(), null, v -> atARate(v, random));
    }

    private static RunResult atARate(Variant variant, Random random) {
        boolean isFirst = variant.name().equals("a");
        return SampleBlocks.block(
                isFirst ? 1500 : 1499, (isFirst ? 2_000 : 2_900) + 20 * random.nextGaussian(), Map.of());
    }

    /** The rate of an open loop is that which was asked for, so that it shows no difference, or a tiny one. */
    @Test
    void responseTimesDecideIfTheRateIsGiven() {
        Comparison found = compareAtARate();

        assertThat(found.primary()).isEqualTo("mean");
        assertThat(found.effects().get(0)).satisfies(effect -> {
            assertThat(effect.metric()).isEqualTo("mean");
            assertThat(effect.verdict()).isEqualTo("slower");
        });
        assertThat(found.verdict().get(0))
                .startsWith("b is slower than a: +45.")
                .contains("% mean response time (");
    }

    /** The rates do not vary at all, so that two rounds would seem to be enough. */
    @Test
    void theForecastOfOpenLoopsIsOfTheTimesThatDecide() {
        Comparison found = compareAtARate();
        Effort effort = new Effort(8, 0, Duration.ofHours(1), 0, 0, 1);

        for (List<Variant> variants : List.of(OPEN, List.of(A, B))) {
            Scenario scenario =
                    new Scenario("", "", List.of(new Workload("", variants)), "a", Hooks.NONE, effort, List.of());
            assertThat(Forecast.spreads(scenario, found))
                    .hasValueSatisfying(new Condition<>(spread -> spread > 0.005, "above 0.5%"));
        }
        Scenario open = new Scenario("", "", List.of(new Workload("", OPEN)), "a", Hooks.NONE, effort, List.of());
        assertThat(Forecast.lines(open, Map.of(), Map.of()))
                .anyMatch(line -> line.contains("mean response time decides"));
    }

    @Test
    void anEarlierComparisonOfOpenLoopsIsComparedByItsTimes() {
        Random random = new Random(2);
        EarlierResult earlier = EarlierResult.of(compareAtARate(), "earlier", 1);

        Comparison found = compare(OPEN.subList(1, 2), 0, List.of(), earlier, v -> atARate(v, random));

        assertThat(found.primary()).isEqualTo("mean");
        assertThat(found.effects().get(0).ratio()).isCloseTo(1.45, within(0.02));
    }

    @Test
    void invalidBlocksMakeTheComparisonInvalidWithTheReason() {
        int[] blocks = {0};
        Comparison found = compare(
                List.of(A, B),
                0,
                List.of(),
                null,
                v -> SampleBlocks.block(10_000)
                        .withRemarks(
                                blocks[0]++ == 6 ? Samples.reasons("the ids were used up") : List.of(),
                                Samples.warnings("w")));

        assertThat(found.valid()).isFalse();
        assertThat(found.reasons())
                .extracting(reason -> reason.figures().get("count"))
                .containsExactly(1);
        assertThat(found.warnings()).isEqualTo(Samples.warnings("w"));
    }

    private static Comparison noisy(List<Remark> reasons) {
        Random random = new Random(1);
        return compare(
                List.of(A, B),
                0,
                List.of(),
                null,
                v -> SampleBlocks.block(Math.max(100, (int) (10_000 * (1 + 0.3 * random.nextGaussian()))))
                        .withRemarks(reasons, List.of()));
    }

    @Test
    void moreRoundsOfAnInvalidComparisonDecideNothing() {
        assertThat(noisy(List.of()).effects().get(0).secondsToDecide()).isNotNull();
        assertThat(noisy(Samples.reasons("errors")).effects())
                .allSatisfy(effect -> assertThat(effect.secondsToDecide()).isNull());
    }

    @Test
    void doesNotCompareIfTheClientHadNoCpuLeft() {
        Comparison found =
                compare(List.of(A, B), 0, List.of(), null, v -> cores(v.name().equals("a") ? 1.39 : 1.41));

        assertThat(found.valid()).isFalse();
        assertThat(found.reasons())
                .containsExactly(RemarkCode.VARIANT_CLIENT_CPU
                        .with("variant", "b")
                        .with("cores", 1.41)
                        .with("cpus", 2.0)
                        .remark());
        assertThat(compare(List.of(A, B), 0, List.of(), null, v -> cores(1.39)).valid())
                .isTrue();
    }

    private static RunResult cores(double used) {
        RunResult block = SampleBlocks.block(10_000);
        return Samples.with(block, "client", Records.with(block.client(), "cpuCoresUsed", used));
    }

    @Test
    void warnsOfServersThatDifferInWhatACommitCosts() {
        String server = "jdbc:postgresql://%s:5432/db";
        Function<Variant, RunResult> block = v -> servers(Map.of(
                server.formatted(v.name()),
                Map.of(
                        "synchronous_commit",
                        v.name().equals("a") ? "on" : "off",
                        "fsync",
                        "on",
                        "work_mem",
                        v.name())));

        assertThat(compare(List.of(A, B), 0, List.of(), null, block).warnings())
                .containsExactly(RemarkCode.SERVERS_DIFFER
                        .with("setting", "synchronous_commit")
                        .with("values", "on (a:5432), off (b:5432)")
                        .remark());
        Variant requested = new Variant("b", Runs.spec("--set synchronous_commit=off"));
        assertThat(compare(List.of(A, requested), 0, List.of(), null, block).warnings())
                .as("on purpose")
                .isEmpty();
    }

    private static RunResult servers(Map<String, Map<String, String>> settings) {
        List<Map<String, Object>> servers = new ArrayList<>();
        settings.forEach((url, values) -> servers.add(Map.of("url", url, "role", "coordinator", "settings", values)));
        return Samples.with(
                Samples.with(SampleBlocks.block(10_000), "servers", servers), "serverProfile", ServerProfile.NONE);
    }

    @Test
    void comparisonWithAnEarlierResultEndsByItsOwnWidth() {
        Random random = new Random(1);
        IntervalResult[] then = IntStream.range(0, 40)
                .mapToObj(i -> SampleBlocks.interval(i, noisy(random)))
                .toArray(IntervalResult[]::new);
        EarlierResult earlier = EarlierResult.of(SampleBlocks.block(10_000, 10, Map.of(), then), "earlier", 1);

        Comparison found = compare(List.of(A), 0.02, List.of(), earlier, v -> SampleBlocks.block(noisy(random)));

        assertThat(found.blocks().size()).isLessThan(100);
        assertThat(found.effects().get(0).verdict()).isEqualTo("undecided");
    }

    @Test
    void variantWithoutSuccessIsNamedAndBreaksARateLimit() {
        Comparison found = compare(
                List.of(A, B),
                0,
                List.of(Limit.parse("ops<-3%"), Limit.parse("p99>+5%")),
                null,
                v -> SampleBlocks.block(v.name().equals("a") ? 10_000 : 0));

        assertThat(found.verdict())
                .singleElement()
                .satisfies(w -> assertThat(w).startsWith("b cannot be compared with a"));
        assertThat(found.limits()).extracting(Comparison.LimitCheck::broken).containsExactly(true, false);
        assertThat(found.warnings()).anyMatch(w -> w.code() == RemarkCode.LIMIT_NOT_CHECKED);
    }

    @Test
    void comparesLongOperationsByTheirMeanTime() {
        Comparison found = compare(
                List.of(A, B),
                0,
                List.of(),
                null,
                v -> SampleBlocks.block(4, v.name().equals("a") ? 260_000 : 301_600, Map.of()));

        assertThat(found.effects().get(0).ratio()).isCloseTo(1 / 1.16, within(0.001));
        assertThat(found.effects().get(0).verdict()).isEqualTo("slower");
        assertThat(found.warnings()).anyMatch(w -> w.code() == RemarkCode.FEW_OPERATIONS_PER_BLOCK);
    }

    @Test
    void startsWithItsFirstRoundAndOmitsVaryingOptions() {
        int[] blocks = {0};

        Comparison found = compare(
                List.of(A, B),
                0,
                List.of(),
                null,
                v -> startedAt(SampleBlocks.block(10_000), "2026-01-01T00:00:%02dZ".formatted(blocks[0]++)));

        assertThat(found.run().startedAt()).isBetween("2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z");
        assertThat(found.run().scenario()).doesNotContainKey("statement").containsKey("clients");
    }

    private static RunResult startedAt(RunResult block, String start) {
        return block.with(block.header().with(block.run().startedAt(start)));
    }
}
