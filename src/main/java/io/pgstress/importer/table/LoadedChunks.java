package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

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
    private final String name;

    LoadedChunks(ProgressTables tables) {
        this.tables = tables;
        this.name = ProgressTables.sql(tables.name(NAME));
    }

    /** Enters documents at the beginning of a transaction; false if an earlier transaction has entered them. */
    public boolean enter(Connection connection, TableName table, Part part, boolean halved) throws SQLException {
        String insert = "insert into " + name + " (target, first_document, documents, halved, bson_sum) ";
        String values = Quoting.literal(tables.key(table)) + ", " + part.first() + ", " + part.count() + ", " + halved
                + ", " + part.sum();
        if (ControlSql.isSince(connection, 9, 5)) {
            return ControlSql.update(connection, insert + "values (" + values + ") on conflict do nothing") == 1;
        }
        try {
            return ControlSql.update(
                            connection,
                            insert + "select " + values + " where not exists (select 1" + of(table, part) + ")")
                    == 1;
        } catch (SQLException e) {
            if (!ServerErrors.isDuplicateKey(e)) {
                throw e;
            }
            connection.rollback(); // a transaction that was open, and for which this one waited, has entered them
            return false;
        }
    }

    private String of(TableName table, Part part) {
        return " from " + name + tables.where(table) + " and first_document = " + part.first() + " and documents = "
                + part.count();
    }

    /**
     * Whether documents that an earlier transaction has entered were loaded by halves.
     *
     * @throws TargetException if other documents were entered under the same numbers
     */
    public boolean isHalved(Connection connection, TableName table, Part part) throws SQLException {
        String sql = "select halved, bson_sum" + of(table, part);
        List<Boolean> halved = ControlSql.rows(connection, sql, row -> {
            if (row.getLong("bson_sum") != part.sum()) {
                throw new TargetException("--resume: the input is not the one whose import into " + table
                        + " was interrupted: of the documents from number " + part.first() + " to "
                        + (part.first() + part.count() - 1) + " (the first is 0), others were loaded; resume with"
                        + " the same input, or start again without --resume, with --if-exists drop or truncate");
            }
            return row.getBoolean("halved");
        });
        return halved.contains(true);
    }

    /** Whether any chunk of the table is loaded. */
    public boolean any(Connection connection, TableName table) throws SQLException {
        return ControlSql.exists(connection, "select 1 from " + name + tables.where(table) + " limit 1");
    }

    /** The documents that are entered, without those whose chunk was halved. */
    long documents(Connection connection, TableName table) throws SQLException {
        return ControlSql.number(
                connection,
                "select coalesce(sum(documents), 0)::bigint from " + name + tables.where(table) + " and not halved");
    }

    /** Deletes the records of a table's chunks. */
    void forget(Connection connection, TableName table) throws SQLException {
        ControlSql.execute(connection, "delete from " + name + tables.where(table));
    }
}
