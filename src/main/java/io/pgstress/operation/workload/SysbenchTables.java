package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** The tables {@code sbtest1} to {@code sbtestN}: sysbench's own, or created in its format. Immutable. */
final class SysbenchTables {
    private final OperationType.Context context;
    private final int count;

    SysbenchTables(OperationType.Context context) {
        this.context = context;
        this.count = context.get(WorkloadOptions.TABLES);
    }

    int count() {
        return count;
    }

    /** @param number from 1 */
    static String name(int number) {
        return "sbtest" + number;
    }

    /** Names of all tables, in their order. */
    List<String> names() {
        return IntStream.rangeClosed(1, count).mapToObj(SysbenchTables::name).toList();
    }

    /**
     * One statement per table.
     *
     * @param verb the name of the statement, which is numbered if there are several tables
     * @param sql its text, with {@code %s} for the table
     */
    List<Sql> statements(String verb, String sql) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(t -> new Sql(count == 1 ? verb : verb + "_" + t, sql.replace("%s", name(t))))
                .toList();
    }

    /** Whether the mix has this operation. */
    boolean mixHas(OperationType type) {
        return WeightedOperation.names(context.get(RunOptions.OP)).stream().anyMatch(type.names()::contains);
    }

    /** Creates the tables that are missing, and those again that have other options than requested. */
    void create(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        for (int t = 1; t <= count; t++) {
            if (own.isOther(name(t), t)) {
                own.drop(name(t));
            }
            if (!own.exists(name(t))) {
                create(own, t);
            }
        }
    }

    private static void create(OwnTables own, int t) throws SQLException {
        own.create(name(t), SysbenchRows.COLUMNS + ", primary key (id)", "id", t);
        own.execute("create index k_" + t + " on " + name(t) + " (k)");
    }
}
