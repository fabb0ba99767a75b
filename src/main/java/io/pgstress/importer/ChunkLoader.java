package io.pgstress.importer;

import io.pgstress.bson.Chunk;
import io.pgstress.importer.table.CopyErrors;
import io.pgstress.importer.table.LoadedChunks;
import io.pgstress.importer.table.TableImport;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Loads each chunk in its own transaction, or in its own part of one: first its entry in the progress table, then its rows. If the server refuses rows,
 * the chunk is halved, in new transactions with their own entries, until the refused documents are found; these are rejects.
 * Used by one thread.
 */
final class ChunkLoader {
    private static final int TRIES = 10;

    private final ChunkTransaction transaction;
    private final LoadedChunks chunks;
    private final CopyRun run;
    private final RejectLimit limit;
    /** Documents of the chunk already recorded as rejects, even if the transaction is rolled back. */
    private final BitSet rejected = new BitSet();

    private final SuspectDocuments suspects = new SuspectDocuments();

    ChunkLoader(ChunkTransaction transaction, LoadedChunks chunks, CopyRun run, RejectLimit limit) {
        this.transaction = transaction;
        this.chunks = chunks;
        this.run = run;
        this.limit = limit;
    }

    /** Loads a chunk that was parsed. */
    void load(TableImport table, Chunk chunk) throws SQLException, IOException {
        table.read(chunk.count(), chunk.length());
        table.see(chunk);
        if (table.isDone()) {
            skip(table, chunk, 0, chunk.count());
        } else {
            limit.check();
            rejected.clear();
            synchronized (transaction.connection()) {
                load(table, chunk, 0, chunk.count());
                rejectSuspects(table, chunk);
            }
        }
    }

    private void load(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        LoadedChunks.Part part = part(chunk, from, to);
        int documents = to - from;
        SQLException refused = null;
        boolean triedAgain = false;
        for (int left = TRIES; left > 0; left--) {
            try {
                if (!enter(table, part, false)) {
                    loadedBefore(table, chunk, from, to, part);
                    return;
                }
                if (copy(table, chunk, from, to) > 0) {
                    suspects.accepted();
                    rejectSuspects(table, chunk);
                }
                return;
            } catch (SQLException e) {
                boolean suspect = documents == 1 && CopyErrors.isUnclear(e) && !triedAgain;
                boolean again = (CopyErrors.isTransient(e) || suspect) && left > 1;
                triedAgain |= suspect;
                if ((!again && !CopyErrors.isOfTheData(e)) || !transaction.canRollBack()) {
                    throw e;
                }
                transaction.rollback();
                refused = e;
                if (!again) {
                    break;
                }
            }
        }
        if (refused != null && !(documents > 1 && loadNew(table, chunk, from, to, refused))) {
            refused(table, chunk, from, to, refused);
        }
    }

