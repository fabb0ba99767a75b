package io.pgstress.extra.oplog;

import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.importer.table.CopyErrors;
import io.pgstress.importer.table.ReplayProgress;
import io.pgstress.target.driver.ServerErrors;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies operations in order, many in a transaction, which also records how many are applied. A batch that the server refuses
 * is divided until the refused operation is found, which becomes a reject. A command has a transaction of its own. Used by one
 * thread.
 */
final class OperationBatches {
    private static final int MAX_OPERATIONS = 2_000;
    private static final long MAX_BYTES = 4L << 20;
    private static final int TRIES = 10;

    private final Connection connection;
    private final ReplayProgress progress;
    private final ReplayTables tables;
    private final Namespaces namespaces;
    private final Batch batch;
    private final OplogCommands commands;
    private final Rejects rejects;
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
            Batch batch,
            Rejects rejects,
            long skipped) {
        this.connection = connection;
        this.progress = progress;
        this.tables = tables;
        this.namespaces = namespaces;
        this.batch = batch;
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
                && namespaces
                        .reasonAgainst(operation.database(), operation.collection())
                        .isEmpty();
        if (!selected || tables.find(namespaces.table(operation.database(), operation.collection())) != null) {
            return false;
        }
        flush(); // an operation before it must not see the table
        tables.create(namespaces.table(operation.database(), operation.collection()));
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
                connection.rollback();
                tables.reopen();
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

    private boolean tryToApply(List<OplogOperation> operations) throws SQLException, IOException {
        requireLock();
        Tally tally = new Tally();
        if (operations.get(0).kind() == Kind.COMMAND) {
            try {
                commands.apply(operations.get(0), tally);
            } catch (EntryException e) {
                connection.rollback();
                tables.reopen();
                refuse(operations.get(0), e);
                return true;
            }
        } else if (!batch.apply(operations, tally)) {
            connection.rollback();
            tables.reopen();
            return false;
        }
        commit(operations, tally);
        return true;
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
        rejects.write(tally.refused(), operations, applied);
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
