package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The copy of a table, with the same structure and distribution; operations empty and fill it. Used by one thread. */
public final class CopyTable {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final TableName original;
    private final TableName copy;
    private final KeyType keyType;
    private final Dialect dialect;
    /** The table's comment as the last reset left it; null if there was none. */
    private @Nullable String mark;

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
        for (String sql : dialect.tables().createLike(copy, original, keyType)) {
            ControlSql.execute(connection, sql);
        }
        ControlSql.execute(connection, CopyMark.sql(copy));
    }

    /**
     * Creates the table if it is missing. A marked table with keys of another type, or without a column of the original, is
     * dropped first.
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
        if (!CopyMark.mayBeEmptied(connection, copy)) {
            throw new TargetException("table " + copy + " has rows and was not created as the copy of " + original
                    + ", which operations empty: rename it, or allow that with " + CopyMark.sql(copy));
        }
        look(connection);
        try {
            ControlSql.execute(connection, CopyMark.sql(copy, run));
            mark = CopyMark.of(run);
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState()) || !CopyMark.isOn(connection, copy)) {
                throw e;
            }
            mark = null; // not the owner of the marked table: only the lock keeps other runs away
        }
    }

    /** Records whether another run has reset the table since the last reset. */
    private void look(Connection connection) throws SQLException {
        wasTaken |= mark != null && !mark.equals(TableMark.read(connection, copy));
    }

    /** The problem, if another run has reset the table since the first reset. */
    public Optional<String> conflict(Connection connection) throws SQLException {
        look(connection);
        return wasTaken
                ? Optional.of("another run reset table " + copy
                        + " during this one: run them one after the other, or on different tables")
                : Optional.empty();
    }
}
