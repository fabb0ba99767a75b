package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.WorkloadOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What operations do with tables of their own, on a connection that is no load. Belongs to one thread. */
final class OwnTables {
    private final Connection control;
    private final OperationType.Context context;

    OwnTables(Connection control, OperationType.Context context) {
        this.control = control;
        this.context = context;
    }

    void execute(String... statements) throws SQLException {
        try (Statement statement = control.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    long number(String sql) throws SQLException {
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** @param table as it stands in SQL */
    boolean exists(String table) throws SQLException {
        return number("select count(to_regclass('" + table.replace("'", "''") + "'))") > 0;
    }

    /**
     * Makes a table, distributed by the column where the server distributes.
     *
     * @param columns between the brackets
     * @param number counts the tables, for their tablespaces
     */
    void create(String table, String columns, String column, int number) throws SQLException {
        WorkloadOptions options = context.options().workload();
        List<String> spaces = options.tablespaces();
        String sql = "create " + (options.unlogged() ? "unlogged " : "") + "table " + table + " (" + columns + ")"
                + (spaces.isEmpty() ? "" : " tablespace " + TableName.quote(spaces.get(number % spaces.size())));
        execute(context.dialect()
                .createDistributed(sql, new TableName("", table), column, options.shards())
                .toArray(String[]::new));
    }
}
