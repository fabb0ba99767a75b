package io.pgstress.importer;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Progress;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.TableRules;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.embedded.EmbeddedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The sample dump inside the jar, for the embedded server. */
public final class BundledData {
    /** The default table under load: small documents with int keys. */
    public static final TableName DEFAULT_TABLE = new TableName("", "check_in");

    private static final List<TableName> TABLES = List.of(DEFAULT_TABLE, new TableName("", "orders"));
    private static final String ROOT = "/datasets/sample/";
    private static final List<String> FILES = List.of(
            "prelude.json.gz",
            "stress/check_in.bson.gz",
            "stress/check_in.metadata.json.gz",
            "stress/orders.bson.gz",
            "stress/orders.metadata.json.gz");

    /** A lock of the session: the number is "pgst", and that of nothing else. */
    private static final String TAKE_TURN = "select pg_try_advisory_lock(1885827956, hashtext('sample data'))";

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private BundledData() {}

    /**
     * Imports the sample's tables that are missing, or that an interrupted import of it left; any other table of that name is
     * left alone. Of several commands that begin at once, the first imports and the others wait for it. Returns whether it imported
     * any.
     */
    public static boolean importIfMissing(Connector connector, Dialect dialect)
            throws SQLException, IOException, InterruptedException {
        if (areComplete(connector)) {
            return false;
        }
        try (Connection turn = connector.open(SessionPurpose.CONTROL)) {
            while (!ControlSql.holds(turn, TAKE_TURN)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while another command imports the sample data");
                }
                LockSupport.parkNanos(TICK_NANOS);
            }
            return importMissing(connector, dialect);
        }
    }

    private static boolean importMissing(Connector connector, Dialect dialect)
            throws SQLException, IOException, InterruptedException {
        if (areComplete(connector)) {
            return false;
        }
        Path directory = Files.createTempDirectory("pgstress-sample");
        try {
            unpack(directory);
            boolean imported = false;
            for (TableName table : TABLES) {
                DumpFilter one = new DumpFilter(List.of(), List.of(table.name()), false);
                try (MongoDump dump = MongoDump.open(directory, one)) {
                    imported |= importOne(connector, dialect, dump, table, directory);
                }
            }
            return imported;
        } finally {
            EmbeddedServer.deleteAll(directory);
        }
    }

    /** Whether all tables exist and no import of them is unfinished. */
    private static boolean areComplete(Connector connector) throws SQLException {
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            ProgressTables progress = ProgressTables.in(connection, "");
            for (TableName table : TABLES) {
                if (!TableColumns.exists(connection, table)
                        || progress.imports().isUnderWay(connection, table)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean importOne(
            Connector connector, Dialect dialect, MongoDump dump, TableName table, Path directory)
            throws SQLException, IOException, InterruptedException {
        boolean resume;
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            InputMark input = InputMark.of(dump.collections().get(0));
            resume = TableColumns.exists(connection, table);
            Progress progress = ProgressTables.in(connection, "").imports().of(connection, table);
            if (resume && (progress == null || !progress.isResumable(input, DumpReader.CHUNK))) {
                return false;
            }
        }
        new Importer(connector, dialect, options(resume, directory), ImportListener.NONE).run(ImportInput.of(dump));
        return true;
    }

    private static ImportOptions options(boolean resume, Path directory) {
        TableRules rules = new TableRules(null, true, IfExists.FAIL, OnDuplicate.FAIL, resume, false, false);
        return ImportOptions.plain(rules, directory);
    }

    private static void unpack(Path directory) throws IOException {
        for (String name : FILES) {
            Path file = directory.resolve(name);
            Files.createDirectories(directory.resolve(name).getParent());
            try (InputStream in = BundledData.class.getResourceAsStream(ROOT + name)) {
                if (in == null) {
                    throw new IOException("the jar does not contain " + ROOT + name);
                }
                Files.copy(in, file);
            }
        }
    }
}
