package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.compare.statistics.Sample;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CausesTest {
    /** Each cause as its code and the values of the two variants. */
    private static List<String> found(Map<String, Double> facts, Map<String, Double> baseline) {
        return new Causes("extended", facts, "plain", baseline)
                .found().stream()
                        .map(cause -> cause.code() + " "
                                + bound(cause, "ownBound")
                                + cause.figures().get("own") + ", "
                                + bound(cause, "otherBound")
                                + cause.figures().get("other"))
                        .toList();
    }

    private static String bound(Remark cause, String figure) {
        Object bound = cause.figures().get(figure);
        return bound == null ? "" : bound + " ";
    }

    @Test
    void reportsDestinationsOfStatementsFirst() {
        assertThat(found(
                        Map.of("touched find_first select of 2 datanodes", 2.0, VariantFacts.ROUND_TRIPS, 2.0),
                        Map.of("touched find_first select of 2 datanodes", 1.0, VariantFacts.ROUND_TRIPS, 1.0)))
                .containsExactly("CAUSE_NODES_TOUCHED 2 of 2 datanodes, 1 of 2", "CAUSE_ROUND_TRIPS 2.0, 1.0");
    }

    @Test
    void namesStatementsThatMostBlocksPlanDifferently() {
        assertThat(found(
                        Map.of(
                                "plan u select: Seq Scan",
                                0.9,
                                "plan u select: Index Scan",
                                0.1,
                                "plan u update: Tid Scan",
                                1.0),
                        Map.of("plan u select: Index Scan", 1.0, "plan u update: Tid Scan", 1.0)))
                .containsExactly("CAUSE_PLANS Seq Scan, Index Scan");
    }

    @Test
    void otherPlansAreNamedWithoutADifferenceToo() {
        Causes causes = new Causes(
                "b",
                Map.of("plan u select: Seq Scan", 1.0, VariantFacts.ROUND_TRIPS, 2.0),
                "a",
                Map.of("plan u select: Index Scan", 1.0, VariantFacts.ROUND_TRIPS, 1.0));
        Effort effort = new Effort(8, 0, Duration.ofHours(1), 0, 1);

        List<Effect> effects = new EffectJudge(effort)
                .effects(
                        (variant, metric) -> Optional.of(new Sample(0.1, -0.1, 0.2, -0.2)),
                        List.of("b"),
                        1,
                        variant -> causes.found());

        assertThat(effects.get(0).verdict()).isEqualTo(EffectJudge.UNDECIDED);
        assertThat(causes.found()).hasSize(2);
        assertThat(effects.get(0).causes()).extracting(Remark::code).containsExactly(RemarkCode.CAUSE_PLANS);
    }

    @Test
    void namesStatementsOnlyIfSomeHaveAnotherDestination() {
        assertThat(found(
                        Map.of("touched u select of 128 shards", 128.0, "touched u update of 128 shards", 1.0),
                        Map.of("touched u select of 8 shards", 7.5, "touched u update of 8 shards", 1.0)))
                .containsExactly("CAUSE_NODES_TOUCHED 128 of 128 shards, 7.5 of 8");
    }

    @Test
    void smallShareOfTheTimeIsNotACause() {
        Map<String, Double> slow = Map.of(VariantFacts.ACQUIRE, 40.0, VariantFacts.TOTAL, 35_000.0);
        Map<String, Double> fast = Map.of(VariantFacts.ACQUIRE, 1.0, VariantFacts.TOTAL, 22_000.0);

        assertThat(found(slow, fast)).isEmpty();
        assertThat(found(
                        Map.of(VariantFacts.ACQUIRE, 40.0, VariantFacts.TOTAL, 300.0),
                        Map.of(VariantFacts.ACQUIRE, 1.0, VariantFacts.TOTAL, 250.0)))
                .containsExactly("CAUSE_CONNECTION_WAITS 40.0, 1.0");
    }

    @Test
    void lessThanHalfOfTheDifferenceIsNotACause() {
        assertThat(found(
                        Map.of(VariantFacts.ACQUIRE, 40.0, VariantFacts.TOTAL, 300.0),
                        Map.of(VariantFacts.ACQUIRE, 1.0, VariantFacts.TOTAL, 200.0)))
                .isEmpty();
    }

    /** As between versions of PostgreSQL: the rate differs by 8%, and the server's CPU time by 12%. */
    @Test
    void smallDifferenceIsExplainedByASmallDifferenceOfTimes() {
        assertThat(found(onFullMachine(158, 799), onFullMachine(177, 863)))
                .containsExactly("CAUSE_SERVER_CPU 158.0, 177.0");
        assertThat(found(onFullMachine(154, 800), onFullMachine(160, 815))).isEmpty();
    }

    private static Map<String, Double> onFullMachine(double serverCpu, double total) {
        return Map.of(
                VariantFacts.SERVER_CPU,
                serverCpu,
                VariantFacts.TOTAL,
                total,
                VariantFacts.CPU + "server",
                0.99,
                VariantFacts.CLIENTS_PER_CPU,
                4.0);
    }

    @Test
    void clientsOwnCpuTimeExplainsMoreThanItselfOnlyOnAFullMachine() {
        Map<String, Double> slow = Map.of(VariantFacts.CLIENT_CPU, 160.0, VariantFacts.TOTAL, 21_000.0);
        Map<String, Double> fast = Map.of(VariantFacts.CLIENT_CPU, 100.0, VariantFacts.TOTAL, 20_000.0);

        assertThat(found(slow, fast)).isEmpty();
        Map<String, Double> full = new HashMap<>(slow);
        full.put(VariantFacts.CPU + "server", 0.95);
        full.put(VariantFacts.CLIENTS_PER_CPU, 4.0); // four times 60 us of 1,000
        assertThat(found(full, fast)).isEmpty();
        full.put(VariantFacts.CLIENTS_PER_CPU, 40.0);
        assertThat(found(full, fast)).containsExactly("CAUSE_CLIENT_CPU 160.0, 100.0");
    }

    @Test
    void higherFigureOfTheFasterVariantIsNotACause() {
        assertThat(found(
                        Map.of(VariantFacts.ROUND_TRIPS, 2.0, VariantFacts.BYTES_IN, 900.0, VariantFacts.TOTAL, 200.0),
                        Map.of(
                                VariantFacts.ROUND_TRIPS,
                                1.0,
                                VariantFacts.BYTES_IN,
                                2_000.0,
                                VariantFacts.TOTAL,
                                300.0)))
                .containsExactly("CAUSE_BYTES_RECEIVED 900.0, 2000.0");
    }

    @Test
    void countsThatIncludeOtherSessionsAreNotACause() {
        Map<String, Double> slow =
                Map.of(VariantFacts.WAL, 900.0, VariantFacts.SERVER_TIME, 90.0, VariantFacts.OTHERS, 0.001);
        Map<String, Double> fast =
                Map.of(VariantFacts.WAL, 300.0, VariantFacts.SERVER_TIME, 30.0, VariantFacts.OTHERS, 0.0);
        Map<String, Double> mixed =
                Map.of(VariantFacts.WAL, 300.0, VariantFacts.SERVER_TIME, 30.0, VariantFacts.OTHERS, 0.4);

        assertThat(found(slow, fast)).containsExactly("CAUSE_WAL 900.0, 300.0", "CAUSE_SERVER_TIME 90.0, 30.0");
        assertThat(found(slow, mixed)).isEmpty();
        assertThat(found(Map.of(VariantFacts.WAL, 900.0), Map.of(VariantFacts.WAL, 300.0)))
                .isEmpty();
    }

    @Test
    void coordinatorsCountsAreNotThoseOfItsNodes() {
        String touched = "touched find_first select of 2 datanodes";
        Map<String, Double> slow = Map.of(touched, 1.0, VariantFacts.WAL, 900.0, VariantFacts.OTHERS, 0.0);
        Map<String, Double> fast = Map.of(touched, 1.0, VariantFacts.WAL, 300.0, VariantFacts.OTHERS, 0.0);

        assertThat(new Causes("extended", slow, "plain", fast).found())
                .extracting(Remark::code, cause -> cause.figures().get("server"))
                .containsExactly(tuple(RemarkCode.CAUSE_WAL, "coordinator"));
    }

    @Test
    void reportsTwoPhaseCommitsThatAreALowerBound() {
        Map<String, Double> least = Map.of(VariantFacts.TWO_PHASE_AT_LEAST, 1.3);

        assertThat(found(least, Map.of(VariantFacts.TWO_PHASE, 1.0)))
                .containsExactly("CAUSE_TWO_PHASE_COMMITS at least 1.3, 1.0");
        assertThat(found(Map.of(VariantFacts.TWO_PHASE, 1.0), least))
                .containsExactly("CAUSE_TWO_PHASE_COMMITS 1.0, at least 1.3");
        assertThat(found(least, Map.of(VariantFacts.TWO_PHASE, 2.0))).isEmpty();
        assertThat(found(least, Map.of(VariantFacts.TWO_PHASE_AT_LEAST, 0.5))).isEmpty();
    }

    @Test
    void waitOfTheBaselineAndWorkOfTheNodesAreCauses() {
        Map<String, Double> waits = Map.of(VariantFacts.WAIT + "Lock:tuple", 0.6);
        assertThat(found(Map.of(VariantFacts.WAIT + "other", 0.1), waits)).containsExactly("CAUSE_WAITS under 2%, 60%");
        assertThat(found(Map.of(), waits)).as("not sampled").isEmpty();
        assertThat(found(
                        Map.of(VariantFacts.NODE_STATEMENTS, 2.0, VariantFacts.CPU + "n1", 0.9),
                        Map.of(VariantFacts.NODE_STATEMENTS, 1.0, VariantFacts.CPU + "n1", 0.5)))
                .containsExactly("CAUSE_NODE_STATEMENTS 2.0, 1.0", "CAUSE_CPU 90%, 50%");
    }

    @Test
    void waitOfOperationsReplacesThatOfSessionsIfItIsClear() {
        Map<String, Double> fast = Map.of(
                VariantFacts.TOTAL, 100.0, VariantFacts.SAMPLED + "ordinary u", 200.0, VariantFacts.WAIT + "idle", 0.9);
        Map<String, Double> slow = new HashMap<>(fast);
        slow.putAll(Map.of(
                VariantFacts.TOTAL,
                200.0,
                VariantFacts.WAIT_OF + "ordinary u: Lock:tuple",
                0.4,
                VariantFacts.WAIT + "Lock/tuple",
                0.4));

        assertThat(found(slow, fast)).containsExactly("CAUSE_OPERATION_WAITS 40%, under 2%");
        Map<String, Double> partlySampled = new HashMap<>(fast);
        partlySampled.put(VariantFacts.WAIT_OF + "ordinary u: " + OperationWaits.NOT_SAMPLED, 0.5);
        assertThat(found(slow, partlySampled)).containsExactly("CAUSE_WAITS 40%, under 2%");
        assertThat(found(fast, slow)).containsExactly("CAUSE_OPERATION_WAITS under 2%, 40%");
        slow.put(VariantFacts.SAMPLED + "ordinary u", 2.0);
        assertThat(found(slow, fast)).containsExactly("CAUSE_WAITS 40%, under 2%");
    }

    @Test
    void stepIsNotATransactionByName() {
        Map<String, StatementResult> named = Map.of(
                "set", new StatementResult("select 1", 100, 70, 100, null),
                "work", new StatementResult("commit", 100, 30, 0, null));

        VariantTotals tally = VariantTotals.NONE.plus(SampleBlocks.block(100, 10, named), 1);

        assertThat(tally.sums()).containsEntry("dataCallsInAll", 70.0).containsEntry("calls", 200.0);
    }

    @Test
    void nodesThatUsedUpTheirQuotasAreNamed() {
        Map<String, Double> one = Map.of(
                VariantFacts.THROTTLED + "c", 0.9, VariantFacts.THROTTLED + "w", 0.01, VariantFacts.TOTAL, 900.0);
        Map<String, Double> all = Map.of(
                VariantFacts.THROTTLED + "c", 0.85, VariantFacts.THROTTLED + "w", 0.8, VariantFacts.TOTAL, 300.0);

        assertThat(found(all, one)).containsExactly("CAUSE_QUOTA 80%, under 2%");
    }
}
