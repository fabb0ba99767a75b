package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult.StatementResult;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CausesTest {
    private static String words(Map<String, Double> facts, Map<String, Double> baseline) {
        return new Causes("extended", facts, "plain", baseline).words();
    }

    @Test
    void reportsDestinationsOfStatementsFirst() {
        assertThat(words(
                        Map.of("touched find_first select of 2 datanodes", 2.0, VariantFacts.ROUND_TRIPS, 2.0),
                        Map.of("touched find_first select of 2 datanodes", 1.0, VariantFacts.ROUND_TRIPS, 1.0)))
                .isEqualTo("extended touches 2 of 2 datanodes, plain 1 of 2;"
                        + " extended takes 2.0 round trips per operation, plain 1.0");
    }

    @Test
    void namesStatementsOnlyIfSomeHaveAnotherDestination() {
        assertThat(words(
                        Map.of("touched u select of 128 shards", 128.0, "touched u update of 128 shards", 1.0),
                        Map.of("touched u select of 8 shards", 7.5, "touched u update of 8 shards", 1.0)))
                .isEqualTo("extended touches 128 of 128 shards by u select, plain 7.5 of 8");
    }

    @Test
    void smallShareOfTheTimeIsNotACause() {
        Map<String, Double> slow = Map.of(VariantFacts.ACQUIRE, 40.0, VariantFacts.TOTAL, 35_000.0);
        Map<String, Double> fast = Map.of(VariantFacts.ACQUIRE, 1.0, VariantFacts.TOTAL, 22_000.0);

        assertThat(words(slow, fast)).isNull();
        assertThat(words(
                        Map.of(VariantFacts.ACQUIRE, 40.0, VariantFacts.TOTAL, 300.0),
                        Map.of(VariantFacts.ACQUIRE, 1.0, VariantFacts.TOTAL, 250.0)))
                .isEqualTo("extended waits 40.0 us per operation for a connection, plain 1.0");
    }

    @Test
    void lessThanHalfOfTheDifferenceIsNotACause() {
        assertThat(words(
                        Map.of(VariantFacts.ACQUIRE, 40.0, VariantFacts.TOTAL, 300.0),
                        Map.of(VariantFacts.ACQUIRE, 1.0, VariantFacts.TOTAL, 200.0)))
                .isNull();
    }

    @Test
    void clientsOwnCpuTimeExplainsMoreThanItselfOnlyOnAFullMachine() {
        Map<String, Double> slow = Map.of(VariantFacts.CLIENT_CPU, 160.0, VariantFacts.TOTAL, 21_000.0);
        Map<String, Double> fast = Map.of(VariantFacts.CLIENT_CPU, 100.0, VariantFacts.TOTAL, 20_000.0);

        assertThat(words(slow, fast)).isNull();
        Map<String, Double> full = new HashMap<>(slow);
        full.put(VariantFacts.CPU + "server", 0.95);
        assertThat(words(full, fast)).isNotNull();
    }

    @Test
    void higherFigureOfTheFasterVariantIsNotACause() {
        assertThat(words(
                        Map.of(VariantFacts.ROUND_TRIPS, 2.0, VariantFacts.BYTES_IN, 900.0, VariantFacts.TOTAL, 200.0),
                        Map.of(
                                VariantFacts.ROUND_TRIPS,
                                1.0,
                                VariantFacts.BYTES_IN,
                                2_000.0,
                                VariantFacts.TOTAL,
                                300.0)))
                .isEqualTo("extended receives 900 bytes per operation, plain 2000");
    }

    @Test
    void countsThatIncludeOtherSessionsAreNotACause() {
        Map<String, Double> slow =
                Map.of(VariantFacts.WAL, 900.0, VariantFacts.SERVER_TIME, 90.0, VariantFacts.OTHERS, 0.001);
        Map<String, Double> fast =
                Map.of(VariantFacts.WAL, 300.0, VariantFacts.SERVER_TIME, 30.0, VariantFacts.OTHERS, 0.0);
        Map<String, Double> mixed =
                Map.of(VariantFacts.WAL, 300.0, VariantFacts.SERVER_TIME, 30.0, VariantFacts.OTHERS, 0.4);

        assertThat(words(slow, fast))
                .isEqualTo("extended writes 900 bytes of WAL per operation, plain 300;"
                        + " extended needs 90 us per operation on the server, plain 30");
        assertThat(words(slow, mixed)).isNull();
        assertThat(words(Map.of(VariantFacts.WAL, 900.0), Map.of(VariantFacts.WAL, 300.0)))
                .isNull();
    }

    @Test
    void coordinatorsCountsAreNotThoseOfItsNodes() {
        String touched = "touched find_first select of 2 datanodes";
        assertThat(words(
                        Map.of(
                                touched,
                                1.0,
                                VariantFacts.WAL,
                                900.0,
                                VariantFacts.SERVER_TIME,
                                90.0,
                                VariantFacts.OTHERS,
                                0.0),
                        Map.of(
                                touched,
                                1.0,
                                VariantFacts.WAL,
                                300.0,
                                VariantFacts.SERVER_TIME,
                                30.0,
                                VariantFacts.OTHERS,
                                0.0)))
                .isEqualTo("extended writes 900 bytes of WAL per operation on the coordinator, plain 300;"
                        + " extended needs 90 us per operation on the coordinator, plain 30");
    }

    @Test
    void reportsTwoPhaseCommitsThatAreALowerBound() {
        Map<String, Double> least = Map.of(VariantFacts.TWO_PHASE_AT_LEAST, 1.3);

        assertThat(words(least, Map.of(VariantFacts.TWO_PHASE, 1.0)))
                .isEqualTo("extended takes at least 1.3 two-phase commits per operation, plain 1.0");
        assertThat(words(Map.of(VariantFacts.TWO_PHASE, 1.0), least))
                .isEqualTo("extended takes 1.0 two-phase commits per operation, plain at least 1.3");
        assertThat(words(least, Map.of(VariantFacts.TWO_PHASE, 2.0))).isNull();
        assertThat(words(least, Map.of(VariantFacts.TWO_PHASE_AT_LEAST, 0.5))).isNull();
    }

    @Test
    void waitOfTheBaselineAndWorkOfTheNodesAreCauses() {
        assertThat(words(Map.of(), Map.of(VariantFacts.WAIT + "Lock:tuple", 0.6)))
                .isEqualTo("its sessions were 'Lock:tuple' under 2% of the time, those of plain 60%");
        assertThat(words(
                        Map.of(VariantFacts.NODE_STATEMENTS, 2.0, VariantFacts.CPU + "n1", 0.9),
                        Map.of(VariantFacts.NODE_STATEMENTS, 1.0, VariantFacts.CPU + "n1", 0.5)))
                .isEqualTo("extended makes the nodes run 2.0 statements per operation, plain 1.0;"
                        + " the CPU of n1 was busy 90% of the time, with plain 50%");
    }

    @Test
    void stepIsNotATransactionByName() {
        Map<String, StatementResult> named = Map.of(
                "set", new StatementResult("select 1", 100, 70, 100, null),
                "work", new StatementResult("commit", 100, 30, 0, null));

        VariantTotals tally = VariantTotals.NONE.plus(SampleBlocks.block(100, 10, named), 1);

        assertThat(tally.sums()).containsEntry("dataCallsInAll", 70.0).containsEntry("calls", 200.0);
    }
}
