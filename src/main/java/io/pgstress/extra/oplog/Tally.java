package io.pgstress.extra.oplog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The counts of a replay, or of a batch that is not committed yet. Not thread-safe. */
final class Tally {
    /** An operation that could not be applied. */
    record Refused(OplogOperation operation, EntryException why) {}

    private static final int MAX_NOTES = 20;

    private final Map<String, Long> applied = new TreeMap<>();
    private final Map<String, Long> leftOut = new TreeMap<>();
    private final List<Refused> refused = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private long missing;
    private long furtherNotes;

    void applied(String kind) {
        applied.merge(kind, 1L, Long::sum);
    }

    void leftOut(String reason) {
        leftOut.merge(reason, 1L, Long::sum);
    }

    void refused(OplogOperation operation, EntryException why) {
        refused.add(new Refused(operation, why));
    }

    void missing() {
        missing++;
    }

    /** Adds a line for the user; of very many only the first are kept. */
    void note(String line) {
        if (notes.size() < MAX_NOTES) {
            notes.add(line);
        } else {
            furtherNotes++;
        }
    }

    /** Adds the counts of a batch that was committed, except for what it refused. */
    void add(Tally batch) {
        batch.applied.forEach((kind, count) -> applied.merge(kind, count, Long::sum));
        batch.leftOut.forEach((reason, count) -> leftOut.merge(reason, count, Long::sum));
        missing += batch.missing;
        batch.notes.forEach(this::note);
    }

    Map<String, Long> applied() {
        return applied;
    }

    Map<String, Long> leftOut() {
        return leftOut;
    }

    List<Refused> refused() {
        return refused;
    }

    long missingCount() {
        return missing;
    }

    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (furtherNotes > 0) {
            all.add("and " + furtherNotes + " more such lines");
        }
        return all;
    }
}
