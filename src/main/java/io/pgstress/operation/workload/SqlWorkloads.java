package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.custom.StepsOperation;
import io.pgstress.operation.custom.StepsOperation.OperationTables;
import io.pgstress.operation.script.ScriptOperation;
import io.pgstress.operation.script.ScriptOperation.Outcome;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.operation.workload.PgbenchTables.Change;
import io.pgstress.operation.workload.SysbenchTables.Use;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.OperationsFile;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.script.Script;
import io.pgstress.plan.script.ScriptParser;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The operations of pgbench, which are its scripts, and those of sysbench, whose steps are in the operations file {@code sysbench}. */
final class SqlWorkloads {
    /** The order in which new ids are used. */
    enum IdOrder {
        /** Each client counts upwards. */
        ASCENDING,
        /** A permutation of a range of ids. */
        RANDOM
    }

    static final Option<IdOrder> ID_ORDER = Option.of("id-order", "ORDER", Forms.choice(IdOrder.class))
            .byDefault("ascending")
            .help(
                    Group.WORKLOAD,
                    "ids ascending or random",
                    "ascending, as sysbench with auto_inc=on; random, as with auto_inc=off.");

    static final OperationType TPCB = pgbench(
                    "tpcb", "pgbench's standard transaction (tpcb-like)", "tpcb-like", new Outcome(1, true))
            .with(Trait.OWN_TRANSACTION)
            .with(WorkloadOptions.withCreation(WorkloadOptions.SCALE, Script.DEFINE, RunOptions.NO_RESET));

    static final OperationType SIMPLE_UPDATE = pgbench(
                    "simple_update", "pgbench -N: without branches and tellers", "simple-update", new Outcome(1, true))
            .with(Trait.OWN_TRANSACTION)
            .with(TPCB.options());

    static final OperationType SELECT_ONLY = pgbench(
                    "select_only", "pgbench -S: reads the balance of an account", "select-only", new Outcome(-1, true))
            .with(WorkloadOptions.withCreation(WorkloadOptions.SCALE, Script.DEFINE));

    private static final List<OperationType> OF_PGBENCH = List.of(TPCB, SIMPLE_UPDATE, SELECT_ONLY);

