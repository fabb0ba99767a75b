package io.pgstress.extra.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.diff.Matching.Kind;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys with their hashes: which are equal, different, or only on one side. */
final class MatchingTest {
    private static Matching of(OnDuplicate rule, int limit, long[] dump, long[] table) {
        Matching matching = new Matching(rule, limit);
        matching.compare(dump, table);
        return matching;
    }

    private static void assertCounts(Matching m, long equal, long inDump, long inTable, long different, long repeated) {
        assertThat(new long[] {
                    m.equal(),
                    m.count(Kind.ONLY_IN_DUMP),
                    m.count(Kind.ONLY_IN_TABLE),
                    m.count(Kind.DIFFERENT),
                    m.repeated()
                })
                .containsExactly(equal, inDump, inTable, different, repeated);
    }

    @Test
    void keysAreComparedAsUnsigned() {
        Matching m = of(OnDuplicate.FAIL, 9, new long[] {1, 10, 3, 30, -2, 7}, new long[] {1, 10, 2, 20, 3, 31});

        assertCounts(m, 1, 1, 1, 1, 0);
        assertThat(m.kind(-2)).isEqualTo(Kind.ONLY_IN_DUMP);
        assertThat(m.kind(2)).isEqualTo(Kind.ONLY_IN_TABLE);
        assertThat(m.kind(3)).isEqualTo(Kind.DIFFERENT);
        assertThat(m.kind(1)).isNull();
    }

    /** Documents 10, 11 and 12 with the same key. */
    @ParameterizedTest
    @CsvSource({"FAIL,11,1", "FAIL,13,0", "SKIP,10,1", "SKIP,12,0", "REPLACE,12,1", "REPLACE,10,0"})
    void ruleForDuplicatesSaysWhichDocumentCounts(OnDuplicate rule, long row, long equal) {
        Matching m = of(rule, 9, new long[] {5, 10, 5, 11, 5, 12}, new long[] {5, row});

        assertCounts(m, equal, 0, 0, 1 - equal, 2);
    }

    @ParameterizedTest
    @EnumSource(OnDuplicate.class)
    void repeatedDocumentsWithoutARowAreOneDifference(OnDuplicate rule) {
        assertCounts(of(rule, 9, new long[] {5, 10, 5, 10}, new long[0]), 0, 1, 0, 0, 1);
    }

    @ParameterizedTest
    @EnumSource(OnDuplicate.class)
    void repeatedDocumentsThatAllHaveARowAreEqual(OnDuplicate rule) {
        assertCounts(of(rule, 9, new long[] {5, 10, 5, 11}, new long[] {5, 11, 5, 10}), 2, 0, 0, 0, 1);
    }

    @Test
    void rowsThatRepeatAKeyAreOnlyInTheTable() {
        Matching m = of(OnDuplicate.FAIL, 9, new long[] {5, 10}, new long[] {5, 10, 5, 10, 5, 12});

        assertCounts(m, 1, 0, 2, 0, 0);
        assertThat(m.repeatedRows()).isEqualTo(2);
    }

    @Test
    void countsAreExactBeyondTheLimit() {
        Matching m = of(OnDuplicate.FAIL, 1, new long[] {1, 1, 2, 2, 3, 3}, new long[] {1, 7, 2, 7, 3, 7});

        assertCounts(m, 0, 0, 0, 3, 0);
        assertThat(m.kind(1)).isEqualTo(Kind.DIFFERENT);
        assertThat(m.kind(2)).isNull();
        assertThat(of(OnDuplicate.FAIL, 0, new long[] {1, 1}, new long[0]).has(Kind.ONLY_IN_DUMP))
                .isFalse();
    }
}
