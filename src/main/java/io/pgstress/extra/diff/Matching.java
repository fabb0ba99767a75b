package io.pgstress.extra.diff;

import io.pgstress.importer.table.TableRules.OnDuplicate;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the differences between two sides by their hashes, and keeps the first keys of each kind. Not thread-safe. */
final class Matching {
    /** The kinds of differences. */
    enum Kind {
        ONLY_IN_DUMP,
        ONLY_IN_TABLE,
        DIFFERENT
    }

    private final OnDuplicate onDuplicate;
    private final int limit;
    private final Map<Long, Kind> kept = new HashMap<>();
    private final Map<Kind, Integer> keptOf = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private long equal;
    private long repeated;
    private long repeatedRows;

    /**
     * Creates counts of 0.
     *
     * @param onDuplicate see {@link DiffOptions}
     * @param limit keys to keep of each kind
     */
    Matching(OnDuplicate onDuplicate, int limit) {
        this.onDuplicate = onDuplicate;
        this.limit = limit;
    }

    /** Compares one part of both sides, as {@link RowHashes#part} returns it. */
    void compare(long[] dump, long[] table) {
        int d = 0;
        int t = 0;
        while (d < dump.length || t < table.length) {
            long key = t == table.length || (d < dump.length && Long.compareUnsigned(dump[d], table[t]) < 0)
                    ? dump[d]
                    : table[t];
            int dumpEnd = endOf(key, dump, d);
            int tableEnd = endOf(key, table, t);
            if (dumpEnd - d == 2 && tableEnd - t == 2) {
                count(key, dump[d + 1] == table[t + 1]);
            } else {
                compare(key, rows(dump, d, dumpEnd), rows(table, t, tableEnd));
            }
            d = dumpEnd;
            t = tableEnd;
        }
    }

    private static int endOf(long key, long[] pairs, int from) {
        int end = from;
        while (end < pairs.length && pairs[end] == key) {
            end += 2;
        }
        return end;
    }

    private static long[] rows(long[] pairs, int from, int to) {
        long[] rows = new long[(to - from) / 2];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = pairs[from + 2 * i + 1];
        }
        return rows;
    }

    /** Compares the documents and the rows of a key that one side lacks or repeats. */
    private void compare(long key, long[] documents, long[] rows) {
        repeatedRows += Math.max(0, rows.length - 1);
        if (documents.length == 0) {
            add(key, Kind.ONLY_IN_TABLE, rows.length);
        } else if (rows.length == 0) {
            add(key, Kind.ONLY_IN_DUMP, 1);
            repeated += documents.length - 1;
        } else if (isSameSet(documents, rows)) {
            equal += rows.length; // also two keys that happen to have the same hash, one time in 2^64
            repeated += documents.length - 1;
        } else {
            count(key, Arrays.stream(rows).anyMatch(row -> isExpected(documents, row)));
            repeated += documents.length - 1;
            if (rows.length > 1) {
                add(key, Kind.ONLY_IN_TABLE, rows.length - 1);
            }
        }
    }

    private static boolean isSameSet(long[] a, long[] b) {
        return a.length == b.length
                && Arrays.equals(
                        Arrays.stream(a).sorted().toArray(),
                        Arrays.stream(b).sorted().toArray());
    }

    private boolean isExpected(long[] documents, long row) {
        return switch (onDuplicate) {
            case FAIL -> Arrays.stream(documents).anyMatch(document -> document == row);
            case SKIP -> documents[0] == row;
            case REPLACE -> documents[documents.length - 1] == row;
        };
    }

    private void count(long key, boolean same) {
        if (same) {
            equal++;
        } else {
            add(key, Kind.DIFFERENT, 1);
        }
    }

    private void add(long key, Kind kind, long count) {
        counts.merge(kind, count, Long::sum);
        if (keptOf.getOrDefault(kind, 0) < limit && kept.putIfAbsent(key, kind) == null) {
            keptOf.merge(kind, 1, Integer::sum);
        }
    }

    /** The number of differences of this kind. */
    long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** The number of rows that are equal to their document. */
    long equal() {
        return equal;
    }

    /** The number of documents that repeat a key. */
    long repeated() {
        return repeated;
    }

    /** The number of rows that repeat a key, which only a table without a primary key has. */
    long repeatedRows() {
        return repeatedRows;
    }

    /** Whether keys of this kind are kept. */
    boolean has(Kind kind) {
        return keptOf.containsKey(kind);
    }

    /** The kind of difference of a key that is kept; null for any other key. */
    @Nullable
    Kind kind(long key) {
        return kept.get(key);
    }
}
