package io.pgstress.importer;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Which chunks of an import are in their table. A chunk's entry and its rows are one transaction, the entry first and
 * under a unique key: so a resumed import that comes to a chunk whose transaction is still open waits for its end.
 */
final class ProgressTable {
    static final String NAME = "stress_import_progress";

    private static final String CREATE = "create table if not exists " + NAME
            + " (target text not null, chunk bigint not null, documents bigint not null, primary key (target, chunk))";

    private ProgressTable() {}

    /** Makes the table where it is missing. */
    static void create(Statement statement) throws SQLException {
        statement.execute(CREATE);
    }

    /** Enters a chunk; false where it was entered, and committed, before. */
    static boolean enter(Connection connection, TableName table, long firstOrdinal, int documents) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into " + NAME + " (target, chunk, documents) values (?, ?, ?) on conflict do nothing")) {
            insert.setString(1, table.toString());
            insert.setLong(2, firstOrdinal);
            insert.setLong(3, documents);
            return insert.executeUpdate() == 1;
        }
    }

    /** Forgets all chunks of a table: its import is complete, or begins anew. */
    static void forget(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from " + NAME + " where target = ?")) {
            delete.setString(1, table.toString());
            delete.executeUpdate();
        }
    }

    /** How many chunks an earlier import has left entries of. */
    static long entries(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select count(*) from " + NAME + " where target = ?")) {
            select.setString(1, table.toString());
            try (var row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Takes the table away where nobody's import is under way. */
    static void dropIfEmpty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("select not exists (select from " + NAME + ")")) {
            row.next();
            boolean empty = row.getBoolean(1);
            if (empty) {
                statement.execute("drop table if exists " + NAME);
            }
        }
    }
}
