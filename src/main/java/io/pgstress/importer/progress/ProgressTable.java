package io.pgstress.importer.progress;

import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.verify.Checksum;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code stress_imports}: one row per loaded table, with the {@link Progress} of its import. The row remains after
 * the import is complete, so that resuming a complete import does not load the input twice.
 */
public final class ProgressTable {
    static final String NAME = "stress_imports";

    /** Tables that imports need for themselves. */
    public static final List<String> NAMES = List.of(NAME, LoadedChunks.NAME);

    /** The single table of earlier versions, which held states as negative chunk numbers. */
    private static final String OLD_NAME = "stress_import_progress";

    /** SQLSTATE insufficient_privilege. */
    private static final String DENIED = "42501";

    private static final long OLD_CHUNK = 8L << 20;
    private static final long OLD_COMPLETE = -5 * OLD_CHUNK;
    private static final long OLD_VERIFIED = -7 * OLD_CHUNK;

    /** A column that tables of earlier versions lack. */
    private static final String SUM = "input_sum";

    private static final String CREATE = "create table if not exists " + NAME
            + " (target text primary key, state text not null, input_bytes bigint not null,"
            + " chunk_bytes bigint not null, temporary boolean not null, key_after boolean not null, had_rows boolean not null,"
            + " rows_before bigint, checksum_before bigint, rows_expected bigint, checksum_expected bigint,"
            + " verified boolean not null default false, " + SUM + " bigint)";
    private static final String BEGIN = "insert into " + NAME
            + " (target, state, input_bytes, chunk_bytes, temporary, key_after, had_rows, " + SUM
            + ") values (?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String READ =
            "select input_bytes, chunk_bytes, state, temporary, key_after, had_rows, rows_before,"
                    + " checksum_before, rows_expected, checksum_expected, verified, " + SUM + " from " + NAME
                    + " where target = ?";

    private ProgressTable() {}

    /**
     * Creates the tables if they are missing, and migrates the table of an earlier version.
     *
     * @throws TargetException if an import of an earlier version is unfinished
     */
    public static void create(Connection connection) throws SQLException {
        create(connection, NAME, CREATE);
        create(connection, LoadedChunks.NAME, LoadedChunks.CREATE);
        migrate(connection);
    }

