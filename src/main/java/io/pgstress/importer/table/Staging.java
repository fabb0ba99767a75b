package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The staging table for {@code --on-duplicate skip} and {@code replace}. It holds rows with their documents' numbers, so that
 * the order of the input decides which duplicate stays. Used by one thread.
 */
final class Staging {
    private final Connection connection;
    private final TableRules rules;
    private final ProgressTable progress;
    private final boolean countsRows;

    /** @param countsRows see {@link DuplicateMerge} */
    Staging(Connection connection, TableRules rules, ProgressTable progress, boolean countsRows) {
        this.connection = connection;
        this.rules = rules;
        this.progress = progress;
        this.countsRows = countsRows;
    }

    /**
     * Creates a logged table: after a server crash an unlogged one would be empty, but the entries of its chunks would remain.
     */
    void make(TableName load, TableName name) throws SQLException {
        ControlSql.execute(
                connection,
                "create table if not exists " + load.quoted() + " as select 0::bigint as _seq, _id, data from "
                        + name.quoted() + " where false");
    }

    /**
     * Moves the rows in one transaction, so that a resumed import finds either all staged rows or none.
     *
     * @throws TargetException if they differ from the input; they then stay in the staging table
     */
    void move(TableImport table) throws SQLException {
        connection.setAutoCommit(false);
        try {
            winners(table);
            connection.commit();
        } catch (SQLException | TargetException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private void winners(TableImport table) throws SQLException {
        boolean replace = rules.onDuplicate() == TableRules.OnDuplicate.REPLACE;
        String load = table.loadTable().quoted();
        long staged;
        long moved;
        try (Statement statement = connection.createStatement()) {
            try (var row = statement.executeQuery("select count(*) from " + load)) {
                row.next();
                staged = row.getLong(1);
            }
            // no DISTINCT ON or window function: Postgres-XL has no ORDER BY in subqueries
            String winners = "select l._id, l.data from " + load + " l join (select _id, "
                    + (replace ? "max" : "min") + "(_seq) as _seq from " + load
                    + " group by _id) f on l._id = f._id and l._seq = f._seq";
            moved = new DuplicateMerge(table.table().quoted(), winners, countsRows)
                    .move(statement, rules.onDuplicate());
        }
        table.moved(staged, moved);
        progress.moved(connection, table.loadTable());
        ControlSql.execute(connection, "drop table " + load);
    }
}
