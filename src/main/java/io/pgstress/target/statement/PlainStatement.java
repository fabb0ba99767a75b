package io.pgstress.target.statement;

import io.pgstress.target.driver.DriverSession.Literals;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.SqlStatement.SessionStatement;
import io.pgstress.text.SqlParts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Statement} whose parameters are literals in its text. An int is unquoted, in parentheses if it is negative (a cast binds
 * more tightly than the minus, and two minus signs begin a comment); everything else is a quoted literal without a type, so that
 * the server infers the type from the context (an unquoted number for a bigint key would be an integer).
 */
final class PlainStatement implements SessionStatement {
    private final String[] parts;
    private final String[] values;
    private final boolean[] bare;
    private final StringBuilder text = new StringBuilder();
    private final StatementSlot slot;
    private @Nullable Connection connection;
    private @Nullable Statement statement;
    private @Nullable Literals literals;

    PlainStatement(Sql sql, StatementSlot slot) {
        this.parts = SqlParts.split(sql.text());
        this.values = new String[parts.length - 1];
        this.bare = new boolean[parts.length - 1];
        this.slot = slot;
    }

    @Override
    public void attach(Connection newConnection) {
        connection = newConnection;
        literals = null;
    }

    @Override
    public void detach() throws SQLException {
        Statement open = statement;
        statement = null;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    private Statement open() throws SQLException {
        Statement open = statement;
        if (open != null) {
            return open;
        }
        if (connection == null) {
            throw new SQLException("no connection is attached", "08003");
        }
        Statement made = connection.createStatement();
        made.setEscapeProcessing(false);
        if (slot.fetchSize() > 0) {
            made.setFetchSize(slot.fetchSize());
        }
        statement = made;
        return made;
    }

    private void set(int parameter, String value, boolean isBare) {
        values[parameter - 1] = value;
        bare[parameter - 1] = isBare;
    }

    @Override
    public void setInt(int parameter, int value) {
        set(parameter, value < 0 ? "(" + value + ")" : Integer.toString(value), true);
    }

    @Override
    public void setLong(int parameter, long value) {
        set(parameter, Long.toString(value), false);
    }

    @Override
    public void setText(int parameter, String value) {
        set(parameter, value, false);
    }

    @Override
    public void setUntyped(int parameter, @Nullable String value) {
        set(parameter, value == null ? "null" : value, value == null);
    }

    /** The statement with its literals. */
    String render() throws SQLException {
        Literals escaper = literals;
        if (escaper == null) {
            if (connection == null) {
                throw new SQLException("no connection is attached", "08003");
            }
            escaper = new Literals(connection);
            literals = escaper;
        }
        text.setLength(0);
        text.append(parts[0]);
        for (int i = 0; i < values.length; i++) {
            if (bare[i]) {
                text.append(values[i]);
            } else {
                escaper.append(text, values[i]);
            }
            text.append(parts[i + 1]);
        }
        return text.toString();
    }

    @Override
    public long query(RowReader reader) throws SQLException {
        Statement open = open();
        String sql = render();
        long start = System.nanoTime();
        long answered;
        long count;
        try (ResultSet rows = open.executeQuery(sql)) {
            answered = System.nanoTime();
            count = StatementSlot.read(rows, reader);
        }
        slot.ended(start, answered, count);
        return count;
    }

    @Override
    public void addBatch() throws SQLException {
        open().addBatch(render());
    }

    @Override
    public long updateBatch() throws SQLException {
        return slot.batch(open());
    }

    @Override
    public long copy(CopyPortions portions) throws SQLException {
        if (connection == null) {
            throw new SQLException("no connection is attached", "08003");
        }
        return slot.copy(connection, parts[0], portions);
    }

    @Override
    public long update() throws SQLException {
        Statement open = open();
        String sql = render();
        long start = System.nanoTime();
        long count = open.executeUpdate(sql);
        slot.ended(start, count);
        return count;
    }
}
