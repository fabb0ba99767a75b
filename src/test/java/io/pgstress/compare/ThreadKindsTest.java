package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.statistics.Sample;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Runs;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Latencies of clients on different kinds of threads are not compared; throughput is. */
@EveryJdk
final class ThreadKindsTest {
    private static VariantTotals tally(String kind) {
        return Records.with(VariantTotals.NONE, "threadKinds", Set.of(kind));
    }

    private static ThreadKinds kinds(String a, String b) {
        return ThreadKinds.of(
                new ComparisonState(
                        "",
                        0,
                        List.of(),
                        Map.of("a", tally(a), "b", tally(b)),
                        RepeatedRemarks.NONE,
                        RepeatedRemarks.NONE,
                        true,
                        List.of()),
                null);
    }

    private static boolean isCompared(ThreadKinds kinds, String metric) {
        return kinds.comparable((v, m) -> Optional.of(new Sample(1, 2)), "a")
                .logRatio("b", metric)
                .isPresent();
    }

    @Test
    void doesNotCompareLatenciesOfDifferentKinds() {
        ThreadKinds kinds = kinds("loop", "platform");

        assertThat(isCompared(kinds, Metrics.PRIMARY)).isTrue();
        assertThat(Metrics.ALL).filteredOn(m -> isCompared(kinds, m)).containsExactly(Metrics.PRIMARY);
        assertThat(kinds.words(List.of("b"), "a"))
                .containsExactly(
                        "Latencies of b and a are not compared: their clients ran on different kinds of threads"
                                + " (platform, loop), and thread scheduling affects latency.");
    }

    @Test
    void comparesLatenciesOfTheSameKind() {
        ThreadKinds kinds = kinds("loop", "loop");

        assertThat(Metrics.ALL).allMatch(m -> isCompared(kinds, m));
        assertThat(kinds.words(List.of("b"), "a")).isEmpty();
    }

    @Test
    void usesTheKindOfTheBlocks() {
        String kind = SampleBlocks.block(10).client().threadKind();

        assertThat(VariantTotals.NONE.plus(SampleBlocks.block(10), 1).threadKinds())
                .containsExactly(kind);
    }

    private static List<String> unanswered(String limit, Variant... variants) {
        return ThreadKinds.unanswered(
                new Scenario(
                        "",
                        "",
                        List.of(new Workload("", List.of(variants))),
                        variants[0].name(),
                        Hooks.NONE,
                        new Effort(8, 0, java.time.Duration.ofHours(1), 0, 0, 1),
                        List.of(Limit.parse(limit))),
                null);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads: they need JDK 21 or newer")
    void refusesALatencyLimitIfKindsDiffer() {
        Variant platform = new Variant("platform", Runs.spec("--client-threads platform"));
        Variant virtual = new Variant("virtual", Runs.spec("--client-threads virtual"));

        assertThat(unanswered("p99>+5%", platform, virtual))
                .containsExactly("--fail-if: p99>+5%: latencies are not compared between kinds of client threads"
                        + " (platform: platform, virtual: virtual); use the same --client-threads for all variants");
        assertThat(unanswered("ops<-3%", platform, virtual)).isEmpty();
        assertThat(unanswered("p99>+5%", platform, platform)).isEmpty();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads: they need JDK 21 or newer")
    void resolvesAutoByTheNumberOfClients() {
        int cores = Runtime.getRuntime().availableProcessors();
        Variant few = new Variant("few", Runs.spec("--client-threads auto -c 1"));
        Variant many = new Variant("many", Runs.spec("--client-threads virtual -c " + (20 * cores)));

        assertThat(unanswered("mean>+5%", few, many))
                .hasSize(1)
                .allMatch(p -> p.contains("(few: platform, many: virtual)"));
    }
}
