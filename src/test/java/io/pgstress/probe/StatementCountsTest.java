package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.StatementCounts.Entries;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a node counted between two readings. */
final class StatementCountsTest {
    private static Entries counts(Map<Long, Long> named, Map<Long, Long> twoPhase) {
        return new Entries(named, twoPhase, Map.of(), Map.of(), false);
    }

    @Test
    void droppedEntriesDoNotReduceTheOthers() {
        Entries before = counts(Map.of(1L, 500L, 2L, 9_000L), Map.of(7L, 1L, 8L, 1L));
        Entries after = counts(Map.of(1L, 600L), Map.of(8L, 1L, 9L, 1L));

        assertThat(after.wasResetSince(before)).isFalse();
        assertThat(after.namedSince(before)).isEqualTo(100);
        assertThat(after.twoPhaseSince(before)).isEqualTo(1);
    }

    @Test
    void textsOfAllShardsAreCombined() {
        Map<Long, String> texts = Map.of(
                1L, "SELECT data\n FROM docs_102008 WHERE _id = $1",
                2L, "SELECT data FROM docs_102009 WHERE _id = $1",
                3L, "SELECT count(*) FROM docs_102009");
        Entries before = counts(Map.of(1L, 5L, 3L, 7L), Map.of());
        Entries after = new Entries(Map.of(1L, 15L, 2L, 3L, 3L, 7L), Map.of(), Map.of(), texts, false);

        assertThat(after.textsSince(before)).isEqualTo(Map.of("SELECT data FROM docs_# WHERE _id = $1", 13L));
    }

    @Test
    void decreasingEntryShowsARestart() {
        Entries before = counts(Map.of(1L, 500L), Map.of());

        assertThat(counts(Map.of(1L, 20L), Map.of()).wasResetSince(before)).isTrue();
    }
}
