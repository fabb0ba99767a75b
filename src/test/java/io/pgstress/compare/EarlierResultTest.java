package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.plan.scenario.Limit;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EarlierResultTest {
    /** A run of 30 intervals of a second. */
    private static RunResult run(IntUnaryOperator ok) {
        return SampleBlocks.block(
                10_000,
                10,
                Map.of(),
                IntStream.range(0, 30)
                        .mapToObj(i -> SampleBlocks.interval(i, ok.applyAsInt(i)))
                        .toArray(IntervalResult[]::new));
    }

    private static IntervalResult[] intervals(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> SampleBlocks.interval(i, 1000))
                .toArray(IntervalResult[]::new);
    }

    @Test
    void groupsIntervalsIntoBlocksIncludingEmptyOnes() {
        EarlierResult earlier = EarlierResult.of(run(i -> i % 5 == 0 ? 0 : 1000), "earlier", 5);

        assertThat(earlier.figures().get(Metrics.PRIMARY))
                .hasSize(6)
                .allSatisfy(l -> assertThat(Math.exp(l)).isCloseTo(800, within(1e-6)));
        assertThat(earlier.figures().get("p99")).hasSize(6);
    }

    @Test
    void refusesAResultThatWasIdleForLongOrIsTooShort() {
        assertThatThrownBy(() -> EarlierResult.of(run(i -> i < 10 ? 0 : 1000), "earlier", 2))
                .hasMessageContaining("had no success in more than a tenth of its time");
        assertThatThrownBy(() -> EarlierResult.of(run(i -> 1000), "earlier", 7))
                .hasMessageContaining("has only 4 periods of 7.0 s");
        assertThatThrownBy(
                        () -> EarlierResult.of(SampleBlocks.block(10_000, 4, Map.of(), intervals(4)), "earlier", 0.4))
                .as("a period is at least an interval")
                .hasMessageContaining("has only 4 periods of 1.0 s");
    }

    @Test
    void warnsIfTheNumberOfClientsDiffers() {
        EarlierResult earlier = EarlierResult.of(run(i -> 100), "earlier", 5);

        assertThat(earlier.warning("prepared", 8))
                .contains(RemarkCode.EARLIER_CLIENTS
                        .with("earlier", 1)
                        .with("variant", "prepared")
                        .with("clients", 8)
                        .remark());
        assertThat(earlier.warning("prepared", 1)).isEmpty();
    }

    @Test
    void namesInOneLineWhatElseIsDifferent() {
        RunResult then = onMachines(run(i -> 100));
        EarlierResult earlier = EarlierResult.of(then, "earlier", 5);
        RunResult now = changed(
                then,
                "\"Sample CPU\"",
                "\"Other CPU\"",
                "17179869184",
                "34359738368",
                "\"PostgreSQL 18.6 on",
                "\"PostgreSQL 18.7 on",
                "\"OpenJDK 25\"",
                "\"OpenJDK 26\"",
                "\"max_connections\":\"300\"",
                "\"max_connections\":\"200\",\"work_mem\":\"8MB\"",
                "\"synchronous_commit\":\"off\"",
                "\"synchronous_commit\":\"on\"");

        assertThat(earlier.warning(now, Set.of("synchronous_commit")))
                .contains(RemarkCode.EARLIER_CIRCUMSTANCES
                        .with(
                                "differences",
                                "JVM: OpenJDK 25 -> OpenJDK 26;"
                                        + " server: PostgreSQL 18.6 -> PostgreSQL 18.7; client's CPU model: Sample CPU -> Other CPU;"
                                        + " client's memory: 17.2 GB -> 34.4 GB; servers' CPU model: Sample CPU -> Other CPU;"
                                        + " servers' memory: 17.2 GB -> 34.4 GB; max_connections: 300 -> 200; work_mem: default -> 8MB")
                        .remark());
        assertThat(earlier.warning(then, Set.of())).isEmpty();
    }

    @Test
    void anotherLoadCannotBeComparedWith() {
        RunResult then = run(i -> 100);
        String mix = then.run().workload().mix();
        String table = then.dataset().table();
        RunResult now = changed(then, "\"mix\":\"" + mix + "\"", "\"mix\":\"find_in\"");
        RunResult open = changed(then, "\"rates\":[]", "\"rates\":[200.0]");
        RunResult other = changed(then, "\"table\":\"" + table + "\"", "\"table\":\"big\"");
        EarlierResult earlier = EarlierResult.of(then, "earlier", 5);

        assertThat(earlier.otherLoad(then)).isEmpty();
        assertThat(earlier.otherLoad(now)).contains(ofAnotherLoad("operations: " + then.mix() + " -> find_in"));
        assertThat(earlier.otherLoad(open)).contains(ofAnotherLoad("loop: closed -> open at 200.0 ops/s"));
        assertThat(earlier.otherLoad(other)).contains(ofAnotherLoad("table: " + table + " -> big"));
    }

    /** Older results do not say theirs. */
    @Test
    void anotherThinkTimeIsAnotherLoad() {
        RunResult unknown = run(i -> 100);
        RunResult none = changed(unknown, "\"scenario\":{", "\"scenario\":{\"think\":\"0\",");
        RunResult thinking = changed(
                unknown, "\"workload\":{", "\"workload\":{\"think\":{\"micros\":500000,\"exponential\":false},");

        assertThat(EarlierResult.of(none, "earlier", 5).otherLoad(thinking))
                .contains(ofAnotherLoad("think time: none -> 500.000 ms"));
        assertThat(EarlierResult.of(unknown, "earlier", 5).otherLoad(thinking)).isEmpty();
        assertThat(EarlierResult.of(none, "earlier", 5).otherLoad(none)).isEmpty();
    }

    /** What is compiled and cached when a block begins depends on it. */
    @Test
    void anotherWarmupIsAnotherCircumstance() {
        RunResult then = changed(run(i -> 100), "\"scenario\":{", "\"scenario\":{\"warmup\":\"2s\",");
        RunResult now = changed(run(i -> 100), "\"scenario\":{", "\"scenario\":{\"warmup\":\"200ms\",");
        RunResult alike = changed(run(i -> 100), "\"scenario\":{", "\"scenario\":{\"warmup\":\"2\",");
        EarlierResult earlier = EarlierResult.of(then, "earlier", 5);

        assertThat(earlier.warning(now, Set.of()))
                .contains(RemarkCode.EARLIER_CIRCUMSTANCES
                        .with("differences", "warm-up: 2.0 s -> 0.2 s")
                        .remark());
        assertThat(earlier.warning(alike, Set.of())).isEmpty();
    }

    /** An io_uring takes less of the client's CPU than a selector. */
    @Test
    void anotherWayToWaitForAnswersIsAnotherCircumstance() {
        RunResult then = changed(run(i -> 100), "\"client\":{", "\"client\":{\"polling\":\"selector\",");
        RunResult now = changed(run(i -> 100), "\"client\":{", "\"client\":{\"polling\":\"io_uring\",");

        assertThat(EarlierResult.of(then, "earlier", 5).warning(now, Set.of()))
                .contains(RemarkCode.EARLIER_CIRCUMSTANCES
                        .with("differences", "event loops by: selector -> io_uring")
                        .remark());
    }

    private static Remark ofAnotherLoad(String differences) {
        return RemarkCode.EARLIER_OTHER_LOAD.with("differences", differences).remark();
    }

    @Test
    void whatAnEarlierResultDoesNotHaveIsNoDifference() {
        EarlierResult earlier = EarlierResult.of(run(i -> 100), "earlier", 5);

        assertThat(earlier.warning(onMachines(run(i -> 100)), Set.of())).isEmpty();
    }

    @Test
    void earlierComparisonHasItsMachinesToo() {
        EarlierResult earlier = EarlierResult.of(MoreSamples.comparison(), "earlier", 3);

        assertThat(earlier.warning(changed(onMachines(run(i -> 100)), "\"6.1.0\"", "\"6.12.0\""), Set.of()))
                .contains(RemarkCode.EARLIER_CIRCUMSTANCES
                        .with("differences", "client's kernel: 6.1.0 -> 6.12.0;" + " servers' kernel: 6.1.0 -> 6.12.0")
                        .remark());
    }

    private static RunResult onMachines(RunResult run) {
        return Samples.with(
                run,
                "serverProfile",
                Samples.with(
                        ServerProfile.NONE, "machines", MoreSamples.comparison().machines()));
    }

    /** The run with other texts in its JSON: what is there, what replaces it, and so on. */
    private static RunResult changed(RunResult run, String... texts) {
        String json = Json.writeLine(run);
        for (int i = 0; i < texts.length; i += 2) {
            assertThat(json.contains(texts[i])).as(texts[i]).isTrue();
            json = json.replace(texts[i], texts[i + 1]);
        }
        return Json.read(json, RunResult.class);
    }

    @Test
    void namesLimitsWithoutFigures() {
        EarlierResult earlier = EarlierResult.of(run(i -> 100), "earlier", 5);

        assertThat(earlier.unanswered(List.of(Limit.parse("ops<-3%"), Limit.parse("p999>+5%"))))
                .containsExactly("p99.9>+5%: the earlier result has only ops/s, mean, p50, p90, p95");
    }

    @Test
    void aResultThatIsNotValidIsAReason() {
        RunResult then = run(i -> 100);
        RunResult bad = then.withRemarks(List.of(RemarkCode.NONE_ENDED.remark()), List.of());

        assertThat(EarlierResult.of(then, "earlier", 5).reason()).isEmpty();
        assertThat(EarlierResult.of(bad, "earlier", 5).reason())
                .hasValueSatisfying(reason -> assertThat(reason.figures()).containsEntry("reasons", "NONE_ENDED"));
    }
}
