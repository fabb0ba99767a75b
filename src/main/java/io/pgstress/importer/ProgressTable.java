package io.pgstress.importer;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;

/**
 * Which documents of an import are in their table. The entry of a chunk, or of a part of one that was halved, and its rows
 * are one transaction, the entry first and under a unique key: so a resumed import that comes to a chunk whose transaction
 * is still open waits for its end. That a chunk or part is halved is entered, and committed, before its parts are.
 */
final class ProgressTable {
    static final String NAME = "stress_import_progress";

    private static final String CREATE = "create table if not exists " + NAME
            + " (target text not null, chunk bigint not null, documents bigint not null,"
            + " halved boolean not null default false, primary key (target, chunk, documents))";
    /** In the place of a chunk: an entry that holds the size of the input. */
    private static final long INPUT = -Importer.CHUNK;

    private ProgressTable() {}

    /** Makes the table where it is missing. */
    static void create(Statement statement) throws SQLException {
        statement.execute(CREATE);
    }

    /** Enters documents; false where they were entered, and committed, before. */
    static boolean enter(Connection connection, TableName table, long first, long documents, boolean halved)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into " + NAME
                + " (target, chunk, documents, halved) values (?, ?, ?, ?) on conflict do nothing")) {
            insert.setString(1, table.toString());
            insert.setLong(2, first);
            insert.setLong(3, documents);
            insert.setBoolean(4, halved);
            return insert.executeUpdate() == 1;
        }
    }

    /** Whether the entry of these documents says that they went in by halves. */
    static boolean isHalved(Connection connection, TableName table, long first, long documents) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select halved from " + NAME + " where target = ? and chunk = ? and documents = ?")) {
            select.setString(1, table.toString());
            select.setLong(2, first);
            select.setLong(3, documents);
            try (ResultSet row = select.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Enters the input's size, by which a resumed import knows it again. */
    static void enterInput(Connection connection, TableName table, long size) throws SQLException {
        enter(connection, table, INPUT, size, false);
    }

    /** Whether an import of this very input is under way; false where none is at all. */
    static boolean knowsInput(Connection connection, TableName table, long size) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select count(*) from " + NAME + " where target = ? and chunk = ? and documents = ?")) {
            select.setString(1, table.toString());
            select.setLong(2, INPUT);
            select.setLong(3, size);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1) > 0;
            }
        }
    }

    /** Forgets all entries of a table: its import begins anew. */
    static void forget(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from " + NAME + " where target = ?")) {
            delete.setString(1, table.toString());
            delete.executeUpdate();
        }
    }

    /** Forgets all of an import that is complete, at once; takes the table away where nobody's import is under way. */
    static void complete(Connection connection, Collection<TableName> tables) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from " + NAME + " where target = any(?)");
                Statement statement = connection.createStatement()) {
            Object[] names = tables.stream().map(TableName::toString).toArray();
            delete.setArray(1, connection.createArrayOf("text", names));
            delete.executeUpdate();
            try (ResultSet row = statement.executeQuery("select not exists (select from " + NAME + ")")) {
                row.next();
                if (!row.getBoolean(1)) {
                    return;
                }
            }
            statement.execute("drop table if exists " + NAME);
        }
    }
}
