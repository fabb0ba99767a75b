package io.pgstress.target.statement;

import io.pgstress.target.statement.SqlStatement.CopyPortions;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.SqlStatement.SessionStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A {@code PreparedStatement}: extended or prepared, depending on the connection's {@code prepareThreshold}. */
final class BoundStatement implements SessionStatement {
    private final String sql;
    private final StatementSlot slot;
    private @Nullable Connection connection;
    private @Nullable PreparedStatement statement;
    /** The values bound by {@link #setText}, by parameter. */
    private @Nullable String[] texts = new String[0];

    BoundStatement(Sql sql, StatementSlot slot) {
        this.sql = sql.text();
        this.slot = slot;
    }

    @Override
    public void attach(Connection newConnection) {
        connection = newConnection;
    }

    @Override
    public void detach() throws SQLException {
        PreparedStatement open = statement;
        statement = null;
        connection = null;
        texts = new String[0];
        if (open != null) {
            open.close();
        }
    }

    PreparedStatement open() throws SQLException {
        PreparedStatement open = statement;
        if (open != null) {
            return open;
        }
        if (connection == null) {
            throw new SQLException("no connection is attached", "08003");
        }
        PreparedStatement prepared = connection.prepareStatement(sql);
        if (slot.fetchSize() > 0) {
            prepared.setFetchSize(slot.fetchSize());
        }
        statement = prepared;
        return prepared;
    }

    @Override
    public void setInt(int parameter, int value) throws SQLException {
        forget(parameter);
        open().setInt(parameter, value);
    }

    @Override
    public void setLong(int parameter, long value) throws SQLException {
        forget(parameter);
        open().setLong(parameter, value);
    }

    /** An object that is already bound is skipped: the driver still has it and its bytes. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public void setText(int parameter, String value) throws SQLException {
        PreparedStatement prepared = open();
        if (parameter >= texts.length) {
            texts = Arrays.copyOf(texts, Math.max(2 * texts.length, parameter + 1));
        } else if (texts[parameter] == value) {
            return;
        }
        prepared.setString(parameter, value);
        texts[parameter] = value;
    }

    /** Forgets the text of a parameter that is set by another method. */
    private void forget(int parameter) {
        if (parameter < texts.length) {
            texts[parameter] = null;
        }
    }

    @Override
    public void setUntyped(int parameter, @Nullable String value) throws SQLException {
        forget(parameter);
        open().setObject(parameter, value, Types.OTHER);
    }

    @Override
    public long query(RowReader reader) throws SQLException {
        PreparedStatement prepared = open();
        long start = System.nanoTime();
        long answered;
        long count;
        try (ResultSet rows = prepared.executeQuery()) {
            answered = System.nanoTime();
            count = StatementSlot.read(rows, reader);
        }
        slot.ended(start, answered, count);
        return count;
    }

    @Override
    public void addBatch() throws SQLException {
        open().addBatch();
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
        return slot.copy(connection, sql, portions);
    }

    @Override
    public long update() throws SQLException {
        PreparedStatement prepared = open();
        long start = System.nanoTime();
        long count = prepared.executeUpdate();
        slot.ended(start, count);
        return count;
    }
}
