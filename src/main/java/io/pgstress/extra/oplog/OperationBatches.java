package io.pgstress.extra.oplog;

import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.extra.oplog.OplogOperation.OplogEntry;
import io.pgstress.extra.oplog.ReplayTable.Slot;
import io.pgstress.importer.table.CopyErrors;
import io.pgstress.importer.table.RejectFile;
import io.pgstress.importer.table.ReplayProgress;
import io.pgstress.target.driver.ServerErrors;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies operations in order, many in a transaction, which also records how many are applied. Of a batch, the rows that updates
 * need are read first, and each document is written once. A batch that the server refuses is divided until the refused operation
 * is found, which becomes a reject. A command has a transaction of its own. Used by one thread.
 */
final class OperationBatches {
    /** An operation on a document; {@code json} is the new document, null if it is an update or a delete. */
    private record Change(
            OplogOperation operation, Slot slot, @Nullable String json) {}

    private static final int MAX_OPERATIONS = 2_000;
    private static final long MAX_BYTES = 4L << 20;
    /** Maximum characters of rows in memory; a batch with larger rows is divided. */
    private static final long MAX_CHARS = 8L << 20;

    private static final int TRIES = 10;

    private final Connection connection;
    private final ReplayProgress progress;
    private final ReplayTables tables;
    private final Namespaces namespaces;
    private final ValueJson values;
    private final Updates updates;
    private final OplogCommands commands;
    private final RejectFile rejects;
    private final Tally total = new Tally();
    private final List<OplogOperation> pending = new ArrayList<>();
    private final long skipped;
    private long pendingBytes;
    private long position;
    private long applied;
    private int together = MAX_OPERATIONS;

    /**
     * @param connection a connection not in autocommit mode
     * @param skipped operations that an earlier replay applied
     */
    OperationBatches(
            Connection connection,
            ReplayProgress progress,
            ReplayTables tables,
            Namespaces namespaces,
            ValueJson values,
            RejectFile rejects,
            long skipped) {
        this.connection = connection;
        this.progress = progress;
        this.tables = tables;
        this.namespaces = namespaces;
        this.values = values;
        this.updates = new Updates(values);
        this.commands = new OplogCommands(tables, namespaces);
        this.rejects = rejects;
        this.skipped = skipped;
        this.applied = skipped;
    }

    /** Takes the next operation, and applies those before it if they are many. */
    void next(OplogOperation operation) throws SQLException, IOException {
        if (position++ < skipped) {
            commands.note(operation);
            return;
        }
        boolean command = operation.kind() == Kind.COMMAND;
        if (command || pending.size() >= MAX_OPERATIONS || pendingBytes >= MAX_BYTES || needsTable(operation)) {
            flush();
        }
        if (command) {
            apply(List.of(operation));
        } else {
            pending.add(operation);
            pendingBytes += operation.size();
        }
    }

    /** Creates the table of an insert into a collection that does not exist; returns whether it did. */
    private boolean needsTable(OplogOperation operation) throws SQLException, IOException {
        boolean selected = operation.kind() == Kind.INSERT
                && namespaces.reasonAgainst(operation.namespace()).isEmpty();
        if (!selected || tables.find(namespaces.table(operation.namespace())) != null) {
            return false;
        }
        flush(); // an operation before it must not see the table
        tables.create(namespaces.table(operation.namespace()));
        connection.commit();
        return true;
    }

    /** Applies all operations taken so far. */
    void flush() throws SQLException, IOException {
        int from = 0;
        while (from < pending.size()) {
            int to = Math.min(pending.size(), from + together);
            if (apply(pending.subList(from, to))) {
                from = to;
                together = Math.min(MAX_OPERATIONS, together * 2);
            } else {
                together = Math.max(1, (to - from) / 2);
            }
        }
        pending.clear();
        pendingBytes = 0;
    }

    /** Applies operations in one transaction; false if it must be tried with fewer. */
    private boolean apply(List<OplogOperation> operations) throws SQLException, IOException {
        for (int left = TRIES; ; left--) {
            try {
                return tryToApply(operations);
            } catch (SQLException e) {
                rollBack();
                if (CopyErrors.isTransient(e) && left > 1) {
                    continue;
                }
                if (!CopyErrors.isOfTheData(e) || CopyErrors.isUnclear(e)) {
                    throw e;
                }
                if (operations.size() > 1) {
                    return false;
                }
                refuse(operations.get(0), new EntryException(CopyErrors.phrase(e), ServerErrors.sampleOf(e)));
                return true;
            }
        }
    }

