package io.pgstress.importer.diff;

import io.pgstress.bson.Chunk;
import io.pgstress.importer.DocumentRow;
import io.pgstress.importer.diff.Matching.Kind;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the ids of what a {@link Matching} kept, and the paths at which rows differ. Used by one thread. */
final class Names {
    /** Larger documents are not parsed to find the path, so that memory stays bounded. */
    private static final int MAX_PARSED = 1 << 20;

    private final Pairing pairing;
    private final OnDuplicate onDuplicate;
    private final Matching matching;
    private final DocumentRow row;
    private final Map<Long, String> onlyInDump = new LinkedHashMap<>();
    private final Map<Long, DifferentRow> different = new LinkedHashMap<>();
    private final List<String> onlyInTable = new ArrayList<>();

    Names(Pairing pairing, OnDuplicate onDuplicate, Matching matching, DocumentRow row) {
        this.pairing = pairing;
        this.onDuplicate = onDuplicate;
        this.matching = matching;
        this.row = row;
    }

    /** Whether the dump must be read again. */
    boolean needDump() {
        return matching.has(Kind.ONLY_IN_DUMP) || matching.has(Kind.DIFFERENT);
    }

    /** Names those of the documents that differ from their row or have none. */
    void add(Chunk chunk, TableSide tables) {
        for (int i = 0; i < chunk.count(); i++) {
            Kind kind = row.hashKey(chunk, i) ? matching.kind(row.keyHash()) : null;
            if (kind == Kind.ONLY_IN_DUMP || kind == Kind.DIFFERENT) {
                add(row.keyHash(), kind, chunk, i, tables);
            }
        }
    }

    private void add(long key, Kind kind, Chunk chunk, int document, TableSide tables) {
        String id = row.keyText(chunk, document);
        if (id == null) {
            throw new IllegalStateException("a key that was converted before was rejected the second time");
        }
        if (kind == Kind.ONLY_IN_DUMP) {
            onlyInDump.put(key, id);
        } else if (onDuplicate == OnDuplicate.REPLACE || !different.containsKey(key)) {
            addDifferent(key, id, chunk, document, tables);
        }
    }

    private void addDifferent(long key, String id, Chunk chunk, int document, TableSide tables) {
        boolean small = chunk.size(document) <= MAX_PARSED;
        String inDump = small ? row.json(chunk, document) : null;
        if (small && inDump == null) {
            return; // a rejected document that repeats the _id of another
        }
        String inTable = small ? tables.json(pairing.table(), pairing.keyType(), id) : null;
        different.put(
                key,
                inDump == null || inTable == null
                        ? JsonDifference.tooLarge(id)
                        : JsonDifference.of(id, inDump, inTable));
    }

    /**
     * Names rows that only the table has.
     *
     * @param where see {@link Sample#where}
     */
    void findRows(TableSide tables, String where) {
        if (matching.has(Kind.ONLY_IN_TABLE)) {
            tables.find(pairing.table(), where, key -> matching.kind(key) == Kind.ONLY_IN_TABLE, onlyInTable::add);
        }
    }

    List<String> onlyInDump() {
        return List.copyOf(onlyInDump.values());
    }

    List<String> onlyInTable() {
        return List.copyOf(onlyInTable);
    }

    List<DifferentRow> different() {
        return List.copyOf(different.values());
    }
}