    /** Creates a table that is missing. One that exists needs no privilege on its schema. */
    private static void create(Connection connection, String name, String sql) throws SQLException {
        if (TableColumns.exists(connection, new TableName("", name))) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!DENIED.equals(e.getSQLState())) {
                throw e;
            }
            throw new TargetException(
                    ServerErrors.sampleOf(e) + ": an import records its progress in the table " + name
                            + "; grant CREATE on the schema to this role, or let another role run: " + sql
                            + "; grant all on " + name + " to this role",
                    e);
        }
    }

    /** Migrates complete imports from the table of an earlier version, if it exists, and drops it. See {@link #create}. */
    public static void migrate(Connection connection) throws SQLException {
        if (TableColumns.exists(connection, new TableName("", NAME)) && !hasSum(connection)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("alter table " + NAME + " add column " + SUM + " bigint");
            }
        }
        if (TableColumns.exists(connection, new TableName("", OLD_NAME))) {
            try (Statement statement = connection.createStatement()) {
                takeOver(statement);
            }
        }
    }

    private static boolean hasSum(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select 1 from pg_attribute where attrelid = to_regclass('"
                        + NAME + "') and attname = '" + SUM + "' and not attisdropped")) {
            return row.next();
        }
    }

    private static void takeOver(Statement statement) throws SQLException {
        String unfinished = "select min(target) from " + OLD_NAME + " where chunk not in (" + OLD_COMPLETE + ", "
                + OLD_VERIFIED + ")";
        try (ResultSet row = statement.executeQuery(unfinished)) {
            row.next();
            if (row.getString(1) != null) {
                throw new TargetException("table " + OLD_NAME + " holds an unfinished import into " + row.getString(1)
                        + " by an earlier version of stress: resume it with that version, or drop table " + OLD_NAME
                        + " and import again with --if-exists drop or truncate");
            }
        }
        statement.execute(CREATE);
        statement.execute("insert into " + NAME
                + " (target, state, input_bytes, chunk_bytes, temporary, key_after, had_rows, verified)"
                + " select target, 'complete', max(documents), " + OLD_CHUNK + ", false, false, false,"
                + " count(distinct chunk) > 1 from " + OLD_NAME + " o where not exists (select 1 from " + NAME
                + " i where i.target = o.target) group by target");
        statement.execute("drop table " + OLD_NAME);
    }

    /** The progress of the import into a table; null if there is none. The progress table may be missing. */
    public static @Nullable Progress of(Connection connection, TableName table) throws SQLException {
        if (!TableColumns.exists(connection, new TableName("", NAME))) {
            return null;
        }
        try (PreparedStatement select = connection.prepareStatement(READ)) {
            select.setString(1, table.toString());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? read(row) : null;
            }
        }
    }

    private static Progress read(ResultSet row) throws SQLException {
        return new Progress(
                new InputMark(row.getLong("input_bytes"), row.getObject(SUM, Long.class)),
                row.getLong("chunk_bytes"),
                Progress.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getBoolean("temporary"),
                row.getBoolean("key_after"),
                row.getBoolean("had_rows"),
                checksum(row, "before"),
                checksum(row, "expected"),
                row.getBoolean("verified"));
    }

    private static @Nullable Checksum checksum(ResultSet row, String of) throws SQLException {
        long rows = row.getLong("rows_" + of);
        return row.wasNull() ? null : new Checksum(rows, row.getLong("checksum_" + of));
    }

    /** Whether an import into the table, or through it, is unfinished. */
    public static boolean isUnderWay(Connection connection, TableName table) throws SQLException {
        Progress progress = of(connection, table);
        return progress != null && progress.state() != Progress.State.COMPLETE;
    }

    /** Whether an unfinished import created the table to hold rows for another table. */
    public static boolean isTemporary(Connection connection, TableName table) throws SQLException {
        Progress progress = of(connection, table);
        return progress != null && progress.temporary() && progress.state() != Progress.State.COMPLETE;
    }

    /** Records the start of an import. */
    public static void begin(Connection connection, TableName table, Progress progress) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(BEGIN)) {
            insert.setString(1, table.toString());
            insert.setString(2, text(progress.state()));
            insert.setLong(3, progress.input().bytes());
            insert.setLong(4, progress.chunkBytes());
            insert.setBoolean(5, progress.temporary());
            insert.setBoolean(6, progress.keyAfter());
            insert.setBoolean(7, progress.hadRows());
            insert.setObject(8, progress.input().sum(), Types.BIGINT);
            insert.executeUpdate();
        }
    }

    private static String text(Progress.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Saves the checksum of the table before the import. */
    public static void keepBefore(Connection connection, TableName table, Checksum sum) throws SQLException {
        keep(connection, table, "before", sum);
    }

    /** Saves the checksum that the table must have after staged rows are moved. */
    public static void keepExpected(Connection connection, TableName table, Checksum sum) throws SQLException {
        keep(connection, table, "expected", sum);
    }

    private static void keep(Connection connection, TableName table, String of, Checksum sum) throws SQLException {
        update(connection, "rows_" + of + " = " + sum.rows() + ", checksum_" + of + " = " + sum.sum(), table);
    }

    /** Records that staged rows were moved to their destination. */
    public static void moved(Connection connection, TableName table) throws SQLException {
        update(connection, "state = '" + text(Progress.State.MOVED) + "'", table);
    }

    /** Records that the table was read back and was as expected. */
    public static void verified(Connection connection, TableName table) throws SQLException {
        update(connection, "verified = true", table);
    }

    private static void update(Connection connection, String what, TableName table) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update " + NAME + " set " + what + " where target = ?")) {
            update.setString(1, table.toString());
            update.executeUpdate();
        }
    }

    /** Deletes the record of an import into a table, before another one. */
    public static void forget(Connection connection, TableName table) throws SQLException {
        LoadedChunks.forget(connection, table);
        try (PreparedStatement delete = connection.prepareStatement("delete from " + NAME + " where target = ?")) {
            delete.setString(1, table.toString());
            delete.executeUpdate();
        }
    }

    /** Records that the imports are complete, and deletes the records of their chunks. */
    public static void complete(Connection connection, Collection<TableName> tables) throws SQLException {
        for (TableName table : tables) {
            update(connection, "state = '" + text(Progress.State.COMPLETE) + "'", table);
            LoadedChunks.forget(connection, table);
        }
    }
}
