package io.pgstress.operation.bulk;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.workload.OwnTables;
import io.pgstress.operation.workload.SysbenchRows;
import io.pgstress.operation.workload.WorkloadOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Options;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Tables.NodeBytes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The tables to load, their indexes and their sizes. Stateless. */
final class LoadTables {
    private static final String NAME = "pgstress_load_";

    private final OperationType.Context context;
    private final Options options;
    private final int tables;

    LoadTables(OperationType.Context context, int tables) {
        this.context = context;
        this.options = context.options();
        this.tables = tables;
    }

    /** @param number the table, from 1 */
    static String name(int number) {
        return NAME + number;
    }

    /** The length of column c: sysbench's, unless the size of a row is requested. */
    int cGroups() {
        return options.isGiven(WorkloadOptions.ROW_BYTES)
                ? SysbenchRows.cGroups(options.get(WorkloadOptions.ROW_BYTES))
                : SysbenchRows.C_GROUPS;
    }

    /** The statements that create a table's indexes after its rows are loaded. */
    List<String> indexesAfter(int number) {
        return options.get(LoadOptions.INDEX_WHEN) == LoadOptions.IndexWhen.AFTER ? indexes(number) : List.of();
    }

    /** Constraints and indexes have names because Citus before 11.2 cannot create unnamed keys, or older versions indexes. */
    private List<String> indexes(int number) {
        String key = "alter table " + name(number) + " add constraint " + name(number) + "_pkey primary key (id)";
        return switch (options.get(WorkloadOptions.INDEXES)) {
            case NONE -> List.of();
            case PRIMARY -> List.of(key);
            case ALL -> List.of(key, "create index " + name(number) + "_k_idx on " + name(number) + " (k)");
        };
    }

    void make(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        for (int t = 1; t <= tables; t++) {
            own.drop(name(t));
            boolean isNew = own.create(name(t), SysbenchRows.columns(cGroups()), "id", t);
            if (isNew
                    && options.get(LoadOptions.INDEX_WHEN) == LoadOptions.IndexWhen.BEFORE
                    && options.get(WorkloadOptions.INDEXES) != WorkloadOptions.Indexes.NONE) {
                own.execute(indexes(t).toArray(String[]::new));
            }
        }
    }

    /** The rows of each table. */
    long[] count(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        long[] rows = new long[tables];
        for (int t = 1; t <= tables; t++) {
            rows[t - 1] = own.number("select count(*) from " + name(t));
        }
        return rows;
    }

    /** The tables' sizes, in total and per node, as a multiple of the input; empty if there was no input. */
    List<PostRunCheck> sizes(Connection control, long inputBytes) throws SQLException {
        if (inputBytes == 0) {
            return List.of();
        }
        OwnTables own = new OwnTables(control, context);
        Dialect dialect = context.dialect();
        long total = 0;
        long indexes = 0;
        Map<String, NodeBytes> nodes = new TreeMap<>();
        for (int t = 1; t <= tables; t++) {
            TableName table = new TableName("", name(t));
            total += own.number(dialect.tables().totalBytes(table));
            indexes += own.number(dialect.tables().indexBytes(table));
            for (NodeBytes n : dialect.tables().bytesByNode(control, table)) {
                nodes.merge(
                        n.node(),
                        n,
                        (a, b) -> new NodeBytes(a.node(), a.table() + b.table(), a.indexes() + b.indexes()));
            }
        }
        List<PostRunCheck> found = new ArrayList<>();
        found.add(size("size", total - indexes, indexes, inputBytes));
        nodes.values().forEach(n -> found.add(size("on " + n.node(), n.table(), n.indexes(), inputBytes)));
        return found;
    }

    private static PostRunCheck size(String where, long table, long indexes, long input) {
        return new PostRunCheck(
                true,
                String.format(
                        Locale.ROOT,
                        "%s: tables %,.1f MB, indexes %,.1f MB from %,.1f MB of input: %.2f and with indexes %.2f"
                                + " times the input",
                        where,
                        table / 1e6,
                        indexes / 1e6,
                        input / 1e6,
                        (double) table / input,
                        (double) (table + indexes) / input));
    }
}
