package io.pgstress.importer;

import io.pgstress.bson.Chunk;
import io.pgstress.importer.verify.Checksum;
import io.pgstress.target.driver.ServerErrors;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Loads each chunk in a transaction of its own: its entry in the progress table first, then its rows. Where the server
 * refuses rows, the chunk is halved, by fresh transactions with entries of their own, until the documents that it refuses
 * are found; these are rejects. Belongs to one thread.
 */
final class ChunkLoader {
    private static final int TRIES = 10;

    private final Connection connection;
    private final CopyRun run;
    private final boolean verify;

    /**
     * @param connection not in autocommit mode
     * @param verify whether documents that were loaded before are to be summed up
     */
    ChunkLoader(Connection connection, CopyRun run, boolean verify) {
        this.connection = connection;
        this.run = run;
        this.verify = verify;
    }

    void load(TableImport table, Chunk chunk) throws SQLException, IOException {
        if (table.isDone()) {
            table.skipped(chunk.count());
        } else {
            load(table, chunk, 0, chunk.count());
        }
    }

    private void load(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        long first = chunk.ordinal(from);
        int documents = to - from;
        SQLException refused = null;
        for (int left = TRIES; left > 0; left--) {
            try {
                if (!ProgressTable.enter(connection, table.loadTable(), first, documents, false)) {
                    loadedBefore(table, chunk, from, to);
                    return;
                }
                copy(table, chunk, from, to);
                return;
            } catch (SQLException e) {
                boolean again = Refusals.isTransient(e) && left > 1;
                if (!again && !Refusals.isOfTheData(e)) {
                    throw e;
                }
                connection.rollback();
                refused = e;
                if (!again) {
                    break;
                }
            }
        }
        if (refused != null) {
            refused(table, chunk, from, to, refused);
        }
    }

    private void copy(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        long rows = run.copy(table, chunk, from, to);
        for (CopyRun.Unconverted each : run.unconverted()) {
            reject(
                    table,
                    chunk,
                    each.document(),
                    each.why().fault().text(),
                    each.why().message());
        }
        long start = System.nanoTime();
        connection.commit();
        run.waited(System.nanoTime() - start);
        int sent = to - from - run.unconverted().size();
        table.loaded(rows, new Checksum(sent, run.hashes()));
    }

    private void loadedBefore(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        boolean halved = ProgressTable.isHalved(connection, table.loadTable(), chunk.ordinal(from), to - from);
        connection.rollback();
        if (halved) {
            halve(table, chunk, from, to);
        } else {
            table.skipped(to - from);
            if (verify) {
                sumOfLoaded(table, chunk, from, to);
            }
        }
    }

    /** What an earlier import has loaded of these documents: all but its rejects. */
    private void sumOfLoaded(TableImport table, Chunk chunk, int from, int to) throws SQLException {
        Checksum sum = Checksum.NONE;
        for (int i = from; i < to; i++) {
            if (!table.wasRejected(chunk.ordinal(i))) {
                sum = sum.plus(run.checksum(table, chunk, i));
            }
        }
        table.expectation().add(sum);
    }

    private void refused(TableImport table, Chunk chunk, int from, int to, SQLException refused)
            throws SQLException, IOException {
        boolean single = to - from == 1;
        if (single) {
            String kind = "refused by the server, SQLSTATE " + ServerErrors.stateOf(refused);
            reject(table, chunk, from, kind, kind + ": " + ServerErrors.sampleOf(refused));
        }
        ProgressTable.enter(connection, table.loadTable(), chunk.ordinal(from), to - from, !single);
        connection.commit();
        if (!single) {
            halve(table, chunk, from, to);
        }
    }

    private void halve(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        int middle = (from + to) >>> 1;
        load(table, chunk, from, middle);
        load(table, chunk, middle, to);
    }

    private static void reject(TableImport table, Chunk chunk, int i, String kind, String why) throws IOException {
        table.reject(chunk.array(), chunk.start(i), chunk.size(i), chunk.ordinal(i), chunk.offset(i), kind, why);
    }
}
