package io.pgstress.extra.diff;

import io.pgstress.extra.diff.TableComparison.Sample;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.Daemons;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables, all read in one transaction, with one snapshot (repeatable read, read only) unless that transaction wrote them. Rows are read on a thread of its own,
 * one table after the other; the methods that look at the catalog must be called before.
 */
final class TableSide implements AutoCloseable {
    /** Larger values, as stored, are not fetched to find the path. */
    private static final int MAX_STORED = 1 << 18;

    private static final long CLOSE_SECONDS = 5;

    private final Connection connection;
    private final boolean isOwn;
    private final StoredRows rows;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("diff-table"));
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    private TableSide(Connection connection, boolean isOwn) {
        this.connection = connection;
        this.isOwn = isOwn;
        this.rows = new StoredRows(connection);
    }

    static TableSide open(Connector connector) throws SQLException {
        Connection connection = connector.open(SessionPurpose.CONTROL);
        try {
            connection.setAutoCommit(false);
            ControlSql.execute(connection, "set transaction isolation level repeatable read read only");
            return new TableSide(connection, true);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** The tables as the open transaction of a connection sees them, which stays open. */
    static TableSide within(Connection writer) {
        return new TableSide(writer, false);
    }

    /** The connection, for queries of the catalog. */
    Connection connection() {
        return connection;
    }

    /**
     * The tables {@code (_id, data jsonb)} beside these, in the same schemas; without their copy tables. No more than 1000.
     *
     * @param compared tables; those without a schema are in the first one of the search path
     */
    List<TableName> beside(Collection<TableName> compared) throws SQLException {
        String current = ControlSql.text(connection, "select coalesce(current_schema(), '')")
                .orElse("");
        Set<String> known = new HashSet<>();
        Set<String> schemas = new HashSet<>();
        for (TableName each : compared) {
            String schema = each.schema().isEmpty() ? current : each.schema();
            schemas.add(schema);
            known.add(new TableName(schema, each.name()).quoted());
            known.add(new TableName(schema, each.copy().name()).quoted());
        }
        String column =
                "exists (select 1 from pg_attribute a where a.attrelid = c.oid and not a.attisdropped and a.attname = ";
        return ControlSql.rows(
                        connection,
                        "select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                                + " where c.relkind in ('r', 'p') and " + column + "'_id') and " + column
                                + "'data' and a.atttypid = 'jsonb'::regtype) order by 1, 2 limit 1000",
                        row -> new TableName(row.getString(1), row.getString(2)))
                .stream()
                .filter(table -> schemas.contains(table.schema()) && !known.contains(table.quoted()))
                .map(table -> table.schema().equals(current) ? new TableName("", table.name()) : table)
                .toList();
    }

    /**
     * Begins to hash the table's rows.
     *
     * @param where the condition, see {@link Sample#where}
     */
    CompletableFuture<Void> read(TableName table, String where, RowHashes into) {
        String query = "select _id, data from " + table.quoted() + where;
        return begin(table, () -> rows.hash(query, into));
    }

    /** Begins to find rows by the hashes of their keys; their keys are passed on as text, by the thread that reads. */
    CompletableFuture<Void> find(TableName table, String where, LongPredicate wanted, Consumer<String> found) {
        String query = "select _id, _id::text from " + table.quoted() + where;
        return begin(table, () -> rows.find(query, wanted, found));
    }

    /** Reads rows by their keys as text, each with the hash of its key and its JSON, which is null if it is too large. */
    void read(TableName table, Collection<String> keys, BiConsumer<Long, @Nullable String> found)
            throws InterruptedException {
        await(begin(table, () -> {
            String in = keys.stream().map(Quoting::literal).collect(Collectors.joining(", "));
            String query = "select _id, case when data is null then 'null' when pg_column_size(data) <= " + MAX_STORED
                    + " then data::text end from " + table.quoted() + " where _id in (" + in + ")";
            rows.texts(query, found);
        }));
    }

    private CompletableFuture<Void> begin(TableName table, ControlSql.Action reading) {
        last = CompletableFuture.runAsync(
                () -> {
                    try {
                        reading.run();
                    } catch (SQLException e) {
                        throw new TargetException("table " + table + " cannot be read: " + ServerErrors.sampleOf(e), e);
                    }
                },
                thread);
        return last;
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

    /** Cancels what is being read, and closes the connection. */
    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        if (!last.isDone()) {
            DriverSession.cancel(connection);
        }
        boolean ended;
        try {
            ended = thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = false;
        }
        if (ended && isOwn) {
            connection.close();
        } else if (!ended) {
            DriverSession.abort(connection);
        }
    }
}
