package io.pgstress.extra.oplog;

import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.extra.oplog.ReplayTable.Slot;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies operations on documents together: reads the rows that updates need, applies the operations in order, and writes each
 * document once. Used by one thread.
 */
final class Batch {
    /** An operation on a document; {@code json} is the new document, null if it is an update or a delete. */
    private record Change(
            OplogOperation operation, Slot slot, @Nullable String json) {}

    /** Maximum characters of rows in memory; a batch with larger rows is divided. */
    private static final long MAX_CHARS = 32L << 20;

    private final ReplayTables tables;
    private final Namespaces namespaces;
    private final RowStore rows;
    private final ValueJson values;
    private final Updates updates;

    Batch(ReplayTables tables, Namespaces namespaces, RowStore rows, ValueJson values) {
        this.tables = tables;
        this.namespaces = namespaces;
        this.rows = rows;
        this.values = values;
        this.updates = new Updates(values);
    }

    /** Applies the operations, and counts them; false if their rows are too large to be in memory together. */
    boolean apply(List<OplogOperation> operations, Tally tally) throws SQLException {
        try {
            List<Change> changes = changes(operations, tally);
            for (ReplayTable table : tables.open()) {
                if (!rows.load(table, MAX_CHARS)) {
                    return false;
                }
            }
            changes.forEach(change -> apply(change, tally));
            for (ReplayTable table : tables.open()) {
                rows.write(table);
            }
            return true;
        } finally {
            tables.clear();
        }
    }

    private List<Change> changes(List<OplogOperation> operations, Tally tally) throws SQLException {
        List<Change> changes = new ArrayList<>();
        for (OplogOperation each : operations) {
            try {
                Change change = change(each, tally);
                if (change != null) {
                    changes.add(change);
                }
            } catch (EntryException e) {
                tally.refused(each, e);
            }
        }
        return changes;
    }

    /** The change that an operation makes; null if it is left out, or if there is no table. */
    private @Nullable Change change(OplogOperation operation, Tally tally) throws SQLException {
        BsonFields content = operation.required();
        String against = namespaces.reasonAgainst(operation.database(), operation.collection());
        if (!against.isEmpty()) {
            tally.leftOut(against);
            return null;
        }
        ReplayTable table = tables.find(namespaces.table(operation.database(), operation.collection()));
        if (table == null) {
            tally.missing();
            return null;
        }
        boolean whole =
                operation.kind() == Kind.INSERT || (operation.kind() == Kind.UPDATE && Updates.isReplacement(content));
        String json = whole ? values.document(content) : null;
        BsonFields selector = operation.selector();
        boolean selected = operation.kind() == Kind.UPDATE && selector != null && selector.find("_id") != null;
        Slot slot = table.slot(selected && selector != null ? selector : content);
        if (whole || operation.kind() == Kind.DELETE) {
            slot.settle();
        } else {
            slot.need();
        }
        return new Change(operation, slot, json);
    }

    private void apply(Change change, Tally tally) {
        OplogOperation operation = change.operation();
        Slot slot = change.slot();
        switch (operation.kind()) {
            case INSERT -> slot.change(change.json());
            case DELETE -> slot.change(null);
            default -> {
                try {
                    if (!update(change, slot)) {
                        tally.missing();
                        return;
                    }
                } catch (EntryException e) {
                    tally.refused(operation, e);
                    return;
                }
            }
        }
        tally.applied(kind(operation.kind()));
    }

    private static String kind(Kind kind) {
        return switch (kind) {
            case INSERT -> "insert";
            case UPDATE -> "update";
            default -> "delete";
        };
    }

    /** Updates a document; false if there is none. */
    private boolean update(Change change, Slot slot) {
        String before = slot.json();
        OplogOperation operation = change.operation();
        if (change.json() != null) {
            slot.change(change.json());
            return true;
        }
        BsonFields selector = operation.selector();
        if (before == null && operation.upsert() && selector != null) {
            before = values.document(selector);
        }
        if (before == null) {
            return false;
        }
        slot.change(updates.apply(before, operation.required()));
        return true;
    }
}
