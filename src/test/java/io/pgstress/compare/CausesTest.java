package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.compare.Fact.Figure;
import io.pgstress.compare.Fact.Group;
import io.pgstress.compare.Fact.NodeFigure;
import io.pgstress.compare.Fact.OfNode;
import io.pgstress.compare.Fact.OperationWait;
import io.pgstress.compare.Fact.Sampled;
import io.pgstress.compare.Fact.Scans;
import io.pgstress.compare.Fact.SessionWait;
import io.pgstress.compare.Fact.Speed;
import io.pgstress.compare.Fact.Touched;
import io.pgstress.compare.VariantTotals.Count;
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
    private static final Group ORDINARY = new Group(Speed.ORDINARY, "u");

    /** Each cause as its code and the values of the two variants. */
    private static List<String> found(Map<Fact, Double> facts, Map<Fact, Double> baseline) {
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
                        Map.of(new Touched("find_first select", 2, "datanodes"), 2.0, Figure.ROUND_TRIPS, 2.0),
                        Map.of(new Touched("find_first select", 2, "datanodes"), 1.0, Figure.ROUND_TRIPS, 1.0)))
                .containsExactly("CAUSE_NODES_TOUCHED 2 of 2 datanodes, 1 of 2", "CAUSE_ROUND_TRIPS 2.0, 1.0");
    }

    @Test
    void parsingComesBeforeTheTimeAndTheBytesThatItCosts() {
        assertThat(found(
                        Map.of(
                                Figure.PARSED,
                                1.0,
                                Figure.SERVER_CPU,
                                80.0,
                                Figure.BYTES_OUT,
                                120.0,
                                Figure.TOTAL,
                                200.0),
                        Map.of(
                                Figure.PARSED,
                                0.0,
                                Figure.SERVER_CPU,
                                30.0,
                                Figure.BYTES_OUT,
                                60.0,
                                Figure.TOTAL,
                                140.0)))
                .containsExactly(
                        "CAUSE_PARSES 1.0, 0.0", "CAUSE_SERVER_CPU 80.0, 30.0", "CAUSE_BYTES_SENT 120.0, 60.0");
    }

    @Test
    void namesStatementsThatMostBlocksPlanDifferently() {
        assertThat(found(
                        Map.of(
                                new Scans("u select", "Seq Scan"),
                                0.9,
                                new Scans("u select", "Index Scan"),
                                0.1,
                                new Scans("u update", "Tid Scan"),
                                1.0),
                        Map.of(new Scans("u select", "Index Scan"), 1.0, new Scans("u update", "Tid Scan"), 1.0)))
                .containsExactly("CAUSE_PLANS Seq Scan, Index Scan");
    }

    @Test
    void otherPlansAreNamedWithoutADifferenceToo() {
        Causes causes = new Causes(
                "b",
                Map.of(new Scans("u select", "Seq Scan"), 1.0, Figure.ROUND_TRIPS, 2.0),
                "a",
                Map.of(new Scans("u select", "Index Scan"), 1.0, Figure.ROUND_TRIPS, 1.0));
        Effort effort = new Effort(8, 0, Duration.ofHours(1), 0, 0, 1);

        List<Effect> effects = new EffectJudge(effort, Metrics.PRIMARY)
                .effects(
                        (variant, metric) -> Optional.of(new Sample(0.1, -0.1, 0.2, -0.2, 0.1, -0.1, 0.2, -0.2)),
                        List.of("b"),
                        1,
                        variant -> causes.found());

        assertThat(effects.get(0).verdict()).isEqualTo(EffectJudge.UNDECIDED);
        assertThat(causes.found()).hasSize(2);
        assertThat(effects.get(0).causes()).extracting(Remark::code).containsExactly(RemarkCode.CAUSE_PLANS);
    }

    /** Seven rounds of one second agree, and one is missing. */
    @Test
    void verdictNeedsItsRoundsHoweverFewWereRequested() {
        Effort effort = new Effort(7, 0, Duration.ofHours(1), 0, 0, 1);

        Effect effect = new EffectJudge(effort, Metrics.PRIMARY)
                .effects(
                        (variant, metric) -> Optional.of(new Sample(0.5, 0.3, 0.7, 0.2, 0.8, 0.5, 0.4)),
                        List.of("b"),
                        1,
                        variant -> List.of())
                .get(0);

        assertThat(effect.low()).isGreaterThan(1);
        assertThat(effect.verdict()).isEqualTo(EffectJudge.UNDECIDED);
        assertThat(effect.secondsToDecide()).isEqualTo(1);
    }

    @Test
    void namesStatementsOnlyIfSomeHaveAnotherDestination() {
        assertThat(found(
                        Map.of(
                                new Touched("u select", 128, "shards"),
                                128.0,
                                new Touched("u update", 128, "shards"),
                                1.0),
                        Map.of(new Touched("u select", 8, "shards"), 7.5, new Touched("u update", 8, "shards"), 1.0)))
                .containsExactly("CAUSE_NODES_TOUCHED 128 of 128 shards, 7.5 of 8");
    }

    @Test
    void smallShareOfTheTimeIsNotACause() {
        Map<Fact, Double> slow = Map.of(Figure.ACQUIRE, 40.0, Figure.TOTAL, 35_000.0);
        Map<Fact, Double> fast = Map.of(Figure.ACQUIRE, 1.0, Figure.TOTAL, 22_000.0);

        assertThat(found(slow, fast)).isEmpty();
        assertThat(found(
                        Map.of(Figure.ACQUIRE, 40.0, Figure.TOTAL, 300.0),
                        Map.of(Figure.ACQUIRE, 1.0, Figure.TOTAL, 250.0)))
                .containsExactly("CAUSE_CONNECTION_WAITS 40.0, 1.0");
    }

    @Test
    void lessThanHalfOfTheDifferenceIsNotACause() {
        assertThat(found(
                        Map.of(Figure.ACQUIRE, 40.0, Figure.TOTAL, 300.0),
                        Map.of(Figure.ACQUIRE, 1.0, Figure.TOTAL, 200.0)))
                .isEmpty();
    }

    /** As between versions of PostgreSQL: the rate differs by 8%, and the server's CPU time by 12%. */
    @Test
    void smallDifferenceIsExplainedByASmallDifferenceOfTimes() {
        assertThat(found(onFullMachine(158, 799), onFullMachine(177, 863)))
                .containsExactly("CAUSE_SERVER_CPU 158.0, 177.0");
        assertThat(found(onFullMachine(154, 800), onFullMachine(160, 815))).isEmpty();
    }

    private static Map<Fact, Double> onFullMachine(double serverCpu, double total) {
        return Map.of(
                Figure.SERVER_CPU,
                serverCpu,
                Figure.TOTAL,
                total,
                new OfNode(NodeFigure.CPU_BUSY, "server"),
                0.99,
                Figure.CLIENTS_PER_CPU,
                4.0);
    }

    @Test
    void clientsOwnCpuTimeExplainsMoreThanItselfOnlyOnAFullMachine() {
        Map<Fact, Double> slow = Map.of(Figure.CLIENT_CPU, 160.0, Figure.TOTAL, 21_000.0);
        Map<Fact, Double> fast = Map.of(Figure.CLIENT_CPU, 100.0, Figure.TOTAL, 20_000.0);

        assertThat(found(slow, fast)).isEmpty();
        Map<Fact, Double> full = new HashMap<>(slow);
        full.put(new OfNode(NodeFigure.CPU_BUSY, "server"), 0.95);
        full.put(Figure.CLIENTS_PER_CPU, 4.0); // four times 60 us of 1,000
        assertThat(found(full, fast)).isEmpty();
        full.put(Figure.CLIENTS_PER_CPU, 40.0);
        assertThat(found(full, fast)).containsExactly("CAUSE_CLIENT_CPU 160.0, 100.0");
    }

    @Test
    void higherFigureOfTheFasterVariantIsNotACause() {
        assertThat(found(
                        Map.of(Figure.ROUND_TRIPS, 2.0, Figure.BYTES_IN, 900.0, Figure.TOTAL, 200.0),
                        Map.of(Figure.ROUND_TRIPS, 1.0, Figure.BYTES_IN, 2_000.0, Figure.TOTAL, 300.0)))
                .containsExactly("CAUSE_BYTES_RECEIVED 900.0, 2000.0");
    }

    @Test
    void countsThatIncludeOtherSessionsAreNotACause() {
        Map<Fact, Double> slow = Map.of(Figure.WAL, 900.0, Figure.SERVER_TIME, 90.0, Figure.OTHERS, 0.001);
        Map<Fact, Double> fast = Map.of(Figure.WAL, 300.0, Figure.SERVER_TIME, 30.0, Figure.OTHERS, 0.0);
        Map<Fact, Double> mixed = Map.of(Figure.WAL, 300.0, Figure.SERVER_TIME, 30.0, Figure.OTHERS, 0.4);

        assertThat(found(slow, fast)).containsExactly("CAUSE_WAL 900.0, 300.0", "CAUSE_SERVER_TIME 90.0, 30.0");
        assertThat(found(slow, mixed)).isEmpty();
        assertThat(found(Map.of(Figure.WAL, 900.0), Map.of(Figure.WAL, 300.0))).isEmpty();
    }

    @Test
    void costsOfTheVariantWithTheHigherRateDoNotMakeItFaster() {
        Map<Fact, Double> twoClients = Map.of(
                Figure.RATE,
                241.8,
                Figure.TOTAL,
                8270.0,
                Figure.SERVER_TIME,
                7851.0,
                Figure.OTHERS,
                0.0,
                new SessionWait("Lock:advisory"),
                0.5,
                new SessionWait("on CPU"),
                0.5);
        Map<Fact, Double> oneClient = Map.of(
                Figure.RATE,
                239.4,
                Figure.TOTAL,
                4176.0,
                Figure.SERVER_TIME,
                4081.0,
                Figure.OTHERS,
                0.0,
                new SessionWait("on CPU"),
                0.6);

        assertThat(found(twoClients, oneClient)).isEmpty();
    }

    @Test
    void coordinatorsCountsAreNotThoseOfItsNodes() {
        Touched touched = new Touched("find_first select", 2, "datanodes");
        Map<Fact, Double> slow = Map.of(touched, 1.0, Figure.WAL, 900.0, Figure.OTHERS, 0.0);
        Map<Fact, Double> fast = Map.of(touched, 1.0, Figure.WAL, 300.0, Figure.OTHERS, 0.0);

        assertThat(new Causes("extended", slow, "plain", fast).found())
                .extracting(Remark::code, cause -> cause.figures().get("server"))
                .containsExactly(tuple(RemarkCode.CAUSE_WAL, "coordinator"));
    }

    @Test
    void reportsTwoPhaseCommitsThatAreALowerBound() {
        Map<Fact, Double> least = Map.of(Figure.TWO_PHASE_AT_LEAST, 1.3);

        assertThat(found(least, Map.of(Figure.TWO_PHASE, 1.0)))
                .containsExactly("CAUSE_TWO_PHASE_COMMITS at least 1.3, 1.0");
        assertThat(found(Map.of(Figure.TWO_PHASE, 1.0), least))
                .containsExactly("CAUSE_TWO_PHASE_COMMITS 1.0, at least 1.3");
        assertThat(found(least, Map.of(Figure.TWO_PHASE, 2.0))).isEmpty();
        assertThat(found(least, Map.of(Figure.TWO_PHASE_AT_LEAST, 0.5))).isEmpty();
    }

    @Test
    void waitOfTheBaselineAndWorkOfTheNodesAreCauses() {
        Map<Fact, Double> waits = Map.of(new SessionWait("Lock:tuple"), 0.6);
        assertThat(found(Map.of(new SessionWait("other"), 0.1), waits)).containsExactly("CAUSE_WAITS under 2%, 60%");
        assertThat(found(Map.of(), waits)).as("not sampled").isEmpty();
        assertThat(found(
                        Map.of(Figure.NODE_STATEMENTS, 2.0, new OfNode(NodeFigure.CPU_BUSY, "n1"), 0.9),
                        Map.of(Figure.NODE_STATEMENTS, 1.0, new OfNode(NodeFigure.CPU_BUSY, "n1"), 0.5)))
                .containsExactly("CAUSE_NODE_STATEMENTS 2.0, 1.0", "CAUSE_CPU 90%, 50%");
    }

    @Test
    void waitOfOperationsReplacesThatOfSessionsIfItIsClear() {
        Map<Fact, Double> fast =
                Map.of(Figure.TOTAL, 100.0, new Sampled(ORDINARY), 200.0, new SessionWait("idle"), 0.9);
        Map<Fact, Double> slow = new HashMap<>(fast);
        slow.putAll(Map.of(
                Figure.TOTAL,
                200.0,
                new OperationWait(ORDINARY, "Lock:tuple"),
                0.4,
                new SessionWait("Lock:tuple"),
                0.4));

        assertThat(found(slow, fast)).containsExactly("CAUSE_OPERATION_WAITS 40%, under 2%");
        Map<Fact, Double> partlySampled = new HashMap<>(fast);
        partlySampled.put(new OperationWait(ORDINARY, OperationWaits.NOT_SAMPLED), 0.5);
        assertThat(found(slow, partlySampled)).containsExactly("CAUSE_WAITS 40%, under 2%");
        assertThat(found(fast, slow)).containsExactly("CAUSE_OPERATION_WAITS under 2%, 40%");
        Map<Fact, Double> clear = new HashMap<>(slow);
        clear.put(new OperationWait(ORDINARY, "Lock:tuple"), 0.97);
        Map<Fact, Double> without = new HashMap<>(fast);
        without.remove(new Sampled(ORDINARY));
        assertThat(found(clear, without))
                .as("the other variant runs no such operations")
                .containsExactly("CAUSE_WAITS 40%, under 2%");
        slow.put(new Sampled(ORDINARY), 2.0);
        assertThat(found(slow, fast)).containsExactly("CAUSE_WAITS 40%, under 2%");
    }

    @Test
    void stepIsNotATransactionByName() {
        Map<String, StatementResult> named = Map.of(
                "set", new StatementResult("select 1", 100, 70, 100, null),
                "work", new StatementResult("commit", 100, 30, 0, null));

        VariantTotals tally = VariantTotals.NONE.plus(SampleBlocks.block(100, 10, named), 1);

        assertThat(tally.sums()).containsEntry(Count.DATA_CALLS_IN_ALL, 70.0).containsEntry(Count.CALLS, 200.0);
    }

    @Test
    void nodesThatUsedUpTheirQuotasAreNamed() {
        Map<Fact, Double> one = Map.of(
                new OfNode(NodeFigure.THROTTLED, "c"),
                0.9,
                new OfNode(NodeFigure.THROTTLED, "w"),
                0.01,
                Figure.TOTAL,
                900.0);
        Map<Fact, Double> all = Map.of(
                new OfNode(NodeFigure.THROTTLED, "c"),
                0.85,
                new OfNode(NodeFigure.THROTTLED, "w"),
                0.8,
                Figure.TOTAL,
                300.0);

        assertThat(found(all, one)).containsExactly("CAUSE_QUOTA 80%, under 2%");
    }
}
