package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperation.Bound;
import io.pgstress.plan.custom.CustomOperation.Combine;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.custom.CustomOperation.Line;
import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.custom.CustomOperation.Tables;
import io.pgstress.plan.custom.CustomOperation.Value;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.text.NamedSql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of sysbench's OLTP suite: the statements, their number, their order and their tables, one for each kind of statement, are
 * those of oltp_common.lua of sysbench 1.0.20. Unlike there, the end of a range is computed by the server. Not thread-safe.
 */
final class SysbenchSuite {
    static final Option<Integer> POINT_SELECTS =
            times("point-selects", "10", "oltp_*: SELECTs of a row per transaction");

    static final Option<Integer> SIMPLE_RANGES = times("simple-ranges", "1", "oltp_*: SELECTs of a range");
    static final Option<Integer> SUM_RANGES = times("sum-ranges", "1", "oltp_*: SELECTs of a sum over a range");
    static final Option<Integer> ORDER_RANGES = times("order-ranges", "1", "oltp_*: SELECTs of a sorted range");
    static final Option<Integer> DISTINCT_RANGES =
            times("distinct-ranges", "1", "oltp_*: SELECTs of distinct rows of a range");

    static final Option<Integer> RANGE_SIZE = Option.of("range-size", "N", Forms.integer(1, 1_000_000))
            .byDefault("100")
            .help(Group.WORKLOAD, "oltp_*: rows of a range");

    static final Option<Integer> INDEX_UPDATES = times("index-updates", "1", "oltp_*: UPDATEs of the indexed column");
    static final Option<Integer> NON_INDEX_UPDATES =
            times("non-index-updates", "1", "oltp_*: UPDATEs of another column");
    static final Option<Integer> DELETE_INSERTS =
            times("delete-inserts", "1", "oltp_*: DELETEs with an INSERT of the row");

    static final Option<Boolean> SKIP_TRX =
            Option.flag("skip-trx").help(Group.WORKLOAD, "oltp_*: without BEGIN and COMMIT");

    private static final List<Option<Integer>> RANGES =
            List.of(SIMPLE_RANGES, SUM_RANGES, ORDER_RANGES, DISTINCT_RANGES);

    static final List<Option<?>> OF_READS = Option.join(List.of(POINT_SELECTS), RANGES, List.of(RANGE_SIZE, SKIP_TRX));

    static final List<Option<?>> OF_WRITES = List.of(INDEX_UPDATES, NON_INDEX_UPDATES, DELETE_INSERTS, SKIP_TRX);

    private static final String TABLE = "sbtest${n}";
    private static final Source SHIPPED = new Source("", 1, "");

    private final OperationType.Context context;
    private final Map<String, CustomParameter> parameters = new LinkedHashMap<>();
    private final List<CustomStep> steps = new ArrayList<>();
    /** The number of the current kind of statements, which go to one table. */
    private int group = -1;

    private SysbenchSuite(OperationType.Context context) {
        this.context = context;
    }

    private static Option<Integer> times(String name, String byDefault, String help) {
        return Option.of(name, "N", Forms.integer(0, 100)).byDefault(byDefault).help(Group.WORKLOAD, help);
    }

    /** The reads of a transaction, its writes, or both. */
    static CustomOperation transaction(
            OperationType.Context context, String name, boolean hasReads, boolean hasWrites) {
        SysbenchSuite suite = new SysbenchSuite(context);
        if (hasReads) {
            suite.pointSelects(context.get(POINT_SELECTS));
            suite.ranges();
        }
        if (hasWrites) {
            suite.writes();
        }
        return suite.operation(name, !context.get(SKIP_TRX), hasWrites);
    }

    /** A single SELECT of one row, without a transaction. */
    static CustomOperation pointSelect(OperationType.Context context, String name) {
        SysbenchSuite suite = new SysbenchSuite(context);
        suite.pointSelects(1);
        return suite.operation(name, false, false);
    }

