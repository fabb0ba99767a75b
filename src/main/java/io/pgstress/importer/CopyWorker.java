package io.pgstress.importer;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.Reject;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.CopyStream;
import io.pgstress.target.driver.ServerErrors;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;

/**
 * Converts chunks and loads each in a transaction of its own, on a connection of its own: the chunk's entry in the
 * progress table first, then its rows. Where the server refuses the rows, the chunk is halved, by fresh transactions, until
 * the documents that it refuses are found; these are rejects. Belongs to one thread.
 */
final class CopyWorker implements Runnable {
    private static final int SEND = 1 << 16;
    private static final int SINK = 4 << 20;

    private final ChunkQueue queue;
    private final Connector connector;
    private final JsonOptions json;
    private final Runnable progress;
    private final IdentityHashMap<TableImport, RowEncoder> encoders = new IdentityHashMap<>();
    private final ByteSink sink = new ByteSink(1 << 20);
    private long convertNanos;
    private long waitNanos;

    CopyWorker(ChunkQueue queue, Connector connector, JsonOptions json, Runnable progress) {
        this.queue = queue;
        this.connector = connector;
        this.json = json;
        this.progress = progress;
    }

    @Override
    public void run() {
        try (Connection connection = connector.openControl()) {
            connection.setAutoCommit(false);
            work(connection);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | IOException | RuntimeException e) {
            queue.failed(e);
            passOver();
        }
    }

    /** After a failure: keeps the reader from waiting for chunks for ever. */
    private void passOver() {
        try {
            for (ChunkQueue.Work work = queue.take(); work.chunk() != null; work = queue.take()) {
                queue.giveBack(work.chunk());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work(Connection connection) throws InterruptedException, SQLException, IOException {
        while (true) {
            ChunkQueue.Work work = queue.take();
            Chunk chunk = work.chunk();
            TableImport table = work.table();
            if (chunk == null || table == null) {
                encoders.forEach((t, encoder) -> t.tally(encoder.tally()));
                return;
            }
            try {
                if (queue.failure() == null) {
                    load(connection, table, chunk);
                }
            } finally {
                queue.giveBack(chunk);
            }
            progress.run();
        }
    }

    private void load(Connection connection, TableImport table, Chunk chunk) throws SQLException, IOException {
        if (!ProgressTable.enter(connection, table.loadTable(), chunk.ordinal(0), chunk.count())) {
            connection.rollback();
            table.skipped(chunk.count());
            return;
        }
        try {
            long rows = copy(connection, table, chunk, 0, chunk.count(), true);
            long start = System.nanoTime();
            connection.commit();
            waitNanos += System.nanoTime() - start;
            table.loaded(rows);
        } catch (SQLException e) {
            if (!isOfTheData(e)) {
                throw e;
            }
            connection.rollback();
            halve(connection, table, chunk, 0, chunk.count(), e);
            enterAfterwards(connection, table, chunk);
        }
    }

    /** A chunk in halves is not one transaction: a resume after a kill midway meets duplicates, which are told. */
    private void enterAfterwards(Connection connection, TableImport table, Chunk chunk) throws SQLException {
        ProgressTable.enter(connection, table.loadTable(), chunk.ordinal(0), chunk.count());
        connection.commit();
    }

    private void halve(Connection connection, TableImport table, Chunk chunk, int from, int to, SQLException refused)
            throws SQLException, IOException {
        if (to - from == 1) {
            String why = "the server refused it: " + ServerErrors.sampleOf(refused) + " (SQLSTATE "
                    + ServerErrors.stateOf(refused) + ")";
            reject(table, chunk, from, "refused by the server, SQLSTATE " + ServerErrors.stateOf(refused), why);
            return;
        }
        int middle = (from + to) >>> 1;
        part(connection, table, chunk, from, middle);
        part(connection, table, chunk, middle, to);
    }

    private void part(Connection connection, TableImport table, Chunk chunk, int from, int to)
            throws SQLException, IOException {
        try {
            long rows = copy(connection, table, chunk, from, to, false);
            connection.commit();
            table.loaded(rows);
        } catch (SQLException e) {
            if (!isOfTheData(e)) {
                throw e;
            }
            connection.rollback();
            halve(connection, table, chunk, from, to, e);
        }
    }

    /** Whether another set of rows might be taken: not so on a full disk, a lost connection, a missing table. */
    private static boolean isOfTheData(SQLException e) {
        String state = ServerErrors.stateOf(e);
        return ServerErrors.sessionIsAlive(e)
                && !state.startsWith("53")
                && !state.startsWith("42")
                && !state.startsWith("57")
                && !state.startsWith("25");
    }

    private long copy(Connection connection, TableImport table, Chunk chunk, int from, int to, boolean first)
            throws SQLException, IOException {
        RowEncoder encoder = encoders.computeIfAbsent(table, t -> new RowEncoder(json, t.form(), t.isStaged()));
        String columns = table.isStaged() ? "(_seq, _id, data)" : "(_id, data)";
        CopyStream copy = CopyStream.open(
                connection, "copy " + table.loadTable().quoted() + " " + columns + " from stdin with (format binary)");
        boolean ended = false;
        try {
            sink.clear();
            RowEncoder.FORMAT.begin(sink);
            for (int i = from; i < to; i++) {
                long start = System.nanoTime();
                boolean taken = encoder.row(chunk, i, sink);
                convertNanos += System.nanoTime() - start;
                if (!taken && first) {
                    Reject why = encoder.reject();
                    reject(table, chunk, i, why.fault().text(), why.message());
                }
                if (sink.length() >= SEND) {
                    send(copy);
                }
            }
            RowEncoder.FORMAT.end(sink);
            send(copy);
            long start = System.nanoTime();
            long rows = copy.end();
            waitNanos += System.nanoTime() - start;
            ended = true;
            return rows;
        } finally {
            if (!ended) {
                copy.cancel();
            }
            sink.shrink(SINK);
        }
    }

    private void send(CopyStream copy) throws SQLException {
        long start = System.nanoTime();
        copy.write(sink.array(), 0, sink.length());
        waitNanos += System.nanoTime() - start;
        sink.clear();
    }

    private static void reject(TableImport table, Chunk chunk, int i, String kind, String why) throws IOException {
        table.reject(chunk.array(), chunk.start(i), chunk.size(i), chunk.ordinal(i), chunk.offset(i), kind, why);
    }

    double convertSeconds() {
        return convertNanos / 1e9;
    }

    double waitSeconds() {
        return waitNanos / 1e9;
    }
}
