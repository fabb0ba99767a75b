package io.pgstress.importer.table;

import io.pgstress.importer.table.TableRules.OnDuplicate;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Moves rows, each _id once, into a table that may already have some of their ids. */
public final class DuplicateMerge {
    private final String table;
    private final String rows;
    private final boolean countsRows;

    /**
     * @param table the destination, quoted
     * @param rows a query of {@code _id} and {@code data}
     * @param countsRows whether it returns the number of rows inserted; for rows from a table that is not distributed, Citus
     *     returns the number selected
     */
    public DuplicateMerge(String table, String rows, boolean countsRows) {
        this.table = table;
        this.rows = rows;
        this.countsRows = countsRows;
    }

    /** Moves the rows; returns how many were inserted or replaced another. */
    public long move(Statement statement, OnDuplicate how) throws SQLException {
        String insert = "insert into " + table + " (_id, data) ";
        if (how == OnDuplicate.FAIL) {
            return statement.executeLargeUpdate(insert + rows);
        }
        return how == OnDuplicate.REPLACE
                ? statement.executeLargeUpdate(insert + rows + " on conflict (_id) do update set data = excluded.data")
                : counted(statement, insert + rows + " on conflict do nothing");
    }

    /** Runs the statement; returns by how many rows the table has grown. */
    private long counted(Statement statement, String insert) throws SQLException {
        if (countsRows) {
            return statement.executeLargeUpdate(insert);
        }
        long before = count(statement);
        statement.executeLargeUpdate(insert);
        return count(statement) - before;
    }

    private long count(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
