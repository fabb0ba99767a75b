package io.pgstress.importer.table;

import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The table {@code stress_oplog_replays}: one row per oplog and the tables of the dump that it follows, with the number of
 * operations applied. It is updated in the transaction of their effects. Reading it for the next batch locks the row, so a resumed replay waits for the end of a
 * transaction that is still open.
 */
public final class ReplayProgress {
    static final String NAME = "stress_oplog_replays";

    private static final String COLUMNS =
            "(oplog text primary key, applied bigint not null, complete boolean not null default false, targets text[])";

    private final ProgressTables tables;
    private final TableName table;
    private final String name;
    private final Connection connection;
    private final String where;
    private final String oplog;
    private final List<String> targets;

    /**
     * @param oplog by what the oplog is recognized
     * @param targets the tables of the dump
     */
    ReplayProgress(ProgressTables tables, Connection connection, InputMark oplog, List<TableName> targets) {
        this.targets = targets.stream().map(tables::key).sorted().toList();
        this.tables = tables;
        this.table = tables.name(NAME);
        this.name = ProgressTables.sql(table);
        this.connection = connection;
        byte[] names = String.join("\n", this.targets).getBytes(StandardCharsets.UTF_8);
        this.oplog = Quoting.literal(oplog.bytes() + ":" + oplog.sum() + " " + UUID.nameUUIDFromBytes(names));
        this.where = " where oplog = " + this.oplog;
    }

    /** Whether a replay of this oplog has begun: all rows of its dump were loaded before. */
    public boolean hasBegun() throws SQLException {
        return TableColumns.exists(connection, table) && ControlSql.exists(connection, "select 1 from " + name + where);
    }

    /** Forgets earlier replays into any of these tables, before their rows are loaded again. */
    public static void forget(ProgressTables tables, Connection connection, List<TableName> targets)
            throws SQLException {
        TableName table = tables.name(NAME);
        if (TableColumns.exists(connection, table)) {
            String keys = array(targets.stream().map(tables::key).toList());
            ControlSql.execute(connection, "delete from " + ProgressTables.sql(table) + " where targets && " + keys);
        }
    }

    /** Forgets earlier replays of this oplog. */
    public void forget() throws SQLException {
        if (TableColumns.exists(connection, table)) {
            ControlSql.execute(connection, "delete from " + name + where);
        }
    }

    private static String array(List<String> names) {
        return Quoting.literal(names.stream().map(Quoting::element).collect(Collectors.joining(",", "{", "}")))
                + "::text[]";
    }

    /** Records that the replay begins, unless it has begun. */
    public void begin() throws SQLException {
        tables.create(connection, table, COLUMNS, new ArrayList<>());
        if (!hasBegun()) {
            ControlSql.execute(
                    connection,
                    "insert into " + name + " (oplog, applied, targets) values (" + oplog + ", 0, " + array(targets)
                            + ")");
        }
    }

    /** The number of operations applied; locks the row until the end of the transaction. */
    public long applied() throws SQLException {
        return ControlSql.number(connection, "select applied from " + name + where + " for update");
    }

    /** Records the number of operations applied, in the transaction of their effects. */
    public void applied(long operations) throws SQLException {
        ControlSql.execute(connection, "update " + name + " set applied = " + operations + where);
    }

    /** Records that all operations were applied. */
    public void complete() throws SQLException {
        ControlSql.execute(connection, "update " + name + " set complete = true" + where);
    }
}