    /** Loads documents of which the server refused one as a duplicate, and rejects all duplicates; false if that is not the cause. */
    private boolean loadNew(TableImport table, Chunk chunk, int from, int to, SQLException refused)
            throws SQLException, IOException {
        if (!CopyErrors.isDuplicate(refused) || table.isStaged() || (from > 0 || to < chunk.count())) {
            return false;
        }
        List<Integer> duplicates = new ArrayList<>();
        try {
            if (!enter(table, part(chunk, from, to), false)) {
                transaction.rollback(); // loaded by somebody else meanwhile
                return false;
            }
            long rows = run.copyNew(table, chunk, from, to, duplicates);
            if (duplicates.isEmpty()) {
                transaction.rollback();
                return false;
            }
            for (int each : duplicates) {
                reject(table, chunk, each, CopyErrors.phrase(refused), reason(refused));
            }
            commit(table, chunk, from, to, rows);
            return true;
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e)) {
                throw e;
            }
            transaction.rollback(); // no temporary tables here, or another row is refused as well: find them one by one
            return false;
        }
    }

    private boolean enter(TableImport table, LoadedChunks.Part part, boolean halved) throws SQLException {
        transaction.begin();
        return chunks.enter(transaction.connection(), table.loadTable(), part, halved);
    }

    private static LoadedChunks.Part part(Chunk chunk, int from, int to) {
        return new LoadedChunks.Part(chunk.ordinal(from), to - from, chunk.checksum(from, to));
    }

    private static int bytes(Chunk chunk, int from, int to) {
        return chunk.start(to - 1) + chunk.size(to - 1) - chunk.start(from);
    }

    /** Returns the number of rows. */
    private long copy(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        long rows = run.copy(table, chunk, from, to);
        commit(table, chunk, from, to, rows);
        return rows;
    }

    private void commit(TableImport table, Chunk chunk, int from, int to, long rows) throws SQLException, IOException {
        for (CopyRun.Unconverted each : run.unconverted()) {
            reject(
                    table,
                    chunk,
                    each.document(),
                    each.why().fault().text(),
                    each.why().message());
        }
        table.flushRejects();
        long start = System.nanoTime();
        transaction.commit();
        run.waited(System.nanoTime() - start);
        table.loaded(rows, bytes(chunk, from, to), run.altered());
    }

    private void loadedBefore(TableImport table, Chunk chunk, int from, int to, LoadedChunks.Part part)
            throws SQLException, IOException {
        boolean halved = chunks.isHalved(transaction.connection(), table.loadTable(), part);
        transaction.rollback();
        if (halved) {
            halve(table, chunk, from, to);
        } else {
            skip(table, chunk, from, to);
        }
    }

    /** Counts documents that an earlier part of the import has loaded. Those that it rejected are counted as rejects. */
    private static void skip(TableImport table, Chunk chunk, int from, int to) {
        table.skipped(IntStream.range(from, to)
                .filter(i -> !table.wasRejected(chunk.ordinal(i)))
                .count());
    }

    private void refused(TableImport table, Chunk chunk, int from, int to, SQLException refused)
            throws SQLException, IOException {
        if (to - from > 1) {
            enter(table, part(chunk, from, to), true);
            transaction.commit();
            halve(table, chunk, from, to);
        } else if (CopyErrors.isUnclear(refused)) {
            suspects.add(from, refused);
        } else {
            reject(table, chunk, from, refused);
        }
    }

    private void rejectSuspects(TableImport table, Chunk chunk) throws SQLException, IOException {
        for (SuspectDocuments.Refused each : suspects.takeAll()) {
            reject(table, chunk, each.document(), each.why());
        }
    }

    private void reject(TableImport table, Chunk chunk, int i, SQLException why) throws SQLException, IOException {
        reject(table, chunk, i, CopyErrors.phrase(why), reason(why));
        table.flushRejects();
        enter(table, part(chunk, i, i + 1), false);
        transaction.commit();
        limit.checkFarBeyond();
    }

    private static String reason(SQLException why) {
        return CopyErrors.phrase(why) + ": " + ServerErrors.sampleOf(why);
    }

    private void halve(TableImport table, Chunk chunk, int from, int to) throws SQLException, IOException {
        int middle = (from + to) >>> 1;
        load(table, chunk, from, middle);
        load(table, chunk, middle, to);
    }

    /** Records a reject once, even if the transaction is retried. */
    private void reject(TableImport table, Chunk chunk, int i, String kind, String why) throws IOException {
        if (!rejected.get(i)) {
            limit.add(table.reject(chunk, i, kind, why) ? 1 : 0);
            rejected.set(i);
        }
    }

    /**
     * The transaction of a chunk; of an atomic import, a part of the transaction of all rows. Used by one thread, under the lock
     * of the connection, which an atomic import shares with the thread that creates tables.
     *
     * @param connection a connection not in autocommit mode
     * @param isPart whether it is a part of an open transaction
     * @param hasSavepoints whether the server can roll back a part
     */
    record ChunkTransaction(Connection connection, boolean isPart, boolean hasSavepoints) {
        private static final String NAME = "savepoint stress_chunk";

        void begin() throws SQLException {
            if (isPart && hasSavepoints) {
                ControlSql.execute(connection, NAME);
            }
        }

        void commit() throws SQLException {
            if (!isPart) {
                connection.commit();
            } else if (hasSavepoints) {
                ControlSql.execute(connection, "release " + NAME);
            }
        }

        boolean canRollBack() {
            return !isPart || hasSavepoints;
        }

        void rollback() throws SQLException {
            if (!isPart) {
                connection.rollback();
            } else {
                ControlSql.execute(connection, "rollback to " + NAME, "release " + NAME);
            }
        }
    }

    /**
     * Single documents that the server refused without saying that they are at fault. They become rejects once it accepts another
     * document, or at the end of their chunk. If too many are refused in a row, the cause is something else. Used by one thread.
     */
    static final class SuspectDocuments {
        /** A document of a chunk, and the server's error. */
        record Refused(int document, SQLException why) {}

        static final int MAX_IN_A_ROW = 100;

        private final List<Refused> open = new ArrayList<>();
        private int row;

        /** @throws TargetException if so many are refused in a row that the documents cannot be the cause */
        void add(int document, SQLException why) {
            open.add(new Refused(document, why));
            row++;
            if (row >= MAX_IN_A_ROW) {
                open.clear();
                throw new TargetException(
                        "the server refused " + MAX_IN_A_ROW + " documents in a row, one by one, and does not say why: "
                                + ServerErrors.sampleWithState(why)
                                + "; see its log, and if they are duplicates, use --on-duplicate skip or replace",
                        why);
            }
        }

        /** Notes that the server accepted a document, so those before it are at fault. */
        void accepted() {
            row = 0;
        }

        /** Removes and returns the suspects. */
        List<Refused> takeAll() {
            List<Refused> taken = List.copyOf(open);
            open.clear();
            return taken;
        }
    }
}
