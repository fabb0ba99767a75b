package io.pgstress.importer.diff;

import io.pgstress.bson.key.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.TextForm;
import io.pgstress.importer.verify.StoredRows;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables, all read in one transaction with one snapshot (repeatable read, read only). Tables are read on a thread of its own,
 * one after the other; while that runs, no other method but {@link #await} may be called.
 */
final class TableSide implements AutoCloseable {
    /** Larger values, as stored, are not fetched to find the path. */
    private static final int MAX_STORED = 1 << 18;

    private static final long CLOSE_SECONDS = 5;

    private final Connection connection;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "diff-table");
        created.setDaemon(true);
        return created;
    });
    private boolean isReading;

    private TableSide(Connection connection) {
        this.connection = connection;
    }

    static TableSide open(Connector connector) throws SQLException {
        Connection connection = connector.openControl();
        try {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set transaction isolation level repeatable read read only");
            }
            return new TableSide(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Whether the table exists. */
    boolean exists(TableName table) throws SQLException {
        return TableColumns.exists(connection, table);
    }

    /**
     * The type of the table's keys.
     *
     * @throws TargetException if it is not a table {@code (_id, data jsonb)}
     */
    KeyType keyType(TableName table) throws SQLException {
        return TableColumns.keyType(connection, table);
    }

    /** The form of the table's keys. */
    KeyForm form(TableName table) throws SQLException {
        return TextForm.stored(connection, table);
    }

    /** The tables that the dump has no collection for, see {@link OtherTables}. */
    List<TableName> beside(Collection<TableName> compared) throws SQLException {
        return OtherTables.beside(connection, compared);
    }

    /**
     * Begins to hash the table's rows.
     *
     * @param where the condition, see {@link Sample#where}
     */
    CompletableFuture<Void> read(TableName table, String where, RowHashes into) {
        isReading = true;
        String query = "select _id, data from " + table.quoted() + where;
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        StoredRows.read(connection, query, into::add);
                    } catch (SQLException e) {
                        throw failed(table, e);
                    }
                },
                thread);
    }

    private static TargetException failed(TableName table, SQLException e) {
        return new TargetException("table " + table + " cannot be read: " + ServerErrors.sampleOf(e), e);
    }

    /** Waits until a table is read. */
    void await(CompletableFuture<Void> reading) throws InterruptedException {
        try {
            reading.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Says that all tables are read. */
    void readingIsDone() {
        isReading = false;
    }

    /** Finds rows by the hashes of their keys, and passes the texts of these on. */
    void find(TableName table, String where, LongPredicate wanted, Consumer<String> found) {
        try {
            StoredRows.find(connection, "select _id, _id::text from " + table.quoted() + where, wanted, found);
        } catch (SQLException e) {
            throw failed(table, e);
        }
    }

    /** The JSON of a row; null if it is too large to be fetched. */
    @Nullable
    String json(TableName table, KeyType type, String key) {
        String select = "select case when data is null then 'null' when pg_column_size(data) <= " + MAX_STORED
                + " then data::text end from " + table.quoted() + " where _id = cast(? as " + sql(type) + ")";
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new TargetException("table " + table + " has no row with the _id " + key
                            + ", although it was read before: do its nodes agree?");
                }
                return row.getString(1);
            }
        } catch (SQLException e) {
            throw failed(table, e);
        }
    }

    private static String sql(KeyType type) {
        return type == KeyType.TEXT ? "text" : type.ddl();
    }

    /** Cancels what is being read, and closes the connection. */
    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        if (isReading) {
            DriverSession.cancel(connection);
        }
        boolean ended;
        try {
            ended = thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = false;
        }
        if (ended) {
            connection.close();
        } else {
            DriverSession.abort(connection);
        }
    }
}
