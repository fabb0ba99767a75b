package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The table {@code stress_import_chunks}: the documents that unfinished imports have loaded. A chunk, or a part of a halved
 * chunk, is entered in the transaction of its rows, before them and under a unique key. So a resumed import waits for the end
 * of a transaction that is still open. The halving of a chunk is entered and committed before its parts. Thread-safe.
 */
public final class LoadedChunks {
    static final String NAME = "stress_import_chunks";

    static final String COLUMNS = "(target text not null, first_document bigint not null, documents bigint not null,"
            + " halved boolean not null default false, bson_sum bigint not null,"
            + " primary key (target, first_document, documents))";

    /**
     * Documents that follow each other in the input.
     *
     * @param first number of the first one
     * @param count at least 1
     * @param sum CRC-32C of their bytes
     */
    public record Part(long first, long count, long sum) {}

    private final ProgressTables tables;
    private final String insert;
    private final String find;
    private final String any;
    private final String delete;

    LoadedChunks(ProgressTables tables) {
        this.tables = tables;
        String name = ProgressTables.sql(tables.name(NAME));
        this.insert = "insert into " + name
                + " (target, first_document, documents, halved, bson_sum) values (?, ?, ?, ?, ?) on conflict do nothing";
        this.find =
                "select halved, bson_sum from " + name + " where target = ? and first_document = ? and documents = ?";
        this.any = "select 1 from " + name + " where target = ? limit 1";
        this.delete = "delete from " + name + " where target = ?";
    }

    /** Enters documents at the beginning of a transaction; false if an earlier transaction has entered them. */
    public boolean enter(Connection connection, TableName table, Part part, boolean halved) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, tables.key(table));
            statement.setLong(2, part.first());
            statement.setLong(3, part.count());
            statement.setBoolean(4, halved);
            statement.setLong(5, part.sum());
            return statement.executeUpdate() == 1;
        }
    }

    /**
     * Whether documents that an earlier transaction has entered were loaded by halves.
     *
     * @throws TargetException if other documents were entered under the same numbers
     */
    public boolean isHalved(Connection connection, TableName table, Part part) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(find)) {
            select.setString(1, tables.key(table));
            select.setLong(2, part.first());
            select.setLong(3, part.count());
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return false;
                }
                if (row.getLong("bson_sum") != part.sum()) {
                    throw new TargetException("--resume: the input is not the one whose import into " + table
                            + " was interrupted: of the documents from number " + part.first() + " to "
                            + (part.first() + part.count() - 1) + " (the first is 0), others were loaded; resume with"
                            + " the same input, or start again without --resume, with --if-exists drop or truncate");
                }
                return row.getBoolean(1);
            }
        }
    }

    /** Whether any chunk of the table is loaded. */
    public boolean any(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(any)) {
            select.setString(1, tables.key(table));
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Deletes the records of a table's chunks. */
    void forget(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setString(1, tables.key(table));
            statement.executeUpdate();
        }
    }
}
