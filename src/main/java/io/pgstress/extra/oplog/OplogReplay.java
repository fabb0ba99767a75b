package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.importer.progress.ProgressTables;
import io.pgstress.importer.progress.ReplayProgress;
import io.pgstress.importer.table.TableForms;
import io.pgstress.importer.table.TableNames;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays an oplog once the rows of its dump are loaded. The changes happened while the dump was made, so some of them are in
 * it: every operation may be applied again. Used by one thread.
 */
public final class OplogReplay {
    /**
     * What the replay depends on.
     *
     * @param json how documents become JSON
     * @param keyType the type of keys in new tables; null for one that fits
     * @param rejects directory of the files of rejects
     * @param resume whether to continue an interrupted replay
     * @param progress receives the progress
     */
    public record Settings(
            JsonOptions json, @Nullable KeyType keyType, Path rejects, boolean resume, Progress progress) {}

    /** Receives the progress of a replay. */
    public interface Progress {
        /**
         * Reports progress.
         *
         * @param operations operations applied so far
         * @param bytesRead bytes of the input read so far, compressed if it is
         * @param bytesTotal bytes of the input; -1 if unknown
         */
        void applied(long operations, long bytesRead, long bytesTotal);
    }

    private final Oplog oplog;
    private final Connection connection;
    private final Dialect dialect;
    private final Settings settings;
    private final Namespaces namespaces;
    private final ReplayProgress progress;
    private final KeyLook look;
    private final boolean begun;

    /**
     * Reads the oplog's keys and collections, and finds out whether a replay of it is to be continued.
     *
     * @param connection a connection in autocommit mode
     * @param collections those of the dump
     */
    public OplogReplay(
            Oplog oplog,
            Connection connection,
            Dialect dialect,
            Settings settings,
            ProgressTables progressTables,
            TableNames names,
            List<DumpCollection> collections)
            throws SQLException, IOException, InterruptedException {
        this.oplog = oplog;
        this.connection = connection;
        this.dialect = dialect;
        this.settings = settings;
        this.namespaces = new Namespaces(names, oplog.filter(), collections);
        List<TableName> targets = collections.stream().map(names::of).toList();
        this.progress = progressTables.replay(connection, oplog.mark(), targets);
        this.look = KeyLook.at(oplog);
        this.begun = settings.resume() && progress.hasBegun();
    }

    /**
     * What prevents the replay, before anything is written: tables that are neither the dump's nor made by a replay, and
     * rejects of an earlier replay that would be lost.
     */
    public List<String> problems(IfExists ifExists) throws SQLException, IOException {
        List<String> problems = new ArrayList<>();
        if (ifExists == IfExists.FAIL && !begun) {
            problems.addAll(namespaces.foreign(look.changed(), connection));
        }
        boolean keeps = !begun && (settings.resume() || ifExists == IfExists.APPEND);
        String rejects = Rejects.problem(settings.rejects(), oplog, keeps);
        if (!rejects.isEmpty()) {
            problems.add(rejects);
        }
        return problems;
    }

    /** Deletes the rejects of an earlier replay, before the rows are loaded again. */
    public void clear() throws IOException {
        new Rejects(settings.rejects(), false).close();
    }

    /** Whether an earlier replay is continued: all rows were loaded before. */
    public boolean hasBegun() {
        return begun;
    }

    /** The kinds of the keys that the oplog inserts, by namespace. */
    public Map<String, KeyKinds> kinds() {
        return look.kinds();
    }

    /** The summary if the rows were not loaded completely. */
    public OplogSummary notReplayed() {
        return OplogSummary.nothing("the oplog was not replayed, because the rows are not complete");
    }

    /**
     * Replays the oplog, or the rest of it.
     *
     * @throws SQLException if the server ends it early; it can be resumed
     */
    public OplogSummary run() throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        boolean fast = dialect.transactions().commitsInOnePlace();
        progress.begin();
        connection.setAutoCommit(false);
        try (Rejects rejects = new Rejects(settings.rejects(), begun)) {
            set("synchronous_commit", fast ? "off" : "on");
            return run(rejects, start);
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private OplogSummary run(Rejects rejects, long start) throws SQLException, IOException, InterruptedException {
        ValueJson values = new ValueJson(settings.json());
        ReplayTables tables = new ReplayTables(
                connection, new TableForms(connection, dialect, settings.keyType()), settings.json(), tableKinds());
        long skip = progress.applied();
        connection.commit();
        Batch batch = new Batch(tables, namespaces, new RowStore(connection), values);
        Replay replay = new Replay(connection, progress, tables, namespaces, batch, rejects, skip);
        String fault = "";
        MongoDump dump = oplog.open();
        OplogReader reader = new OplogReader(oplog.collection(), oplog.limit(), each -> next(replay, each, dump));
        try (dump) {
            Oplog.read(dump, reader);
            if (!reader.hasBegun()) {
                fault = "there is no oplog in " + oplog.path();
            }
        } catch (BsonException e) {
            fault = "the rest was not replayed: " + e.getMessage();
        } catch (ReplayException e) {
            throw e.sql();
        }
        replay.flush();
        set("synchronous_commit", "on");
        if (fault.isEmpty()) {
            progress.complete();
        }
        connection.commit();
        tables.analyze();
        connection.commit();
        return summary(reader, replay, rejects, values.altered(), fault, (System.nanoTime() - start) / 1e9);
    }

    private void next(Replay replay, Operation operation, MongoDump dump) throws IOException {
        try {
            long before = replay.applied();
            replay.next(operation);
            if (replay.applied() != before) {
                settings.progress().applied(replay.applied(), dump.bytesRead(), dump.bytesTotal());
            }
        } catch (SQLException e) {
            throw new ReplayException(e);
        }
    }

    private Map<TableName, KeyKinds> tableKinds() {
        Map<TableName, KeyKinds> byTable = new HashMap<>();
        look.kinds().forEach((namespace, found) -> {
            int dot = namespace.indexOf('.');
            if (dot > 0 && dot < namespace.length() - 1) {
                byTable.put(namespaces.table(namespace.substring(0, dot), namespace.substring(dot + 1)), found);
            }
        });
        return byTable;
    }

    private OplogSummary summary(
            OplogReader reader, Replay replay, Rejects rejects, Alterations altered, String fault, double seconds) {
        Tally total = replay.total();
        List<String> notes = new ArrayList<>(total.notes());
        if (reader.openTransactions() > 0) {
            notes.add(reader.openTransactions() + " transactions were still open at the end, and were not applied");
        }
        return new OplogSummary(
                reader.entries(),
                reader.noChange(),
                replay.skipped(),
                new TreeMap<>(total.applied()),
                total.missingCount(),
                altered.nulDocuments() + altered.utf8Documents() + altered.duplicateKeyDocuments(),
                new TreeMap<>(total.leftOut()),
                new TreeMap<>(rejects.counts()),
                reader.entries() == 0 ? "" : OplogEntry.text(reader.lastTime()),
                seconds,
                fault,
                notes);
    }

    private void set(String setting, String value) throws SQLException {
        ControlSql.execute(connection, "set " + setting + " = " + value);
    }
}
