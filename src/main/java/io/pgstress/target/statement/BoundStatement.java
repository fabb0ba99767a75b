package io.pgstress.target.statement;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A {@code PreparedStatement}: extended or prepared, depending on the connection's {@code prepareThreshold}. */
final class BoundStatement extends JdbcStatement<PreparedStatement> {
    private final String sql;
    /** The values bound by {@link #setText}, by parameter. */
    private @Nullable String[] texts = new String[0];

    BoundStatement(Sql sql, Slot slot) {
        super(slot);
        this.sql = sql.text();
    }

    @Override
    public void detach() throws SQLException {
        texts = new String[0];
        super.detach();
    }

    @Override
    PreparedStatement create(Connection on) throws SQLException {
        return on.prepareStatement(sql);
    }

    @Override
    String text() {
        return sql;
    }

    @Override
    ResultSet query(PreparedStatement open, String text) throws SQLException {
        return open.executeQuery();
    }

    @Override
    long update(PreparedStatement open, String text) throws SQLException {
        return open.executeUpdate();
    }

    @Override
    boolean execute(PreparedStatement open, String text) throws SQLException {
        return open.execute();
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
    public void addBatch() throws SQLException {
        open().addBatch();
    }
}
