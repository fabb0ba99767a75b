package io.pgstress.importer;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.TableNames;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.dialect.Dialect;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The replay of an oplog, which follows the rows of its dump. Used by one thread. */
public interface Replay {
    /** An oplog that is to be replayed. */
    interface Source {
        /** The oplog in its dump. */
        DumpCollection collection();

        /**
         * Reads the oplog's keys and collections, and finds out whether a replay of it is to be continued.
         *
         * @param connection a connection in autocommit mode
         * @param dump the dump whose rows the replay follows
         * @param state receives how far the replay has come, in words
         */
        Replay open(
                Connection connection,
                Dialect dialect,
                ImportOptions options,
                ProgressTables progressTables,
                TableNames names,
                MongoDump dump,
                Consumer<String> state)
                throws SQLException, IOException, InterruptedException;
    }

    /**
     * What prevents the replay, before anything is written: tables that are neither the dump's nor made by a replay, and
     * rejects of an earlier replay that would be lost.
     */
    List<String> problems(IfExists ifExists) throws SQLException, IOException;

    /** Deletes the rejects of an earlier replay, before the rows are loaded again. */
    void clear() throws IOException;

    /** Whether an earlier replay is continued: all rows were loaded before. */
    boolean hasBegun();

    /** The kinds of the keys that the oplog inserts, by namespace. */
    Map<String, KeyKinds> kinds();

    /**
     * Replays the oplog, or the rest of it.
     *
     * @throws SQLException if the server ends it early; it can be resumed
     */
    OplogSummary run() throws SQLException, IOException, InterruptedException;
}
