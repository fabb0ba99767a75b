package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.dialect.Tables;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The copy of a table, with the same structure and distribution; operations empty and fill it. Used by one thread. */
public final class CopyTable {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final TableName original;
    private final TableName copy;
    private final KeyType keyType;
    private final Dialect dialect;
    /** The table's comment as the last reset left it; null if there was none. */
    private @Nullable TableMark mark;

    private boolean wasTaken;

    public CopyTable(TableName original, KeyType keyType, Dialect dialect) {
        this.original = original;
        this.copy = original.copy();
        this.keyType = keyType;
        this.dialect = dialect;
    }

    public TableName name() {
        return copy;
    }

    public boolean exists(Connection connection) throws SQLException {
        return TableColumns.exists(connection, copy);
    }

    /** Creates the table, empty, if it is missing. */
    public void create(Connection connection) throws SQLException {
        if (exists(connection)) {
            return;
        }
        TableStorage storage = dialect.tables().storage(connection, original);
        ControlSql.inTransaction(connection, () -> {
            for (String sql : dialect.tables().createLike(copy, original, storage)) {
                ControlSql.execute(connection, sql);
            }
            if (TableColumns.hasNumberedIds(connection, copy)) {
                ControlSql.execute(connection, "alter table " + copy.quoted() + " alter column _id drop identity");
            }
            ControlSql.execute(connection, CopyMark.sql(copy));
        });
    }

    /**
     * Creates the table if it is missing. A marked table with keys of another type, or without a column of the original, is
     * dropped first. One that is only stored otherwise is kept: see {@link #differences}.
     *
     * @throws TargetException if a table of the user's has its name and other columns
     */
    public void createFitting(Connection connection) throws SQLException {
        if (exists(connection) && !fits(connection)) {
            if (!CopyMark.isOn(connection, copy)) {
                throw new TargetException("table " + copy + " exists and is not like " + original
                        + ": rename it, drop it, or recreate it like that table");
            }
            ControlSql.execute(connection, "drop table " + copy.quoted());
        }
        create(connection);
    }

    /**
     * What the original has and the copy has not, so that writing to the copy costs something else, in words; empty if they are
     * alike. A copy that was made earlier, or by the user, can be stored otherwise.
     */
    public List<String> differences(Connection connection) throws SQLException {
        Tables tables = dialect.tables();
        List<String> found =
                new ArrayList<>(tables.storage(connection, original).differences(tables.storage(connection, copy)));
        for (TableAttachment each : TableAttachment.values()) {
            if (each == TableAttachment.POLICY && !RowSecurity.isActive(connection, original)) {
                continue; // they cost this role nothing
            }
            long here = each.count(connection, original);
            long there = each.count(connection, copy);
            if (here != there) {
                found.add(Counted.of(here, each.word()) + (there == 0 ? "" : ", where the copy has " + there));
            }
        }
        return found;
    }

    private boolean fits(Connection connection) throws SQLException {
        try {
            return TableColumns.keyType(connection, copy) == keyType
                    && TableColumns.others(connection, copy).containsAll(TableColumns.others(connection, original));
        } catch (TargetException e) {
            return false; // its columns differ
        }
    }

    /** Whether the table exists and has rows. */
    public boolean isFilled(Connection connection) throws SQLException {
        return exists(connection) && CopyMark.hasRows(connection, copy);
    }

