package io.pgstress.importer;

import io.pgstress.bson.Chunk;
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

    /** @param connection not in autocommit mode */
    ChunkLoader(Connection connection, CopyRun run) {
        this.connection = connection;
        this.run = run;
    }

    void load(TableImport table, Chunk chunk) throws SQLException, IOException {
        load(table, chunk, 0, chunk.count());
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
        table.loaded(rows);
    }

    private void loadedBefore(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        boolean halved = ProgressTable.isHalved(connection, table.loadTable(), chunk.ordinal(from), to - from);
        connection.rollback();
        if (halved) {
            halve(table, chunk, from, to);
        } else {
            table.skipped(to - from);
        }
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
