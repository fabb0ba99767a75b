package io.pgstress.importer.table;

import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.plan.TableName;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

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
        this.oplog = oplog.bytes() + ":" + oplog.sum() + " " + UUID.nameUUIDFromBytes(names);
    }

    /** Whether a replay of this oplog has begun: all rows of its dump were loaded before. */
    public boolean hasBegun() throws SQLException {
        if (!TableColumns.exists(connection, table)) {
            return false;
        }
        try (PreparedStatement select = connection.prepareStatement("select 1 from " + name + " where oplog = ?")) {
            select.setString(1, oplog);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Forgets earlier replays into any of these tables, before their rows are loaded again. */
    static void forget(ProgressTables tables, Connection connection, List<TableName> targets) throws SQLException {
        TableName table = tables.name(NAME);
        if (!TableColumns.exists(connection, table)) {
            return;
        }
        try (PreparedStatement delete = connection.prepareStatement(
                "delete from " + ProgressTables.sql(table) + " where targets && ?::text[]")) {
            delete.setArray(
                    1,
                    connection.createArrayOf(
                            "text", targets.stream().map(tables::key).toArray()));
            delete.executeUpdate();
        }
    }

    /** Records that the replay begins, unless it has begun. */
    public void begin() throws SQLException {
        tables.create(connection, table, COLUMNS, new ArrayList<>());
        if (!hasBegun()) {
            try (PreparedStatement insert = connection.prepareStatement(
                    "insert into " + name + " (oplog, applied, targets) values (?, 0, ?::text[])")) {
                insert.setString(1, oplog);
                insert.setArray(2, connection.createArrayOf("text", targets.toArray()));
                insert.executeUpdate();
            }
        }
    }

    /** The number of operations applied; locks the row until the end of the transaction. */
    public long applied() throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select applied from " + name + " where oplog = ? for update")) {
            select.setString(1, oplog);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /** Records the number of operations applied, in the transaction of their effects. */
    public void applied(long operations) throws SQLException {
        update("update " + name + " set applied = " + operations + " where oplog = ?");
    }

    /** Records that all operations were applied. */
    public void complete() throws SQLException {
        update("update " + name + " set complete = true where oplog = ?");
    }

    private void update(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, oplog);
            statement.executeUpdate();
        }
    }
}
