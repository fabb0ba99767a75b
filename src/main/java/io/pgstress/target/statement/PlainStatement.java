package io.pgstress.target.statement;

import io.pgstress.target.driver.DriverSession.Literals;
import io.pgstress.text.SqlText;
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
final class PlainStatement extends JdbcStatement<Statement> {
    private final String[] parts;
    private final String[] values;
    private final boolean[] bare;
    private final StringBuilder rendered = new StringBuilder();
    private @Nullable Literals literals;
    /** Replaces the parts; null: it does not. */
    private @Nullable String whole;

    PlainStatement(Sql sql, Slot slot) {
        super(slot);
        this.parts = SqlText.split(sql.text());
        this.values = new String[parts.length - 1];
        this.bare = new boolean[parts.length - 1];
    }

    @Override
    public void attach(Connection newConnection) {
        super.attach(newConnection);
        literals = null;
    }

    @Override
    Statement create(Connection on) throws SQLException {
        Statement created = on.createStatement();
        created.setEscapeProcessing(false);
        return created;
    }

    @Override
    ResultSet query(Statement open, String text) throws SQLException {
        return open.executeQuery(text);
    }

    @Override
    long update(Statement open, String text) throws SQLException {
        return open.executeUpdate(text);
    }

    @Override
    boolean execute(Statement open, String text) throws SQLException {
        return open.execute(text);
    }

    @Override
    public void setSql(String sql) {
        whole = sql;
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
    @Override
    String text() throws SQLException {
        String given = whole;
        if (given != null) {
            return given;
        }
        Literals escaper = literals;
        if (escaper == null) {
            escaper = new Literals(connection());
            literals = escaper;
        }
        rendered.setLength(0);
        rendered.append(parts[0]);
        for (int i = 0; i < values.length; i++) {
            if (bare[i]) {
                rendered.append(values[i]);
            } else {
                escaper.append(rendered, values[i]);
            }
            rendered.append(parts[i + 1]);
        }
        return rendered.toString();
    }

    @Override
    public void addBatch() throws SQLException {
        open().addBatch(text());
    }
}
