package io.pgstress.importer;

import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.verify.Checksum;
import io.pgstress.plan.TableName;
import io.pgstress.target.ServerVersion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

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
    /** "unique violation". */
    private static final String DUPLICATE = "23505";

    /** In the place of a chunk: an entry that holds the size of the input. */
    static final long INPUT = -Importer.CHUNK;

    /** In the place of a chunk: checksums that are kept, as two entries each. Of the table before the import. */
    static final long BEFORE = 2 * INPUT;
    /** Of the table after staged rows were moved into it. */
    static final long MOVED = 3 * INPUT;

    /** Besides the input: that its table gets its key after the rows. */
    static final long KEY_AFTER = 4 * INPUT;
    /** What remains of an import that is complete. */
    static final long DONE = 5 * INPUT;
    /** Besides the input: that staged rows were moved, and their table dropped. */
    static final long EMPTIED = 6 * INPUT;
    /** Besides {@link #DONE}: that the table was read back then, and was as the input. */
    static final long VERIFIED = 7 * INPUT;
    /** Besides the input: that its table had rows before. */
    static final long FILLED = 8 * INPUT;
    /** Besides the input: that its rows wait in a table beside the one they are meant for, which is named so for that alone. */
    static final long BESIDE = 9 * INPUT;

    private ProgressTable() {}

    /** Makes the table where it is missing. */
    static void create(Statement statement) throws SQLException {
        statement.execute(CREATE);
    }

    /**
     * Enters documents, at the beginning of a transaction; false where they were entered, and committed, before.
     */
    static boolean enter(Connection connection, TableName table, long first, long documents, boolean halved)
            throws SQLException {
        boolean onConflict = ServerVersion.hasOnConflict(connection);
        if (!onConflict && knows(connection, table, first, documents)) {
            return false;
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into " + NAME
                + " (target, chunk, documents, halved) values (?, ?, ?, ?)"
                + (onConflict ? " on conflict do nothing" : ""))) {
            insert.setString(1, table.toString());
            insert.setLong(2, first);
            insert.setLong(3, documents);
            insert.setBoolean(4, halved);
            return insert.executeUpdate() == 1;
        } catch (SQLException e) {
            if (onConflict || !DUPLICATE.equals(e.getSQLState())) {
                throw e;
            }
            connection.rollback(); // it was entered meanwhile, by a transaction that this one has waited for
            return false;
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

    /** Enters the input's size, by which a resumed import knows it again, and whether the key is made after the rows. */
    static void enterInput(Connection connection, TableName table, long size, boolean keyAfter) throws SQLException {
        if (keyAfter) {
            enter(connection, table, KEY_AFTER, size, false);
        }
        enter(connection, table, INPUT, size, false);
    }

    /**
     * Whether there is such an entry for an input of this size.
     *
     * @param kind {@link #INPUT}: its import is under way, {@link #KEY_AFTER}: and the key comes after the rows, {@link #DONE}: it
     *     is complete
     */
    static boolean knows(Connection connection, TableName table, long kind, long size) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select count(*) from " + NAME + " where target = ? and chunk = ? and documents = ?")) {
            select.setString(1, table.toString());
            select.setLong(2, kind);
            select.setLong(3, size);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1) > 0;
            }
        }
    }

    /** Whether entries of an import that has not come to its end are there; the progress table itself may not be. */
    static boolean isUnderWay(Connection connection, TableName table) throws SQLException {
        return any(connection, table, "chunk not in (" + DONE + ", " + VERIFIED + ")");
    }

    /** Whether such a table, as one beside another, is of an import that has not come to its end. */
    static boolean isBeside(Connection connection, TableName table) throws SQLException {
        return any(connection, table, "chunk = " + BESIDE);
    }

    /** Whether chunks of an import that has not come to its end were loaded. */
    static boolean hasChunks(Connection connection, TableName table) throws SQLException {
        return any(connection, table, "chunk >= 0");
    }

    /** Whether the table was loaded, wholly or in part. */
    static boolean knows(Connection connection, TableName table) throws SQLException {
        return any(connection, table, "true");
    }

    private static boolean any(Connection connection, TableName table, String condition) throws SQLException {
        if (!TableColumns.exists(connection, new TableName("", NAME))) {
            return false;
        }
        try (PreparedStatement select =
                connection.prepareStatement("select count(*) from " + NAME + " where target = ? and " + condition)) {
            select.setString(1, table.toString());
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1) > 0;
            }
        }
    }

    /** Keeps a checksum. */
    static void keep(Connection connection, TableName table, long kind, Checksum sum) throws SQLException {
        enter(connection, table, kind, sum.rows(), false);
        enter(connection, table, kind + 1, sum.sum(), false);
    }

    /** A checksum that was kept; null where none was. */
    static @Nullable Checksum kept(Connection connection, TableName table, long kind) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select documents from " + NAME + " where target = ? and chunk in (?, ?) order by chunk")) {
            select.setString(1, table.toString());
            select.setLong(2, kind);
            select.setLong(3, kind + 1);
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                long count = rows.getLong(1);
                return rows.next() ? new Checksum(count, rows.getLong(1)) : null;
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

    /**
     * Forgets the chunks of an import that is complete, but not that it is: who resumes it, having been killed too late, must not
     * import it again.
     */
    static void complete(Connection connection, Collection<TableName> tables) throws SQLException {
        Object[] names = tables.stream().map(TableName::toString).toArray();
        try (PreparedStatement done = connection.prepareStatement("insert into " + NAME
                        + " (target, chunk, documents) select target, " + DONE + ", documents from " + NAME
                        + " input where target = any(?) and chunk = " + INPUT + " and not exists (select 1 from " + NAME
                        + " d where d.target = input.target and d.chunk = " + DONE
                        + " and d.documents = input.documents)");
                PreparedStatement delete = connection.prepareStatement("delete from " + NAME
                        + " where target = any(?) and chunk not in (" + DONE + ", " + VERIFIED + ")")) {
            done.setArray(1, connection.createArrayOf("text", names));
            done.executeUpdate();
            delete.setArray(1, connection.createArrayOf("text", names));
            delete.executeUpdate();
        }
    }
}
