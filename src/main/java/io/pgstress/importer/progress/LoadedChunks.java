package io.pgstress.importer.progress;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The table {@code stress_import_chunks}: the documents that unfinished imports have loaded. A chunk, or a part of a halved
 * chunk, is entered in the transaction of its rows, before them and under a unique key. So a resumed import waits for the end
 * of a transaction that is still open. The halving of a chunk is entered and committed before its parts.
 */
public final class LoadedChunks {
    static final String NAME = "stress_import_chunks";

    static final String CREATE = "create table if not exists " + NAME
            + " (target text not null, first_document bigint not null, documents bigint not null,"
            + " halved boolean not null default false, primary key (target, first_document, documents))";

    private static final String INSERT = "insert into " + NAME
            + " (target, first_document, documents, halved) values (?, ?, ?, ?) on conflict do nothing";
    private static final String FIND =
            "select halved from " + NAME + " where target = ? and first_document = ? and documents = ?";

    private LoadedChunks() {}

    /** Enters documents at the beginning of a transaction; false if an earlier transaction has entered them. */
    public static boolean enter(Connection connection, TableName table, long first, long documents, boolean halved)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, table.toString());
            insert.setLong(2, first);
            insert.setLong(3, documents);
            insert.setBoolean(4, halved);
            return insert.executeUpdate() == 1;
        }
    }

    /** Whether these documents were loaded by halves. */
    public static boolean isHalved(Connection connection, TableName table, long first, long documents)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(FIND)) {
            select.setString(1, table.toString());
            select.setLong(2, first);
            select.setLong(3, documents);
            try (ResultSet row = select.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Whether any chunk of the table is loaded. */
    public static boolean any(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select 1 from " + NAME + " where target = ? limit 1")) {
            select.setString(1, table.toString());
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Deletes the records of a table's chunks. */
    static void forget(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete from " + NAME + " where target = ?")) {
            delete.setString(1, table.toString());
            delete.executeUpdate();
        }
    }
}
