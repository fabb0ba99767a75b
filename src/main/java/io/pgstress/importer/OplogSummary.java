package io.pgstress.importer;

import java.util.List;
import java.util.Map;

/**
 * The result of a replay; its JSON uses the names of the components.
 *
 * @param entries entries read, up to the limit
 * @param noChange entries that change no document, such as no-ops
 * @param skipped operations that an earlier, interrupted replay had applied
 * @param applied operations applied, by kind: {@code insert}, {@code update}, {@code delete} or the name of a command
 * @param missing updates of documents that are not in the table, which are passed over; such as those deleted later
 * @param altered documents and values that were altered as the options of the conversion allow
 * @param leftOut operations that were not applied, by reason
 * @param rejects operations that could not be applied, by reason
 * @param last time of the last entry, {@code seconds:counter}; empty without entries
 * @param seconds duration
 * @param fault why the replay is incomplete; empty if it is complete
 * @param notes what else the user should know, one line each
 */
public record OplogSummary(
        long entries,
        long noChange,
        long skipped,
        Map<String, Long> applied,
        long missing,
        long altered,
        Map<String, Long> leftOut,
        Map<String, Long> rejects,
        String last,
        double seconds,
        String fault,
        List<String> notes) {

    public OplogSummary {
        notes = List.copyOf(notes);
    }

    /** The summary of an oplog that was not replayed. */
    static OplogSummary nothing(String fault) {
        return new OplogSummary(0, 0, 0, Map.of(), 0, 0, Map.of(), Map.of(), "", 0, fault, List.of());
    }

    public long rejected() {
        return rejects.values().stream().mapToLong(Long::longValue).sum();
    }
}
