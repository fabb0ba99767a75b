package io.pgstress.dataset;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.KeyLoader.KeyRange;
import io.pgstress.dataset.Keys.DenseKeys;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table under load, as it was before the run.
 *
 * @param rows number of rows before the run
 * @param bytes size with indexes, over all nodes
 * @param ids what is known of its ids
 * @param others quoted names of the columns beside {@code _id} and {@code data} that a copy of a row has to be given
 */
public record Table(
        TableName name, KeyType keyType, long rows, long bytes, RowIds ids, Keys keys, List<String> others) {
    /**
     * The ids of a table.
     *
     * @param distinct number of different ids
     * @param missing number of rows without an id (null)
     * @param repeated number of rows with the id of another row, not counting that one
     */
    public record RowIds(long distinct, long missing, long repeated) {
        static final RowIds NONE = new RowIds(0, 0, 0);
    }

    public Table {
        others = List.copyOf(others);
    }

    /**
     * Looks at a table and reads its ids.
     *
     * @param named its name as the user wrote it, perhaps without the quotes that it needs
     * @param keySample about how many ids to draw from; 0: all
     * @throws TargetException if it does not exist, is empty, or is not {@code (_id, data)}
     */
    public static Table read(
            Connection connection, TableName named, Dialect dialect, int keySample, long seed, KeyProgress progress)
            throws SQLException {
        TableName name = TableColumns.find(connection, named);
        KeyRange range = KeyRange.read(connection, name, TableColumns.key(connection, name));
        if (range.ids() == 0) {
            throw new TargetException(
                    RowSecurity.isActive(connection, name)
                            ? "table " + name + " shows no row to role " + RowSecurity.role(connection)
                                    + ", to which its row security policies apply: use a role that sees its rows (its"
                                    + " owner, or one with BYPASSRLS), or import a dump if there are none"
                            : "table " + name + " is empty: import a dump into it first (stress import)");
        }
        Keys keys = new KeyLoader(connection, name, range, Math.max(keySample, KeyLoader.MAX_INDEXED))
                .load(keySample, seed, progress);
        if (keys.size() == 0) {
            throw new TargetException("no ids were sampled from table " + name + ": use a larger --key-sample");
        }
        return new Table(
                name,
                range.type(),
                range.rows(),
                ControlSql.number(connection, dialect.tables().totalBytes(name)),
                new RowIds(range.ids(), range.rows() - range.withId(), range.withId() - range.ids()),
                keys,
                TableColumns.others(connection, name));
    }

    /** Its size; null if the server knows none, as of a view. */
    public @Nullable Long knownBytes() {
        return bytes == 0 ? null : Long.valueOf(bytes);
    }

    /** A table that an operation creates, about which nothing is known yet. */
    public static Table own(TableName name) {
        return new Table(name, KeyType.INT, 0, 0, RowIds.NONE, DenseKeys.NONE, List.of());
    }

    /** A table of one row that need not exist, to show the statements of operations. */
    public static Table assumed(TableName name) {
        return new Table(name, KeyType.INT, 1, 0, new RowIds(1, 0, 0), new DenseKeys(1, 1, KeyType.INT), List.of());
    }

    /**
     * The table after the operations were set up; if one of them created it, with its rows and size.
     *
     * @param knownRows its rows; -1: they are counted
     */
    public Table reread(Connection connection, Dialect dialect, long knownRows) throws SQLException {
        if (!TableColumns.exists(connection, name)) {
            return this;
        }
        return new Table(
                name,
                keyType,
                knownRows >= 0 ? knownRows : ControlSql.number(connection, "select count(*) from " + name.quoted()),
                ControlSql.number(connection, dialect.tables().totalBytes(name)),
                ids,
                keys,
                others);
    }
}
