package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.StatementCounts.Entries;
import io.pgstress.probe.StatementCounts.Entries.Entry;
import java.util.HashMap;
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
        return new Entries(Map.of(Entries.NAMED, calls(named), Entries.TWO_PHASE, calls(twoPhase)), false);
    }

    @Test
    void droppedEntriesDoNotReduceTheOthers() {
        Entries before = counts(Map.of(1L, 500L, 2L, 9_000L), Map.of(7L, 1L, 8L, 1L));
        Entries after = counts(Map.of(1L, 600L), Map.of(8L, 1L, 9L, 1L));

        assertThat(after.wasResetSince(before)).isFalse();
        assertThat(after.since(before, Entries.NAMED)).isEqualTo(100);
        assertThat(after.since(before, Entries.TWO_PHASE)).isEqualTo(1);
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
                false);

        assertThat(after.textsSince(before)).isEqualTo(Map.of("SELECT data FROM docs_# WHERE _id = $1", 13L));
    }

    @Test
    void decreasingEntryShowsARestart() {
        Entries before = counts(Map.of(1L, 500L), Map.of());

        assertThat(counts(Map.of(1L, 20L), Map.of()).wasResetSince(before)).isTrue();
    }
}
