package io.pgstress.runner;

import io.pgstress.dataset.CopyMark;
import io.pgstress.dataset.Table;
import io.pgstress.dataset.TableColumns;
import io.pgstress.dataset.TableMark;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.Reset;
import io.pgstress.plan.TableName;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings the copy table into the state that an operation begins with. */
public final class CopyTable {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final Target target;
    private final Table table;
    private final String run;
    /** The table's comment as this run left it; null where the run does not reset the table. */
    private @Nullable String mark;

    private boolean wasTaken;

    /** For whoever makes the table and does not run. */
    public CopyTable(Target target, Table table) {
        this(target, table, "");
    }

    /** @param run the ID of the run that resets the table */
    CopyTable(Target target, Table table, String run) {
        this.target = target;
        this.table = table;
        this.run = run;
    }

    /** Makes the table, empty, where it is missing. */
    public void make() {
        on("made", statement -> {
            TableName copy = table.name().copy();
            if (!TableColumns.exists(statement.getConnection(), copy)) {
                for (String sql : target.dialect().tables().createLike(copy, table.name(), table.keyType())) {
                    statement.execute(sql);
                }
                statement.execute(CopyMark.sql(copy));
            }
        });
    }

    public boolean exists() {
        boolean[] there = new boolean[1];
        on(
                "looked at",
                statement -> there[0] = TableColumns.exists(
                        statement.getConnection(), table.name().copy()));
        return there[0];
    }

    /** Refuses a run that needs it full and may not fill it. */
    void checkFilled() {
        TableName copy = table.name().copy();
        on("looked at", statement -> {
            if (!TableColumns.exists(statement.getConnection(), copy) || !hasRows(statement, copy)) {
                throw new TargetException("no-reset: table " + copy + ", which the operation needs full, "
                        + "is missing or empty; leave --no-reset out to have it filled");
            }
        });
    }

    private static boolean hasRows(Statement statement, TableName copy) throws SQLException {
        try (ResultSet row = statement.executeQuery("select 1 from " + copy.quoted() + " limit 1")) {
            return row.next();
        }
    }

    /** Empties or fills it. */
    void reset(Reset reset) {
        if (reset == Reset.NONE) {
            return;
        }
        String copy = table.name().copy().quoted();
        on("reset", statement -> {
            claim(statement);
            statement.execute("truncate table " + copy);
            if (reset == Reset.FILL_COPY) {
                statement.execute("insert into " + copy + " (_id, data) select _id, data from "
                        + table.name().quoted());
                statement.execute("analyze " + copy);
            }
        });
    }

    /** A table of this name that somebody else has filled is not emptied. */
    private void claim(Statement statement) throws SQLException {
        TableName copy = table.name().copy();
        Connection connection = statement.getConnection();
        if (!CopyMark.mayBeEmptied(connection, copy)) {
            throw new TargetException("table " + copy + " has rows and was not made as the copy of " + table.name()
                    + ", which operations empty: rename it, or allow that by " + CopyMark.sql(copy));
        }
        look(connection);
        try {
            statement.execute(CopyMark.sql(copy, run));
            mark = CopyMark.of(run);
        } catch (SQLException e) {
            if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState()) || !CopyMark.isOn(connection, copy)) {
                throw e;
            }
            mark = null; // a role that may empty a marked table and does not own it: the lock alone keeps others away
        }
    }

    /** Notes whether another run has reset the table since this one did. */
    private void look(Connection connection) throws SQLException {
        wasTaken |= mark != null
                && !mark.equals(TableMark.read(connection, table.name().copy()));
    }

    /** That nobody else has reset the table while the run lasted; nothing where the run did not reset it. */
    List<PostRunCheck> check(Connection connection) throws SQLException {
        look(connection);
        return wasTaken
                ? List.of(new PostRunCheck(
                        false,
                        "another run reset table " + table.name().copy()
                                + " during this one: run one after the other, or on tables of their own"))
                : List.of();
    }

    private interface Work {
        void on(Statement statement) throws SQLException;
    }

    private void on(String what, Work work) {
        try (Connection connection = target.first().connector().openDdl();
                Statement statement = connection.createStatement()) {
            work.on(statement);
        } catch (SQLException e) {
            throw new TargetException(
                    "table " + table.name().copy() + " could not be " + what + ": " + ServerErrors.sampleOf(e)
                            + LockHolders.words(target, e),
                    e);
        }
    }
}
