package io.pgstress.importer.progress;

import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;

/**
 * The table {@code stress_oplog_replays}: one row per oplog, with the number of operations applied. It is updated in the
 * transaction of their effects. Reading it for the next batch locks the row, so a resumed replay waits for the end of a
 * transaction that is still open.
 */
public final class ReplayProgress {
    static final String NAME = "stress_oplog_replays";

    private static final String COLUMNS =
            "(oplog text primary key, applied bigint not null, complete boolean not null default false)";

    private final ProgressTables tables;
    private final TableName table;
    private final String name;
    private final Connection connection;
    private final String oplog;

    /** @param oplog by what the oplog is recognized */
    ReplayProgress(ProgressTables tables, Connection connection, InputMark oplog) {
        this.tables = tables;
        this.table = tables.name(NAME);
        this.name = ProgressTables.sql(table);
        this.connection = connection;
        this.oplog = tables.key(new TableName("", "oplog")) + " " + oplog.bytes() + ":" + oplog.sum();
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

    /** Forgets an earlier replay, before the rows are loaded again. */
    public void forget() throws SQLException {
        if (TableColumns.exists(connection, table)) {
            update("delete from " + name + " where oplog = ?");
        }
    }

    /** Records that the replay begins, unless it has begun. */
    public void begin() throws SQLException {
        tables.create(connection, table, COLUMNS, new ArrayList<>());
        if (!hasBegun()) {
            update("insert into " + name + " (applied, oplog) values (0, ?)");
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
