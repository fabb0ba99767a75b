package io.pgstress.operation.workload;

import io.pgstress.dataset.TableMark;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** What operations do with tables of their own, on a control connection. Belongs to one thread. */
public final class OwnTables {
    /** The comment on tables that this program created, which may be emptied and recreated. */
    private static final TableMark OURS = new TableMark("made by pgstress");

    private final Connection control;
    private final OperationType.Context context;

    public OwnTables(Connection control, OperationType.Context context) {
        this.control = control;
        this.context = context;
    }

    public void execute(String... statements) throws SQLException {
        ControlSql.execute(control, statements);
    }

    public long number(String sql) throws SQLException {
        return ControlSql.number(control, sql);
    }

    /** @param table the table as written in SQL */
    public boolean exists(String table) throws SQLException {
        return number("select count(to_regclass(" + Quoting.literal(table) + "))") > 0;
    }

    /** Whether {@link #create} created the table, in this run or an earlier one. */
    public boolean isOurs(String table) throws SQLException {
        return OURS.isOn(control, new TableName("", table));
    }

    /**
     * Whether a table that this program created earlier has other options than now, so that it must be recreated;
     * never where nothing may be changed.
     *
     * @param number the table's number, from 1, which selects its tablespace; 0: the only table
     * @throws InvalidPlanException if the table belongs to someone else and does not match the options
     */
    public boolean isOther(String table, int number) throws SQLException {
        if (context.isDryRun()) {
            return false;
        }
        boolean isOurs = isOurs(table);
        String difference = new TableShape(control, context).difference(table, number, isOurs);
        if (!isOurs && !difference.isEmpty()) {
            throw new InvalidPlanException("table: " + table + " " + difference
                    + " and was not created by this program, which leaves it alone; drop it, or leave out the option");
        }
        return !difference.isEmpty();
    }

    /** Drops a table if it exists and may be changed. */
    public void drop(String table) throws SQLException {
        if (!context.isDryRun()) {
            execute("drop table if exists " + table);
        }
    }

    /**
     * Creates a table, unless it exists and must be kept; returns whether it did. Distributed by the column if the server distributes.
     *
     * @param columns the column definitions
     * @param number the table's number, from 1, which selects its tablespace; 0: the only table
     */
    public boolean create(String table, String columns, String column, int number) throws SQLException {
        Consumer<String> made = context.made();
        if (made != null) {
            if (exists(table)) {
                return false;
            }
            made.accept("table " + table);
        }
        Options options = context.options();
        String space = TableShape.tablespace(options, number);
        String sql = "create " + (options.get(WorkloadOptions.UNLOGGED) ? "unlogged " : "") + "table " + table + " ("
                + columns + ")" + TableShape.with(options)
                + (space.isEmpty() ? "" : " tablespace " + Quoting.identifier(space));
        TableName name = new TableName("", table);
        for (String statement :
                context.dialect().tables().createDistributed(sql, name, column, options.get(WorkloadOptions.SHARDS))) {
            execute(statement);
            if (statement.startsWith(sql)) { // before it is distributed
                execute(new TableShape(control, context).storage(table).toArray(String[]::new));
            }
        }
        execute(OURS.sql(name));
        return true;
    }
}
