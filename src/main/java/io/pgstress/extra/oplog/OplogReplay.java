package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.dump.LeftOut;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.extra.oplog.OplogOperation.OplogEntry;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.Replay;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.RejectFile;
import io.pgstress.importer.table.ReplayProgress;
import io.pgstress.importer.table.TableForms;
import io.pgstress.importer.table.TableNames;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Replays an oplog once the rows of its dump are loaded. The changes happened while the dump was made, so some of them are in
 * it: every operation may be applied again. Used by one thread.
 */
final class OplogReplay implements Replay {
    /** The name of the files with the entries that could not be applied; no table is likely to have it. */
    private static final String REJECTS = "oplog.bson";

    private final Oplog oplog;
    private final Connection connection;
    private final Dialect dialect;
    private final ImportOptions options;
    private final Consumer<String> state;
    private final Namespaces namespaces;
    private final ReplayProgress progress;
    private final KeyLook look;
    private final boolean begun;

    /** See {@link Source#open}. */
    OplogReplay(
            Oplog oplog,
            Connection connection,
            Dialect dialect,
            ImportOptions options,
            ProgressTables progressTables,
            TableNames names,
            MongoDump dump,
            Consumer<String> state)
            throws SQLException, IOException, InterruptedException {
        this.oplog = oplog;
        this.connection = connection;
        this.dialect = dialect;
        this.options = options;
        this.state = state;
        this.namespaces = new Namespaces(
                names,
                oplog.filter(),
                dump.collections(),
                dump.leftOut().stream().map(LeftOut::name).collect(Collectors.toSet()));
        List<TableName> targets = dump.collections().stream().map(names::of).toList();
        this.progress = progressTables.replay(connection, oplog.mark(), targets);
        this.look = KeyLook.at(oplog);
        this.begun = options.tables().resume() && progress.hasBegun();
    }

    @Override
    public List<String> problems(IfExists ifExists) throws SQLException, IOException {
        List<String> problems = new ArrayList<>();
        if (ifExists == IfExists.FAIL && !begun) {
            problems.addAll(namespaces.foreign(look.changed, connection));
        }
        boolean keeps = !begun && (options.tables().resume() || ifExists == IfExists.APPEND);
        String rejects = RejectFile.problem(
                options.rejectDirectory(), REJECTS, oplog.path().toString(), keeps);
        if (!rejects.isEmpty()) {
            problems.add(rejects);
        }
        return problems;
    }

    @Override
    public void clear() throws SQLException, IOException {
        progress.forget();
        new RejectFile(options.rejectDirectory(), REJECTS, false).close();
    }

    @Override
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public Map<String, KeyKinds> kinds() {
        return look.kinds;
    }

    @Override
    public OplogSummary run() throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        boolean fast = dialect.commitsInOnePlace();
        progress.begin();
        connection.setAutoCommit(false);
        try (RejectFile rejects = new RejectFile(options.rejectDirectory(), REJECTS, begun)) {
            set("synchronous_commit", fast ? "off" : "on");
            return run(rejects, start);
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private OplogSummary run(RejectFile rejects, long start) throws SQLException, IOException, InterruptedException {
        ValueJson values = new ValueJson(options.json());
        ReplayTables tables = new ReplayTables(
                connection,
                new TableForms(connection, dialect, options.tables().keyType()),
                options.json(),
                tableKinds());
        long skip = progress.applied();
        connection.commit();
        OperationBatches replay = new OperationBatches(connection, progress, tables, namespaces, values, rejects, skip);
        String fault = "";
        MongoDump dump = oplog.open();
        OplogReader reader = new OplogReader(oplog, each -> next(replay, each, dump));
        try (dump) {
            dump.read(reader, OplogReader.CHUNK);
            if (!reader.hasBegun()) {
                fault = "there is no oplog in " + oplog.path();
            }
        } catch (BsonException e) {
            fault = "the rest was not replayed: " + e.getMessage();
        } catch (ReplayException e) {
            throw e.sql;
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

    private void next(OperationBatches replay, OplogOperation operation, MongoDump dump) throws IOException {
        try {
            long before = replay.applied();
            replay.next(operation);
            if (replay.applied() != before) {
                state.accept(words(replay.applied(), dump));
            }
        } catch (SQLException e) {
            throw new ReplayException(e);
        }
    }

    private static String words(long operations, MongoDump dump) {
        long total = dump.bytesTotal();
        String share = total > 0 ? String.format(Locale.ROOT, " (%d%%)", dump.bytesRead() * 100 / total) : "";
        return String.format(Locale.ROOT, "replaying the oplog: %,d operations%s", operations, share);
    }

    private Map<TableName, KeyKinds> tableKinds() {
        Map<TableName, KeyKinds> byTable = new HashMap<>();
        look.kinds.forEach((name, found) -> {
            Namespace namespace = Namespace.of(name);
            if (!namespace.database().isEmpty() && !namespace.collection().isEmpty()) {
                byTable.put(namespaces.table(namespace), found);
            }
        });
        return byTable;
    }

    private OplogSummary summary(
            OplogReader reader,
            OperationBatches replay,
            RejectFile rejects,
            Alterations altered,
            String fault,
            double seconds) {
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

    /** Reads an oplog in advance to find the kinds of the keys that it inserts, and what it changes. Used by one thread. */
    private static final class KeyLook {
        /** The kinds of the keys of inserted documents, by namespace. */
        private final Map<String, KeyKinds> kinds = new HashMap<>();

        /** The namespaces that the operations change. */
        private final Set<String> changed = new TreeSet<>();

        private final KeyFinder finder = new KeyFinder();

        /** What the whole oplog has. */
        static KeyLook at(Oplog oplog) throws IOException, InterruptedException {
            KeyLook look = new KeyLook();
            try (MongoDump dump = oplog.open()) {
                dump.read(new OplogReader(oplog, look::see), OplogReader.CHUNK);
            } catch (BsonException e) {
                // reported after the operations before it are applied
            }
            return look;
        }

        private void see(OplogOperation operation) {
            BsonFields content = operation.content();
            if (content == null) {
                return;
            }
            if (operation.kind() == Kind.COMMAND) {
                OplogCommands.changed(operation).forEach(each -> changed.add(each.toString()));
                return;
            }
            String namespace = operation.namespace().toString();
            changed.add(namespace);
            if (operation.kind() == Kind.INSERT && finder.findLast(content.bytes(), content.start(), content.size())) {
                kinds.computeIfAbsent(namespace, n -> new KeyKinds()).add(finder.kind(content.bytes()));
            }
        }
    }

    /** Carries an error of the server through the reader of the oplog. */
    private static final class ReplayException extends IOException {
        private static final long serialVersionUID = 1L;

        private final SQLException sql;

        ReplayException(SQLException sql) {
            super(sql);
            this.sql = sql;
        }
    }
}
