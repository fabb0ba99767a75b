package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.server.StatementCounts.Entries;
import io.pgstress.probe.server.StatementCounts.Entries.Entry;
import io.pgstress.result.Explained.NodeStatements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a node counted between two readings. */
final class StatementCountsTest {
    private static Map<Long, Entry> calls(Map<Long, Long> calls) {
        Map<Long, Entry> entries = new HashMap<>();
        calls.forEach((id, count) -> entries.put(id, new Entry(count, "")));
        return entries;
    }

    private static Entries counts(Map<Long, Long> named, Map<Long, Long> twoPhase) {
        return new Entries(Map.of(Entries.NAMED, calls(named), Entries.TWO_PHASE, calls(twoPhase)), false, true);
    }

    @Test
    void droppedEntriesDoNotReduceTheOthers() {
        Entries before = counts(Map.of(1L, 500L, 2L, 9_000L), Map.of(7L, 1L, 8L, 1L));
        Entries after = counts(Map.of(1L, 600L), Map.of(8L, 1L, 9L, 1L));

        assertThat(after.wasResetSince(before)).isFalse();
        assertThat(after.since(before, Entries.NAMED)).isEqualTo(100);
        assertThat(after.since(before, Entries.TWO_PHASE)).isEqualTo(1);
    }

    private static StatementCounts.Counted prepared(String... texts) {
        Map<Long, Entry> entries = new HashMap<>();
        for (String text : texts) {
            entries.put((long) text.hashCode(), new Entry(1, text));
        }
        Entries after = new Entries(Map.of(Entries.TWO_PHASE, entries), false, true);
        return new StatementCounts.Counted(
                new NodeStatements("node", "", 0, texts.length, false, Map.of()),
                after.preparedSince(counts(Map.of(), Map.of())));
    }

    @Test
    void transactionIsCountedOnceHoweverManyConnectionsAndNodesPrepareIt() {
        List<StatementCounts.Counted> workers = List.of(
                prepared(
                        "PREPARE TRANSACTION 'citus_0_4711_12_1'",
                        "PREPARE TRANSACTION 'citus_0_4711_12_3'",
                        "PREPARE TRANSACTION 'citus_0_4711_13_5'"),
                prepared(
                        "PREPARE TRANSACTION 'citus_0_4711_12_2'",
                        "PREPARE TRANSACTION 'citus_1_4711_12_2'", // of another coordinator
                        "PREPARE TRANSACTION 'citus_0_4711_14_6'"));

        assertThat(StatementCounts.Counted.twoPhaseCommits(workers)).isEqualTo(4);
    }

    @Test
    void nodesOfPostgresXlPrepareATransactionUnderOneName() {
        List<StatementCounts.Counted> datanodes = List.of(
                prepared("PREPARE TRANSACTION '_$XC$2041:coord1:F:2:-1'"),
                prepared(
                        "PREPARE TRANSACTION '_$XC$2041:coord1:F:2:-1'",
                        "PREPARE TRANSACTION '_$XC$2042:coord1:F:2:-1'"));

        assertThat(StatementCounts.Counted.twoPhaseCommits(datanodes)).isEqualTo(2);
    }

    @Test
    void textsWithoutNamesDoNotTellTransactionsApart() {
        assertThat(StatementCounts.Counted.twoPhaseCommits(List.of(prepared(), prepared("PREPARE TRANSACTION $1"))))
                .isNull();
    }

    @Test
    void preparationsFromBeforeAreNotCounted() {
        Entries before = new Entries(
                Map.of(Entries.TWO_PHASE, Map.of(1L, new Entry(1, "PREPARE TRANSACTION 'a'"))), false, true);
        Entries after = new Entries(
                Map.of(
                        Entries.TWO_PHASE,
                        Map.of(
                                1L, new Entry(1, "PREPARE TRANSACTION 'a'"),
                                2L, new Entry(1, "PREPARE TRANSACTION 'b'"))),
                false,
                true);

        assertThat(after.preparedSince(before)).containsExactly("b");
    }

    /** With pg_stat_statements.track_utility = off. */
    @Test
    void preparationsThatAreNotCountedAreUnknown() {
        Entries before = new Entries(Map.of(), false, false);

        assertThat(new Entries(Map.of(), false, false).preparedSince(before)).isNull();
    }

    @Test
    void textsOfAllShardsAreCombined() {
        Entries before = counts(Map.of(1L, 5L, 3L, 7L), Map.of());
        Entries after = new Entries(
                Map.of(
                        Entries.NAMED,
                        Map.of(
                                1L, new Entry(15, "SELECT data\n FROM docs_102008 WHERE _id = $1"),
                                2L, new Entry(3, "SELECT data FROM docs_102009 WHERE _id = $1"),
                                3L, new Entry(7, "SELECT count(*) FROM docs_102009"))),
                false,
                true);

        assertThat(after.textsSince(before)).isEqualTo(Map.of("SELECT data FROM docs_# WHERE _id = $1", 13L));
    }

    @Test
    void decreasingEntryShowsARestart() {
        Entries before = counts(Map.of(1L, 500L), Map.of());

        assertThat(counts(Map.of(1L, 20L), Map.of()).wasResetSince(before)).isTrue();
    }
}