    /** @param writes a row that another transaction deletes may be missing for a moment, or be inserted by it first */
    private CustomOperation operation(String name, boolean isTransaction, boolean writes) {
        Line rows = new Line("select greatest(max(id), 1) from " + TABLE, SHIPPED);
        return new CustomOperation(
                name,
                "",
                isTransaction,
                new Tables(context.get(WorkloadOptions.TABLES), true),
                CopyState.UNUSED,
                List.of(),
                List.of(),
                Map.of("rows", new Value(rows, Combine.MIN)),
                parameters,
                steps,
                null,
                writes,
                writes,
                List.of(),
                SHIPPED);
    }

    private void pointSelects(int times) {
        group++;
        for (int i = 1; i <= times; i++) {
            read("point_select", times, i, "select c from " + TABLE + " where id = :" + id("point" + i));
        }
    }

    private void ranges() {
        List<String> heads = List.of("c", "sum(k)", "c", "distinct c");
        List<String> tails = List.of("", "", " order by c", " order by c");
        List<String> names = List.of("simple_range", "sum_range", "order_range", "distinct_range");
        for (int kind = 0; kind < RANGES.size(); kind++) {
            int times = context.get(RANGES.get(kind));
            group++;
            for (int i = 1; i <= times; i++) {
                String from = id(names.get(kind).replace("_range", "") + i);
                read(
                        names.get(kind),
                        times,
                        i,
                        "select " + heads.get(kind) + " from " + TABLE + " where id between :" + from + " and :" + from
                                + " + " + (context.get(RANGE_SIZE) - 1) + tails.get(kind));
            }
        }
    }

    private void writes() {
        int indexed = context.get(INDEX_UPDATES);
        group++;
        for (int i = 1; i <= indexed; i++) {
            write("index_update", indexed, i, "update " + TABLE + " set k = k + 1 where id = :" + id("index" + i));
        }
        int others = context.get(NON_INDEX_UPDATES);
        group++;
        for (int i = 1; i <= others; i++) {
            write(
                    "non_index_update",
                    others,
                    i,
                    "update " + TABLE + " set c = :" + digits("c" + i, 10) + " where id = :" + id("other" + i));
        }
        int replaced = context.get(DELETE_INSERTS);
        group++;
        for (int i = 1; i <= replaced; i++) {
            String id = id("replaced" + i);
            write("delete", replaced, i, "delete from " + TABLE + " where id = :" + id);
            add( // without a row or a duplicate key, the server discarded it
                    "insert",
                    replaced,
                    i,
                    "insert into " + TABLE + " (id, k, c, pad) values (:" + id + ", :" + id("k" + i) + ", :"
                            + digits("newc" + i, 10) + ", :" + digits("pad" + i, 5) + ")",
                    0,
                    null);
        }
    }

    /** Draws an id, as sysbench does with {@code --rand-type}. */
    private String id(String name) {
        parameters.put(
                name,
                new CustomParameter.Range(SHIPPED, new Bound(1, ""), new Bound(0, "rows"), Optional.empty(), false));
        return name;
    }

    private String digits(String name, int groups) {
        parameters.put(
                name,
                new CustomParameter.Digits(SHIPPED, String.join("-", Collections.nCopies(groups, "###########"))));
        return name;
    }

    /** A SELECT that finds nothing makes the transaction a miss, which goes on. */
    private void read(String name, int times, int number, String sql) {
        add(name, times, number, sql, 1, null);
    }

    /** Of a row that another transaction may have deleted. */
    private void write(String name, int times, int number, String sql) {
        add(name, times, number, sql, 0, new Bound(0, ""));
    }

    private void add(String name, int times, int number, String sql, long least, @Nullable Bound mustChange) {
        steps.add(new CustomStep(
                times == 1 ? name : name + "_" + number,
                NamedSql.of(sql),
                Map.of(),
                least,
                false,
                mustChange,
                group,
                SHIPPED));
    }
}
