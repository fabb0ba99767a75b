package io.pgstress.importer.table;

import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.target.driver.ControlSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Moves rows, each _id once, into a table that may already have some of their ids.
 *
 * @param table the destination, quoted
 * @param rows a query of {@code _id} and {@code data}
 * @param countsRows whether it returns the number of rows inserted; for rows from a table that is not distributed, Citus
 *     returns the number selected
 */
public record DuplicateMerge(String table, String rows, boolean countsRows) {
    /**
     * Moves the rows; returns how many were inserted or replaced another.
     *
     * @param how which row stays if the table has its id; not {@code FAIL}
     */
    public long move(Statement statement, OnDuplicate how) throws SQLException {
        String insert = "insert into " + table + " (_id, data) ";
        if (!ControlSql.isSince(statement.getConnection(), 9, 5)) {
            return moveWithoutConflicts(statement, insert, how);
        }
        if (how == OnDuplicate.REPLACE) {
            return statement.executeLargeUpdate(
                    insert + rows + " on conflict (_id) do update set data = excluded.data");
        }
        if (countsRows) { // a row that meets a conflict costs about four times as much as one that the join leaves out
            return statement.executeLargeUpdate(insert + newRows() + " on conflict do nothing");
        }
        long before = count(statement);
        statement.executeLargeUpdate(insert + rows + " on conflict do nothing");
        return count(statement) - before;
    }

    private String newRows() {
        return "select l._id, l.data from (" + rows + ") l where not exists (select 1 from " + table
                + " t where t._id = l._id)";
    }

    /** Before PostgreSQL 9.5, which brought ON CONFLICT. */
    private long moveWithoutConflicts(Statement statement, String insert, OnDuplicate how) throws SQLException {
        long replaced = how == OnDuplicate.REPLACE
                ? statement.executeLargeUpdate(
                        "update " + table + " t set data = l.data from (" + rows + ") l where t._id = l._id")
                : 0;
        return replaced + statement.executeLargeUpdate(insert + newRows());
    }

    private long count(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