    /**
     * Empties the table and copies rows of the original into it.
     *
     * @param fill which rows
     * @param run the ID of the run that resets it
     * @throws TargetException if the table has rows and is not marked as a copy, or the role lacks a privilege on it
     */
    public void reset(Connection connection, CopyFill fill, String run) throws SQLException {
        try {
            claim(connection, run);
            ControlSql.execute(connection, "truncate table " + copy.quoted());
            fill.insert(connection, original, copy);
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                throw e;
            }
            String role = Quoting.identifier(connection.getMetaData().getUserName());
            throw new TargetException(
                    "table " + copy + " could not be reset: " + ServerErrors.sampleOf(e) + "; its owner must run: "
                            + CopyMark.sql(copy) + "; grant select, insert, delete, truncate on " + copy.quoted()
                            + " to "
                            + role,
                    e);
        }
    }

    private void claim(Connection connection, String run) throws SQLException {
        if (!CopyMark.isOn(connection, copy) && CopyMark.hasRows(connection, copy)) {
            throw new TargetException("table " + copy + " has rows and was not created as the copy of " + original
                    + ", which operations empty: rename it, or allow that with " + CopyMark.sql(copy));
        }
        look(connection);
        try {
            TableMark ofRun = CopyMark.of(run);
            ControlSql.execute(connection, ofRun.sql(copy));
            mark = ofRun;
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState()) || !CopyMark.isOn(connection, copy)) {
                throw e;
            }
            mark = null; // not the owner of the marked table: only the lock keeps other runs away
        }
    }

    /** Records whether another run has reset the table since the last reset. */
    private void look(Connection connection) throws SQLException {
        wasTaken |= mark != null && !mark.isOn(connection, copy);
    }

    /** The problem, if another run has reset the table since the first reset. */
    public boolean wasTaken(Connection connection) throws SQLException {
        look(connection);
        return wasTaken;
    }

    /**
     * The rows of a table that its copy is filled with.
     *
     * @param ids the ids to draw from; null for all rows
     * @param count the number of ids
     * @param indexes the index of each of them, by numbers from 0
     */
    public record CopyFill(boolean isFilled, @Nullable Keys ids, long count, LongUnaryOperator indexes) {
        /** No rows. */
        public static final CopyFill NONE = new CopyFill(false, null, 0, i -> i);

        /** All rows. */
        public static final CopyFill ALL = new CopyFill(true, null, 0, i -> i);

        private static final int IDS_PER_STATEMENT = 10_000;

        /** The rows of a table whose ids can be drawn. */
        public static CopyFill drawn(Table table) {
            return drawn(table, table.keys().size(), i -> i);
        }

        /**
         * Rows of a table whose ids can be drawn.
         *
         * @param count the number of ids
         * @param indexes the index of each of them, by numbers from 0
         */
        public static CopyFill drawn(Table table, long count, LongUnaryOperator indexes) {
            return count < table.ids().distinct() ? new CopyFill(true, table.keys(), count, indexes) : ALL;
        }

        /** Inserts the rows into the copy, which is empty. */
        void insert(Connection connection, TableName original, TableName copy) throws SQLException {
            if (!isFilled) {
                return;
            }
            List<String> columns = new ArrayList<>(List.of("_id", "data"));
            columns.addAll(TableColumns.others(connection, original));
            String row = String.join(", ", columns);
            String insert =
                    "insert into " + copy.quoted() + " (" + row + ") select " + row + " from " + original.quoted();
            try (Statement statement = connection.createStatement()) {
                if (ids == null) {
                    statement.execute(insert);
                } else {
                    insertThese(connection, insert + " where _id = any (?)", ids);
                }
                statement.execute("analyze " + copy.quoted());
            }
        }

        /** The server infers the type of the array from that of the column. */
        private void insertThese(Connection connection, String sql, Keys keys) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (long from = 0; from < count; from += IDS_PER_STATEMENT) {
                    statement.setObject(1, array(keys, from, Math.min(count, from + IDS_PER_STATEMENT)), Types.OTHER);
                    statement.executeUpdate();
                }
            }
        }

        private String array(Keys keys, long from, long to) {
            StringBuilder array = new StringBuilder("{");
            for (long i = from; i < to; i++) {
                array.append(i == from ? "" : ",").append(Quoting.element(keys.text(indexes.applyAsLong(i))));
            }
            return array.append('}').toString();
        }
    }

    /**
     * The mark of copy tables, which operations empty and fill: a comment on the table with the ID of the last run that did so. A
     * table {@code <name>_copy} with rows but without the mark belongs to the user.
     */
    public static final class CopyMark {
        private static final TableMark MARK = new TableMark("stress: a copy table, emptied and filled by operations");

        private CopyMark() {}

        /** The statement that sets the mark. */
        public static String sql(TableName copy) {
            return MARK.sql(copy);
        }

        /** The mark of a run. */
        static TableMark of(String run) {
            return new TableMark(MARK.text() + "; last by run " + run);
        }

        /** Whether the table has the mark. */
        public static boolean isOn(Connection connection, TableName copy) throws SQLException {
            return TableMark.read(connection, copy).startsWith(MARK.text());
        }

        public static boolean hasRows(Connection connection, TableName table) throws SQLException {
            return ControlSql.exists(connection, "select 1 from " + table.quoted() + " limit 1");
        }
    }
}
