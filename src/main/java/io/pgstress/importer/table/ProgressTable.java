package io.pgstress.importer.table;

import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code stress_imports}: one row per loaded table, with the {@link Progress} of its import. The row remains after
 * the import is complete, so that resuming a complete import does not load the input twice. Thread-safe.
 */
public final class ProgressTable {
    static final String NAME = "stress_imports";

    /** The column that was added last. */
    static final String LAST_COLUMN = "value_options";

    static final String COLUMNS = "(target text primary key, state text not null, input_bytes bigint not null,"
            + " chunk_bytes bigint not null, temporary boolean not null, key_after boolean not null, rows_before bigint not null,"
            + " kept_rows bigint not null default 0,"
            + " verified boolean not null default false, input_sum bigint, " + LAST_COLUMN + " text not null)";

    private final ProgressTables tables;
    private final String name;

    ProgressTable(ProgressTables tables) {
        this.tables = tables;
        this.name = ProgressTables.sql(tables.name(NAME));
    }

    /** The progress of the import into a table; null if there is none. The progress table may be missing. */
    public @Nullable Progress of(Connection connection, TableName table) throws SQLException {
        if (!TableColumns.exists(connection, tables.name(NAME))) {
            return null;
        }
        return ControlSql.rows(connection, "select * from " + name + tables.where(table), ProgressTable::read).stream()
                .findFirst()
                .orElse(null);
    }

    private static Progress read(ResultSet row) throws SQLException {
        return new Progress(
                new InputMark(row.getLong("input_bytes"), row.getObject("input_sum", Long.class)),
                row.getLong("chunk_bytes"),
                Progress.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getBoolean("temporary"),
                row.getBoolean("key_after"),
                row.getLong("rows_before"),
                row.getLong("kept_rows"),
                row.getBoolean("verified"),
                row.getString(LAST_COLUMN));
    }

    /** Whether an import into the table, or through it, is unfinished. */
    public boolean isUnderWay(Connection connection, TableName table) throws SQLException {
        Progress progress = of(connection, table);
        return progress != null && !progress.hasEnded();
    }

    /** Whether an unfinished import created the table to hold rows for another table. */
    public boolean isTemporary(Connection connection, TableName table) throws SQLException {
        Progress progress = of(connection, table);
        return progress != null && progress.temporary() && !progress.hasEnded();
    }

    /** Records the start of an import. */
    public void begin(Connection connection, TableName table, Progress progress) throws SQLException {
        String values = String.join(
                ", ", // a concatenation of so many values would take long to start
                Quoting.literal(tables.key(table)),
                Quoting.literal(text(progress.state())),
                String.valueOf(progress.input().bytes()),
                String.valueOf(progress.chunkBytes()),
                String.valueOf(progress.temporary()),
                String.valueOf(progress.keyAfter()),
                String.valueOf(progress.rowsBefore()),
                String.valueOf(progress.input().sum()),
                Quoting.literal(progress.values()));
        ControlSql.execute(
                connection,
                "insert into " + name + " (target, state, input_bytes, chunk_bytes, temporary, key_after, rows_before,"
                        + " input_sum, " + LAST_COLUMN + ") values (" + values + ")");
    }

    private static String text(Progress.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Records that staged rows were moved to their destination. */
    public void moved(Connection connection, TableImport table) throws SQLException {
        update(
                connection,
                "state = '" + text(Progress.State.MOVED) + "', rows_before = " + table.rowsBefore() + ", kept_rows = "
                        + table.keptRows(),
                table.loadTable());
    }

    /** Records that the table was compared with the input and was as expected. */
    public void verified(Connection connection, TableName table) throws SQLException {
        update(connection, "verified = true", table);
    }

    private void update(Connection connection, String what, TableName table) throws SQLException {
        ControlSql.execute(connection, "update " + name + " set " + what + tables.where(table));
    }

    /** Deletes the record of an import into a table, before another one. */
    public void forget(Connection connection, TableName table) throws SQLException {
        tables.chunks().forget(connection, table);
        ControlSql.execute(connection, "delete from " + name + tables.where(table));
    }

    /** Records that the imports are complete, or their input was damaged, and deletes the records of their chunks. */
    public void complete(Connection connection, Collection<TableImport> finished) throws SQLException {
        for (TableImport each : finished) {
            Progress.State state = each.hasFailed() ? Progress.State.DAMAGED : Progress.State.COMPLETE;
            update(connection, "state = '" + text(state) + "'", each.loadTable());
            tables.chunks().forget(connection, each.loadTable());
        }
    }
}