    static final OperationType OLTP_INSERT = sysbench(
                    "oltp_insert", "inserts a row into one of sysbench's tables", Use.INSERT)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES, ID_ORDER, RunOptions.NO_RESET, RunOptions.KEY_DISTRIBUTION));

    static final OperationType OLTP_UPDATE = sysbench(
                    "oltp_update", "adds 1 to the indexed column of one of sysbench's rows", Use.UPDATE)
            .alias("oltp_update_index")
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES,
                    WorkloadOptions.TABLE_ROWS,
                    RunOptions.NO_RESET,
                    RunOptions.KEY_DISTRIBUTION));

    static final OperationType OLTP_UPDATE_NON_INDEX = sysbench(
                    "oltp_update_non_index", "replaces the column c of one of sysbench's rows", Use.UPDATE)
            .with(OLTP_UPDATE.options());

    /**
     * Unlike sysbench's, it draws each id once, in random order, and fills the tables again when all are used up: sysbench
     * deletes more and more rows that are gone.
     */
    static final OperationType OLTP_DELETE = sysbench(
                    "oltp_delete", "deletes a row of one of sysbench's tables", Use.DELETE)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES, WorkloadOptions.TABLE_ROWS, RunOptions.NO_RESET));

    static final OperationType OLTP_READ_ONLY =
            suite("oltp_read_only", "the reads of sysbench's transaction", true, false);

    static final OperationType OLTP_READ_WRITE =
            suite("oltp_read_write", "sysbench's transaction of reads and writes", true, true);

    static final OperationType OLTP_WRITE_ONLY =
            suite("oltp_write_only", "the writes of sysbench's transaction", false, true);

    static final OperationType OLTP_POINT_SELECT = sysbench(
                    "oltp_point_select",
                    "reads a row of one of sysbench's tables",
                    Use.READ,
                    context -> SysbenchSuite.pointSelect(context, "oltp_point_select"))
            .with(ofSuite(List.of()));

    static final OperationType COUNT =
            scan("count", "counts the rows of a table").with(WorkloadOptions.withCreation(WorkloadOptions.TABLE_ROWS));

    static final OperationType GROUP_BY = scan("group_by", "finds the most frequent values of --group-by")
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLE_ROWS, ScanTable.GROUPS, ScanTable.GROUP_BY_WHAT, ScanTable.TOP));

    private SqlWorkloads() {}

    /** @param script the name of the script, as pgbench calls it */
    private static OperationType pgbench(String name, String summary, String script, Outcome outcome) {
        return OperationType.of(
                        name,
                        summary,
                        context -> new ScriptOperation(
                                name,
                                ScriptParser.shipped("/operations/" + script + ".sql"),
                                context,
                                new PgbenchTables(name, context, change(name, context)),
                                outcome))
                .selfContained("pgbench_accounts");
    }

    private static Change change(String name, OperationType.Context context) {
        if (SELECT_ONLY.names().contains(name)) {
            return Change.NOTHING;
        }
        return mixHas(context, SIMPLE_UPDATE) ? Change.ACCOUNTS : Change.ALL;
    }

    /** The type of a user's script. Beside operations of pgbench, its scale is that of their tables, as in pgbench. */
    static OperationType script(Script script, String name) {
        OperationType type = OperationType.of(
                        name,
                        "the script " + script.file(),
                        context -> new ScriptOperation(
                                name,
                                script,
                                context,
                                OF_PGBENCH.stream().anyMatch(other -> mixHas(context, other))
                                        ? new PgbenchTables(name, context, Change.NOTHING)
                                        : OperationTables.NONE,
                                Outcome.ANY))
                .selfContained("(own tables)")
                .with(WorkloadOptions.SCALE, Script.DEFINE);
        return ScriptOperation.hasTransactions(script) ? type.with(Trait.OWN_TRANSACTION) : type;
    }

    private static OperationType sysbench(String name, String summary, Use use) {
        return sysbench(name, summary, use, context -> {
            Map<String, String> settings = Map.of(
                    "tables", String.valueOf(context.get(WorkloadOptions.TABLES)),
                    "order", context.get(ID_ORDER).name().toLowerCase(Locale.ROOT));
            boolean isBesideDeletes = use == Use.UPDATE && deletesRows(context);
            return OperationsFile.shipped(
                    "/operations/sysbench.yaml", isBesideDeletes ? name + "_beside_deletes" : name, name, settings);
        });
    }

    private static OperationType sysbench(
            String name, String summary, Use use, Function<OperationType.Context, CustomOperation> operation) {
        return OperationType.of(
                        name,
                        summary,
                        context -> new StepsOperation(
                                operation.apply(context),
                                context,
                                new SysbenchTables(context, use, needsRows(context), mixHas(context, OLTP_INSERT))))
                .selfContained("sbtest1");
    }

    private static OperationType suite(String name, String summary, boolean hasReads, boolean hasWrites) {
        List<Option<?>> options = hasReads && hasWrites
                ? Stream.concat(SysbenchSuite.OF_READS.stream(), SysbenchSuite.OF_WRITES.stream())
                        .distinct()
                        .toList()
                : hasReads ? SysbenchSuite.OF_READS : SysbenchSuite.OF_WRITES;
        return sysbench(
                        name,
                        summary,
                        hasWrites ? Use.UPDATE : Use.READ,
                        context -> SysbenchSuite.transaction(context, name, hasReads, hasWrites))
                .with(Trait.OWN_TRANSACTION)
                .with(ofSuite(options));
    }

    private static List<Option<?>> ofSuite(List<Option<?>> options) {
        return Option.join(
                options,
                WorkloadOptions.withCreation(
                        WorkloadOptions.TABLES,
                        WorkloadOptions.TABLE_ROWS,
                        RunOptions.NO_RESET,
                        RunOptions.KEY_DISTRIBUTION));
    }

    /** Whether an operation of the mix deletes rows, so that the others may not find them. */
    private static boolean deletesRows(OperationType.Context context) {
        return mixHas(context, OLTP_DELETE) || mixHas(context, OLTP_READ_WRITE) || mixHas(context, OLTP_WRITE_ONLY);
    }

    /** Whether an operation of the mix works on rows that have to be there. */
    private static boolean needsRows(OperationType.Context context) {
        return deletesRows(context)
                || mixHas(context, OLTP_UPDATE)
                || mixHas(context, OLTP_UPDATE_NON_INDEX)
                || mixHas(context, OLTP_READ_ONLY)
                || mixHas(context, OLTP_POINT_SELECT);
    }

    private static OperationType scan(String name, String summary) {
        return OperationType.of(name, summary, context -> {
                    CustomOperation scan =
                            OperationsFile.shipped("/operations/scan.yaml", "scan", name, Map.of("name", name));
                    return new StepsOperation(scan, context, new ScanTable(context, name));
                })
                .selfContained(ScanTable.OWN)
                .with(Trait.TAKES_ANY_TABLE);
    }

    private static boolean mixHas(OperationType.Context context, OperationType type) {
        List<String> mix = WeightedOperation.names(context.get(RunOptions.OP));
        return mix.stream().anyMatch(type.names()::contains);
    }
}
