package io.pgstress.extra.diff;

import io.pgstress.bson.Chunk;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.Matching.Kind;
import io.pgstress.extra.diff.TableComparison.Pairing;
import io.pgstress.extra.diff.TableComparison.Sample;
import io.pgstress.importer.DocumentRow;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.target.driver.TargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/**
 * Finds the ids of what a {@link Matching} kept, and the paths at which rows differ. Used by one thread, but rows are
 * received on that of {@link TableSide}, while this one waits or adds only documents.
 */
final class DifferenceNames {
    /** Larger documents are not parsed to find the path, so that memory stays bounded. */
    private static final int MAX_PARSED = 1 << 20;

    /** Rows that are fetched with one statement. */
    private static final int MAX_WAITING = 200;

    private static final int MAX_CHARACTERS = 1 << 21;

    /** A document that waits for its row. */
    private record Waiting(String id, String json) {}

    private final Pairing pairing;
    private final OnDuplicate onDuplicate;
    private final Matching matching;
    private final DocumentRow row;
    private final LongPredicate isLeftOut;
    private final Map<Long, String> onlyInDump = new LinkedHashMap<>();
    private final Map<Long, DifferentRow> different = new LinkedHashMap<>();
    private final List<String> onlyInTable = new ArrayList<>();
    private final Map<Long, Waiting> waiting = new HashMap<>();
    private long waitingCharacters;

    DifferenceNames(
            Pairing pairing, OnDuplicate onDuplicate, Matching matching, DocumentRow row, LongPredicate isLeftOut) {
        this.isLeftOut = isLeftOut;
        this.pairing = pairing;
        this.onDuplicate = onDuplicate;
        this.matching = matching;
        this.row = row;
    }

    /** Whether the dump must be read again. */
    boolean needDump() {
        return matching.has(Kind.ONLY_IN_DUMP) || matching.has(Kind.DIFFERENT);
    }

    /** DifferenceNames those of the documents that differ from their row or have none. */
    void add(Chunk chunk, TableSide tables) throws InterruptedException {
        for (int i = 0; i < chunk.count(); i++) {
            boolean compared = !isLeftOut.test(chunk.ordinal(i)) && row.hashKey(chunk, i);
            Kind kind = compared ? matching.kind(row.keyHash()) : null;
            if (kind == Kind.ONLY_IN_DUMP || kind == Kind.DIFFERENT) {
                add(row.keyHash(), kind, chunk, i);
            }
            if (waiting.size() >= MAX_WAITING || waitingCharacters >= MAX_CHARACTERS) {
                compareWaiting(tables);
            }
        }
    }

    private void add(long key, Kind kind, Chunk chunk, int document) {
        String id = row.keyText();
        if (kind == Kind.ONLY_IN_DUMP) {
            onlyInDump.put(key, id);
        } else if (onDuplicate == OnDuplicate.REPLACE || !(different.containsKey(key) || waiting.containsKey(key))) {
            addDifferent(key, id, chunk, document);
        }
    }

    private void addDifferent(long key, String id, Chunk chunk, int document) {
        if (chunk.size(document) > MAX_PARSED) {
            waiting.remove(key);
            different.put(key, JsonDifference.tooLarge(id));
            return;
        }
        String json = row.json(chunk, document);
        if (json != null) { // otherwise it is a rejected document that repeats the _id of another
            waiting.put(key, new Waiting(id, json));
            waitingCharacters += json.length();
        }
    }

    /** Compares the documents that wait for their rows; must be called at the end as well. */
    void compareWaiting(TableSide tables) throws InterruptedException {
        if (waiting.isEmpty()) {
            return;
        }
        List<String> keys = waiting.values().stream().map(Waiting::id).toList();
        tables.read(pairing.table(), keys, (key, json) -> {
            Waiting document = waiting.remove(key);
            if (document != null) {
                different.put(
                        key,
                        json == null
                                ? JsonDifference.tooLarge(document.id())
                                : JsonDifference.of(document.id(), document.json(), json));
            }
        });
        if (!waiting.isEmpty()) {
            throw new TargetException("table " + pairing.table() + " has no row with the _id "
                    + waiting.values().iterator().next().id() + ", although it was read before: do its nodes agree?");
        }
        waitingCharacters = 0;
    }

    /**
     * Begins to name rows that only the table has.
     *
     * @param where see {@link Sample#where}
     */
    CompletableFuture<Void> findRows(TableSide tables, String where) {
        return matching.has(Kind.ONLY_IN_TABLE)
                ? tables.find(pairing.table(), where, key -> matching.kind(key) == Kind.ONLY_IN_TABLE, onlyInTable::add)
                : CompletableFuture.completedFuture(null);
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
