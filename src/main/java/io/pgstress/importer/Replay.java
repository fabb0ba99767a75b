package io.pgstress.importer;

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
        /** The namespace of the oplog in the dump; empty if it is in a file of its own. */
        String namespaceInDump();

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

    /** Deletes the progress and the rejects of an earlier replay, before the rows are loaded again. */
    void clear() throws SQLException, IOException;

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
}
