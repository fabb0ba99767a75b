package io.pgstress.importer.table;

import io.pgstress.importer.progress.ProgressTable;
import io.pgstress.plan.TableName;
import io.pgstress.target.ServerVersion;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The table in which rows of {@code --on-duplicate skip} and {@code replace} wait with their documents' numbers, so that who
 * wins goes by the order of the input. Belongs to one thread.
 */
final class Staging {
    private final Connection connection;
    private final TableRules rules;
    private final Verifier verifier;
    private final boolean countsRows;

    /** @param countsRows see {@link DuplicateMerge} */
    Staging(Connection connection, TableRules rules, Verifier verifier, boolean countsRows) {
        this.connection = connection;
        this.rules = rules;
        this.verifier = verifier;
        this.countsRows = countsRows;
    }

    /** A logged table: after a crash of the server, an unlogged one would be empty, with the chunks' entries still there. */
    void make(TableName load, TableName name) throws SQLException {
        execute("create table if not exists " + load.quoted() + " as select 0::bigint as _seq, _id, data from "
                + name.quoted() + " where false");
    }

    /**
     * In one transaction, so that a resumed import finds either all staged rows or none.
     *
     * @throws TargetException where they are not as the input: they stay where they are
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
            // neither DISTINCT ON nor a window: Postgres-XL has no ORDER BY in subqueries
            String winners = "select l._id, l.data from " + load + " l join (select _id, "
                    + (replace ? "max" : "min") + "(_seq) as _seq from " + load
                    + " group by _id) f on l._id = f._id and l._seq = f._seq";
            if (rules.verify() && staged > 0) {
                verifier.beforeMove(table, winners, replace);
            }
            moved = new DuplicateMerge(
                            table.table().quoted(), winners, ServerVersion.hasOnConflict(connection), countsRows)
                    .move(statement, rules.onDuplicate());
        }
        table.moved(staged, moved);
        ProgressTable.moved(connection, table.loadTable());
        execute("drop table " + load);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
