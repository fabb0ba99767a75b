package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A comment that marks tables that may be emptied or recreated.
 *
 * @param text the comment, without quotes
 */
public record TableMark(String text) {
    /** The statement that sets the mark. */
    public String sql(TableName table) {
        return "comment on table " + table.quoted() + " is '" + text + "'";
    }

    /** The statement that removes this or any other comment. */
    public static String removal(TableName table) {
        return "comment on table " + table.quoted() + " is null";
    }

    /** Whether the table has the mark; false if the table does not exist. */
    public boolean isOn(Connection connection, TableName table) throws SQLException {
        return text.equals(read(connection, table));
    }

    /** The table's comment; empty if there is no comment or no such table. */
    public static String read(Connection connection, TableName table) throws SQLException {
        return ControlSql.text(
                        connection, "select obj_description(to_regclass(" + table.literal() + ")::oid, 'pg_class')")
                .orElse("");
    }
}
