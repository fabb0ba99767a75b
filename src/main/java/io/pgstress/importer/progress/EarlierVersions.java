package io.pgstress.importer.progress;

import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;

/** Brings the progress tables of earlier versions up to date. Used by one thread. */
final class EarlierVersions {
    /** The single table of the first versions, which held states as negative chunk numbers. */
    private static final String SINGLE = "stress_import_progress";

    private static final long CHUNK = 8L << 20;
    private static final long COMPLETE = -5 * CHUNK;
    private static final long VERIFIED = -7 * CHUNK;

    private final Connection connection;
    private final ProgressTables tables;

    EarlierVersions(Connection connection, ProgressTables tables) {
        this.connection = connection;
        this.tables = tables;
    }

    /** @throws TargetException if an import of an earlier version cannot be continued by this one */
    void migrate() throws SQLException {
        addColumn(tables.name(ProgressTable.NAME), ProgressTable.SUM, "bigint");
        addColumn(tables.name(LoadedChunks.NAME), LoadedChunks.SUM, "bigint");
        addColumn(tables.name(ReplayProgress.NAME), ReplayProgress.TARGETS, "text[]");
        if (TableColumns.exists(connection, tables.name(SINGLE))) {
            takeOver(ProgressTables.sql(tables.name(SINGLE)));
        }
    }

    /** Adds a column that tables of earlier versions lack. */
    private void addColumn(TableName table, String column, String type) throws SQLException {
        if (TableColumns.exists(connection, table) && !has(table, column)) {
            ControlSql.execute(
                    connection, "alter table " + ProgressTables.sql(table) + " add column " + column + " " + type);
        }
    }

    private boolean has(TableName table, String column) throws SQLException {
        return ControlSql.exists(
                connection,
                "select 1 from pg_attribute where attrelid = to_regclass(" + table.literal() + ") and attname = '"
                        + column + "' and not attisdropped");
    }

    private void takeOver(String old) throws SQLException {
        String unfinished = unfinished(old);
        if (!unfinished.isEmpty()) {
            throw new TargetException("table " + old + " holds an unfinished import into " + unfinished
                    + " by an earlier version of stress: resume it with that version, or drop table " + old
                    + " and import again with --if-exists drop or truncate");
        }
        String imports = ProgressTables.sql(tables.name(ProgressTable.NAME));
        ControlSql.execute(connection, "create table if not exists " + imports + " " + ProgressTable.COLUMNS);
        ControlSql.execute(
                connection,
                "insert into " + imports
                        + " (target, state, input_bytes, chunk_bytes, temporary, key_after, had_rows, verified)"
                        + " select target, 'complete', max(documents), " + CHUNK + ", false, false, false,"
                        + " count(distinct chunk) > 1 from " + old + " o where not exists (select 1 from " + imports
                        + " i where i.target = o.target) group by target");
        ControlSql.execute(connection, "drop table " + old);
    }

    private String unfinished(String old) throws SQLException {
        return ControlSql.text(
                        connection,
                        "select coalesce(min(target), '') from " + old + " where chunk not in (" + COMPLETE + ", "
                                + VERIFIED + ")")
                .orElse("");
    }
}
