package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo.PhaseLength;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Warmup.WarmupJudge;
import io.pgstress.testing.Runs;
import io.pgstress.testing.RunsAlone;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a warm-up may end, and whether a steady state follows. */
@Slow
final class WarmupTest {
    /** Throughput while the JIT compiler was at work on two saturated cores, one interval per second. */
    private static final double[] COMPILING = {
        31_000, 45_100, 52_300, 55_900, 58_200, 59_400, 60_100, 60_300, 59_900, 60_200
    };

    @Test
    void warmupContinuesWhileThroughputRises() {
        WarmupJudge judge = new WarmupJudge();
        int ended = 0;
        while (!judge.isLevelAfter(COMPILING[ended], 1)) {
            ended++;
        }
        assertThat(ended).isBetween(7, 9);
    }

    @Test
    void fewOperationsAreSteadyIfTheyDifferByChance() {
        WarmupJudge judge = new WarmupJudge();
        boolean level = false;
        for (double operations : new double[] {5, 3, 6, 4, 7, 5}) {
            assertThat(level).isFalse();
            level = judge.isLevelAfter(operations, 1);
        }
        assertThat(level).isTrue();
    }

    @Test
    void judgesALongerSpanByItsRate() {
        assertThat(levelAfter(new double[] {60_000, 114_000, 9_000, 60_000, 61_000, 59_000}, 1, 1.9, 0.15, 1, 1, 1))
                .isTrue();
        assertThat(levelAfter(new double[] {60_000, 60_000, 60_000, 60_000, 60_000, 60_000}, 1, 1, 1, 1.5, 1, 1))
                .isFalse();
    }

    private static boolean levelAfter(double[] operations, double... seconds) {
        WarmupJudge judge = new WarmupJudge();
        boolean level = false;
        for (int i = 0; i < operations.length; i++) {
            level = judge.isLevelAfter(operations[i], seconds[i]);
        }
        return level;
    }

    @Test
    @RunsAlone
    void reportsAWarmupThatReachedItsLimit() {
        RunResult result = run("--warmup auto --warmup-limit 50ms -P 400ms -T 800ms");

        assertThat(warmup(result)).isEqualTo(0.05);
        assertThat(result.remarks()).anySatisfy(w -> assertThat(w.code()).isEqualTo(RemarkCode.WARMUP_CUT));
        List<IntervalResult> measured =
                result.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
        // it starts within an interval of the warm-up, and nothing is lost
        assertThat(measured.get(0).counts().ok())
                .isGreaterThan(measured.get(1).counts().ok() / 4);
    }

    @Test
    void automaticWarmupWaitsForTheRequestedExecutions() {
        RunResult result =
                run("--think 2ms --warmup auto --warmup-limit 2.5s --warmup-executions 1000000 -P 100ms -T 500ms");

        assertThat(warmup(result)).isEqualTo(2.5);
        assertThat(result.remarks()).anySatisfy(w -> assertThat(w.code()).isEqualTo(RemarkCode.WARMUP_CUT));
    }

    @Test
    @RunsAlone
    void fixedWarmupIsExtendedOnlyForItsExecutions() {
        RunResult result = run("--warmup 300ms --warmup-executions 3 -T 300ms");

        assertThat(warmup(result)).isBetween(0.3, 0.4);
        assertThat(result.remarks()).noneMatch(w -> w.code() == RemarkCode.WARMUP_CUT);
        assertThat(result.load().warmupIntervals()).isNotEmpty().allMatch(i -> i.in(Phase.WARMUP));
        assertThat(result.load().warmupIntervals().stream()
                        .mapToLong(i -> i.counts().ok())
                        .sum())
                .isPositive();
        assertThat(result.load().warmupIntervals().stream()
                        .mapToDouble(IntervalResult::seconds)
                        .sum())
                .isCloseTo(warmup(result), within(1e-6));
    }

    private static RunResult run(String phases) {
        String url = TestServer.freshDatabase("warmup");
        TestServer.table(url, "docs", 100);
        return Runs.run("-t docs -c 2 --url " + url, phases);
    }

    private static double warmup(RunResult result) {
        return result.run().phases().stream()
                .filter(p -> p.name().equals("warmup"))
                .mapToDouble(PhaseLength::seconds)
                .sum();
    }
}
