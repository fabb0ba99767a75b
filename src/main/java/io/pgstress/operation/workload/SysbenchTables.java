package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.IdSlice;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** The tables {@code sbtest1} to {@code sbtestN}: sysbench's own, or created in its format. Immutable. */
final class SysbenchTables {
    private final OperationType.Context context;
    private final IdSlice slice;
    private final int count;

    SysbenchTables(OperationType.Context context) {
        this.context = context;
        this.slice = context.get(RunOptions.ID_SLICE);
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
                makeWay(own, name(t));
            }
            if (!own.exists(name(t))) {
                create(control, own, t);
            }
        }
    }

    /** Other hosts may be creating the table at the same time: the first one creates all of it. */
    private void create(Connection control, OwnTables own, int t) throws SQLException {
        control.setAutoCommit(slice.of() == 1);
        try {
            own.create(name(t), SysbenchRows.COLUMNS + ", primary key (id)", "id", t);
            own.execute("create index k_" + t + " on " + name(t) + " (k)");
            if (slice.of() > 1) {
                control.commit();
            }
        } catch (SQLException e) {
            if (slice.of() > 1) {
                control.rollback();
            }
            if (slice.of() == 1 || !own.exists(name(t))) {
                throw e;
            }
        } finally {
            control.setAutoCommit(true);
        }
    }

    /** Drops a table that no longer matches the options, unless another host may be inserting into it. */
    private void makeWay(OwnTables own, String table) throws SQLException {
        if (slice.of() > 1) {
            throw new InvalidPlanException("table: " + table + " was created with other options, and other hosts may be"
                    + " inserting into it (--id-slice); drop it before the first of them begins");
        }
        own.drop(table);
    }
}
