package io.pgstress.importer.table;

import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The staging table for {@code --on-duplicate skip} and {@code replace}. It holds rows with their documents' numbers, so that
 * the order of the input decides which duplicate stays. Used by one thread.
 *
 * @param countsRows see {@link DuplicateMerge}
 */
record Staging(Connection connection, TableRules rules, ProgressTable progress, boolean countsRows) {
    /**
     * Creates a logged table: after a server crash an unlogged one would be empty, but the entries of its chunks would remain.
     */
    void make(TableName load, TableName name) throws SQLException {
        if (!TableColumns.exists(connection, load)) {
            ControlSql.execute(
                    connection,
                    "create table " + load.quoted() + " as select 0::bigint as _seq, _id, data from " + name.quoted()
                            + " where false");
        }
    }

    /**
     * Moves the rows in one transaction, so that a resumed import finds either all staged rows or none.
     *
     * @throws TargetException if they differ from the input; they then stay in the staging table
     */
    void move(TableImport table) throws SQLException {
        ControlSql.inTransaction(connection, () -> moveRows(table));
    }

    private void moveRows(TableImport table) throws SQLException {
        boolean replace = rules.onDuplicate() == TableRules.OnDuplicate.REPLACE;
        String load = table.loadTable().quoted();
        long staged = ControlSql.number(connection, "select count(*) from " + load);
        long moved;
        try (Statement statement = connection.createStatement()) {
            String winners = winners(statement, load, replace ? "max" : "min");
            if (rules.verify() && table.rowsBefore() > 0) {
                compareEarlier(statement, table, winners, replace);
            } else if (table.rowsBefore() > 0) {
                table.lostCount();
            }
            moved = new DuplicateMerge(table.table().quoted(), winners, countsRows)
                    .move(statement, rules.onDuplicate());
        }
        table.moved(staged, moved);
        progress.moved(connection, table);
        ControlSql.execute(connection, "drop table " + load);
    }

    /** Counts the rows from before the import that documents replace, or that stay in their place, for the verification. */
    private static void compareEarlier(Statement statement, TableImport table, String winners, boolean replace)
            throws SQLException {
        try (ResultSet row =
                statement.executeQuery("select count(*), count(*) filter (where t.data is distinct from w.data) from "
                        + table.table().quoted() + " t join (" + winners + ") w on t._id = w._id")) {
            row.next();
            table.met(row.getLong(1), replace ? 0 : row.getLong(2));
        }
    }

    /**
     * The query of the rows of which each _id occurs once. A single server first deletes the others, of which there are usually few;
     * a cluster's nodes cannot, and have no ORDER BY in subqueries (Postgres-XL), so that neither DISTINCT ON nor a window function
     * would do.
     *
     * @param stays which of the numbers of an _id's rows stays: min or max
     */
    private String winners(Statement statement, String load, String stays) throws SQLException {
        String numbers = "(select _id, " + stays + "(_seq) as _seq from " + load + " group by _id";
        if (countsRows) {
            statement.execute("delete from " + load + " l using " + numbers
                    + " having count(*) > 1) f where l._id = f._id and l._seq <> f._seq");
            return "select _id, data from " + load;
        }
        return "select l._id, l.data from " + load + " l join " + numbers + ") f on l._id = f._id and l._seq = f._seq";
    }
}
