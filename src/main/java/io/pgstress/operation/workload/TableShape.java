package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Options;
import io.pgstress.target.dialect.Layout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Compares a table's definition in the catalog with the requested options. Belongs to one thread. */
final class TableShape {
    /** Tables without an explicit tablespace are in the database's one; new ones are in {@code default_tablespace}. */
    private static final String MADE = """
            select c.relpersistence = 'u', coalesce(s.spcname, d.spcname),
                   coalesce(nullif(current_setting('default_tablespace'), ''), d.spcname)
            from pg_class c left join pg_tablespace s on s.oid = c.reltablespace,
                 pg_database b join pg_tablespace d on d.oid = b.dattablespace
            where c.oid = to_regclass('%s')::oid and b.datname = current_database()
            """;

    private final Connection control;
    private final OperationType.Context context;

    TableShape(Connection control, OperationType.Context context) {
        this.control = control;
        this.context = context;
    }

    /** The requested tablespace; empty if none was. */
    static String tablespace(Options options, int number) {
        List<String> spaces = options.get(WorkloadOptions.TABLESPACES);
        return spaces.isEmpty() ? "" : spaces.get(Math.max(0, number - 1) % spaces.size());
    }

    /**
     * The differences, in words; empty if there are none or the table does not exist.
     *
     * @param number the table's number, from 1, which selects its tablespace; 0: the only table
     * @param wholly whether the table must equal one created now; otherwise only requested options must match
     */
    String difference(String table, int number, boolean wholly) throws SQLException {
        Options options = context.options();
        List<String> differs = new ArrayList<>();
        try (Statement statement = control.createStatement();
                ResultSet made = statement.executeQuery(MADE.replace("%s", table.replace("'", "''")))) {
            if (!made.next()) {
                return "";
            }
            boolean isUnlogged = made.getBoolean(1);
            if (isUnlogged != options.get(WorkloadOptions.UNLOGGED)
                    && (wholly || options.get(WorkloadOptions.UNLOGGED))) {
                differs.add(isUnlogged ? "is unlogged" : "is logged (--unlogged)");
            }
            String asked = tablespace(options, number);
            String space = asked.isEmpty() && wholly ? made.getString(3) : asked;
            if (!space.isEmpty() && !space.equals(made.getString(2))) {
                differs.add("is in tablespace " + made.getString(2) + " (--tablespaces)");
            }
        }
        differs.addAll(shards(table, options.get(WorkloadOptions.SHARDS)));
        return String.join(", ", differs);
    }

    private List<String> shards(String table, int asked) throws SQLException {
        if (asked == 0 || !context.dialect().tables().haveShards()) {
            return List.of();
        }
        Layout layout = context.dialect().plans().layout(control, new TableName("", table));
        boolean isDistributed = layout.unit().equals("shards");
        if (!isDistributed) {
            return List.of("is not distributed (--shards)");
        }
        return layout.units() == asked ? List.of() : List.of("has " + layout.units() + " shards (--shards)");
    }
}
