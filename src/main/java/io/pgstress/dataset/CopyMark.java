package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The mark of copy tables, which operations empty and fill: a comment on the table with the ID of the last run that did so. A
 * table {@code <name>_copy} with rows but without the mark belongs to the user.
 */
public final class CopyMark {
    private static final TableMark MARK = new TableMark("stress: a copy table, emptied and filled by operations");

    private CopyMark() {}

    /** The statement that sets the mark. */
    public static String sql(TableName copy) {
        return MARK.sql(copy);
    }

    /** The statement that sets the mark of a run. */
    public static String sql(TableName copy, String run) {
        return new TableMark(of(run)).sql(copy);
    }

    /** The mark of a run. */
    public static String of(String run) {
        return MARK.text() + "; last by run " + run;
    }

    /** The statement that removes the mark. */
    public static String removal(TableName copy) {
        return TableMark.removal(copy);
    }

    /** Whether the table has the mark. */
    public static boolean isOn(Connection connection, TableName copy) throws SQLException {
        return TableMark.read(connection, copy).startsWith(MARK.text());
    }

    /** Whether the table may be emptied: it is marked or empty. */
    public static boolean mayBeEmptied(Connection connection, TableName copy) throws SQLException {
        return isOn(connection, copy) || !hasRows(connection, copy);
    }

    public static boolean hasRows(Connection connection, TableName table) throws SQLException {
        return ControlSql.exists(connection, "select 1 from " + table.quoted() + " limit 1");
    }
}