    private void rollBack() throws SQLException {
        connection.rollback();
        tables.reopen();
    }

    private boolean tryToApply(List<OplogOperation> operations) throws SQLException, IOException {
        requireLock();
        Tally tally = new Tally();
        if (operations.get(0).kind() == Kind.COMMAND) {
            try {
                commands.apply(operations.get(0), tally);
            } catch (EntryException e) {
                rollBack();
                refuse(operations.get(0), e);
                return true;
            }
        } else if (!changeRows(operations, tally)) {
            rollBack();
            return false;
        }
        commit(operations, tally);
        return true;
    }

    /** Applies operations on documents, and counts them; false if their rows are too large to be in memory together. */
    private boolean changeRows(List<OplogOperation> operations, Tally tally) throws SQLException {
        try {
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
            for (ReplayTable table : tables.open()) {
                if (!table.load(MAX_CHARS)) {
                    return false;
                }
            }
            changes.forEach(change -> apply(change, tally));
            for (ReplayTable table : tables.open()) {
                table.write();
            }
            return true;
        } finally {
            tables.open().forEach(ReplayTable::clear);
        }
    }

    /** The change that an operation makes; null if it is not applied, or if there is no table. */
    private @Nullable Change change(OplogOperation operation, Tally tally) throws SQLException {
        BsonFields content = operation.required();
        String against = namespaces.reasonAgainst(operation.namespace());
        if (!against.isEmpty()) {
            tally.leftOut(against);
            return null;
        }
        ReplayTable table = tables.find(namespaces.table(operation.namespace()));
        if (table == null) {
            tally.missing();
            return null;
        }
        boolean update = operation.kind() == Kind.UPDATE;
        boolean whole = operation.kind() == Kind.INSERT || (update && Updates.isReplacement(content));
        String json = whole ? values.document(content) : null;
        BsonFields selector = operation.selector();
        Slot slot = table.slot(update && selector != null && selector.find("_id") != null ? selector : content);
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
        if (operation.kind() != Kind.UPDATE || change.json() != null) {
            slot.change(change.json());
            tally.applied(operation.kind().toString());
            return;
        }
        try {
            BsonFields selector = operation.selector();
            String before = slot.json() == null && operation.upsert() && selector != null
                    ? values.document(selector)
                    : slot.json();
            if (before == null) {
                tally.missing();
                return;
            }
            slot.change(updates.apply(before, operation.required()));
            tally.applied(operation.kind().toString());
        } catch (EntryException e) {
            tally.refused(operation, e);
        }
    }

    private void refuse(OplogOperation operation, EntryException why) throws SQLException, IOException {
        requireLock();
        Tally tally = new Tally();
        tally.refused(operation, why);
        commit(List.of(operation), tally);
    }

    /** Locks the progress, which no other replay can have changed. */
    private void requireLock() throws SQLException {
        long found = progress.applied();
        if (found != applied) {
            throw new SQLException("another replay of this oplog is running: it has applied " + found
                    + " operations, this one " + applied);
        }
    }

    private void commit(List<OplogOperation> operations, Tally tally) throws SQLException, IOException {
        progress.applied(applied + operations.size());
        for (Tally.Refused each : tally.refused()) {
            // an entry may have several operations, so their numbers identify rejects when a replay is resumed
            long number = applied + operations.indexOf(each.operation());
            OplogEntry entry = each.operation().entry();
            String why = each.operation().describe() + ": " + each.why().getMessage();
            byte[] bytes = entry.bytes();
            rejects.add(
                    bytes, 0, bytes.length, number, entry.offset(), each.why().kind(), why);
        }
        rejects.flush();
        connection.commit();
        applied += operations.size();
        total.add(tally);
    }

    /** The counts so far. */
    Tally total() {
        return total;
    }

    /** Operations that were applied before, of those that the oplog has. */
    long skipped() {
        return Math.min(position, skipped);
    }

    /** Operations applied so far, with those of an earlier replay. */
    long applied() {
        return applied;
    }
}
