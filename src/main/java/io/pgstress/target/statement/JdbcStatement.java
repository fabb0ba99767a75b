package io.pgstress.target.statement;

import io.pgstress.target.driver.CopyStream;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import io.pgstress.target.statement.SqlStatement.ResultReader;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.SqlStatement.SessionStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is sent by a statement of JDBC, which is created when it is needed and lives as long as the connection is attached.
 *
 * @param <S> the kind of JDBC's statement
 */
abstract class JdbcStatement<S extends Statement> implements SessionStatement {
    private final Slot slot;
    private @Nullable Connection connection;
    private @Nullable S statement;

    JdbcStatement(Slot slot) {
        this.slot = slot;
    }

    /**
     * Its place in the operations, and who learns its times.
     *
     * @param fetchSize rows per fetch; 0: all at once
     */
    record Slot(int operation, int statement, int fetchSize, StatementTimes times) {
        /** A statement whose times nobody wants to know. */
        static final Slot UNRECORDED = new Slot(0, 0, 0, (operation, statement, nanos, rows, fetch) -> {});
    }

    abstract S create(Connection on) throws SQLException;

    /** The text to send with the current parameters; made before the time is taken. */
    abstract String text() throws SQLException;

    abstract ResultSet query(S open, String text) throws SQLException;

    abstract long update(S open, String text) throws SQLException;

    /** Executes it; returns whether the first result has rows. */
    abstract boolean execute(S open, String text) throws SQLException;

    @Override
    public void attach(Connection newConnection) {
        connection = newConnection;
    }

    @Override
    public void detach() throws SQLException {
        S open = statement;
        statement = null;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    final S open() throws SQLException {
        S open = statement;
        if (open != null) {
            return open;
        }
        S created = create(connection());
        if (slot.fetchSize > 0) {
            created.setFetchSize(slot.fetchSize);
        }
        statement = created;
        return created;
    }

    final Connection connection() throws SQLException {
        Connection attached = connection;
        if (attached == null) {
            throw new SQLException("no connection is attached", "08003");
        }
        return attached;
    }

    @Override
    public final long query(RowReader reader) throws SQLException {
        S open = open();
        String text = text();
        long start = System.nanoTime();
        long answered;
        long count = 0;
        try (ResultSet rows = query(open, text)) {
            answered = System.nanoTime();
            while (rows.next()) {
                reader.row(rows);
                count++;
            }
        }
        long end = System.nanoTime();
        slot.times.statementEnded(slot.operation, slot.statement, end - start, count, end - answered);
        return count;
    }

    @Override
    public final long update() throws SQLException {
        S open = open();
        String text = text();
        long start = System.nanoTime();
        return ended(start, update(open, text));
    }

    @Override
    public final long run(ResultReader reader) throws SQLException {
        S open = open();
        String text = text();
        long start = System.nanoTime();
        boolean hasRows = execute(open, text);
        long answered = System.nanoTime();
        boolean isRead = hasRows;
        long count = 0;
        boolean isMore = true;
        while (isMore) {
            long changed = hasRows ? -1 : open.getUpdateCount();
            ResultSet rows = hasRows ? open.getResultSet() : null;
            hasRows = open.getMoreResults(Statement.KEEP_CURRENT_RESULT);
            isMore = hasRows || open.getUpdateCount() >= 0;
            count += rows == null ? Math.max(0, changed) : read(rows, reader, !isMore);
            if (rows == null) {
                reader.end(-1, !isMore);
            }
        }
        long end = System.nanoTime();
        slot.times.statementEnded(slot.operation, slot.statement, end - start, count, isRead ? end - answered : 0);
        return count;
    }

    private static long read(ResultSet result, ResultReader reader, boolean isLast) throws SQLException {
        long count = 0;
        try (ResultSet rows = result) {
            while (rows.next()) {
                reader.row(rows, isLast);
                count++;
            }
        }
        reader.end(count, isLast);
        return count;
    }

    @Override
    public final long updateBatch() throws SQLException {
        S open = open();
        long start = System.nanoTime();
        return ended(start, open.executeBatch().length);
    }

    /** Its time includes the production of the portions. */
    @Override
    public final long copy(CopyPortions portions) throws SQLException {
        long start = System.nanoTime();
        CopyStream stream = CopyStream.open(connection(), text());
        try {
            for (int length = portions.next(); length > 0; length = portions.next()) {
                stream.write(portions.bytes(), 0, length);
            }
            return ended(start, stream.end());
        } finally {
            stream.cancel();
        }
    }

    private long ended(long start, long rows) {
        slot.times.statementEnded(slot.operation, slot.statement, System.nanoTime() - start, rows, 0);
        return rows;
    }
}
