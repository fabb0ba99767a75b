package io.pgstress.operation.catalog;

import io.pgstress.dataset.Table;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.custom.StepsOperation;
import io.pgstress.operation.document.Find;
import io.pgstress.operation.document.FindDelete;
import io.pgstress.operation.document.FindFirst;
import io.pgstress.operation.document.FindIn;
import io.pgstress.operation.document.FindInsert;
import io.pgstress.operation.document.FindUpdate;
import io.pgstress.operation.load.TableLoad;
import io.pgstress.operation.workload.BulkInsert;
import io.pgstress.operation.workload.OltpInsert;
import io.pgstress.operation.workload.Scan;
import io.pgstress.operation.workload.SelectOnly;
import io.pgstress.operation.workload.ShardInsert;
import io.pgstress.operation.workload.Tpcb;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.TableName;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.Answering;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The operations, a line each. */
public final class Operations {
    /** All operations, in the order of the help. */
    public static final List<OperationType> ALL = List.of(
            FindFirst.TYPE,
            FindIn.TYPE,
            Find.TYPE,
            FindUpdate.TYPE,
            FindInsert.TYPE,
            FindDelete.TYPE,
            Tpcb.TYPE,
            SelectOnly.TYPE,
            OltpInsert.TYPE,
            BulkInsert.TYPE,
            BulkInsert.COPY,
            BulkInsert.BATCH,
            ShardInsert.TYPE,
            ShardInsert.GROUPED,
            Scan.COUNT,
            Scan.GROUP_BY,
            TableLoad.TYPE);

    /** Of operations of the user's own that name none: what stands in results. */
    private static final TableName NO_TABLE = new TableName("", "(own tables)");

    private Operations() {}

    /** Every name that an operation goes by. */
    public static List<String> names() {
        return ALL.stream().flatMap(o -> o.names().stream()).toList();
    }

    /** The names of those that have tables of their own. */
    public static Set<String> withoutTable() {
        return names(o -> !o.ownTable().isEmpty());
    }

    /** The names of those that are done at some time. */
    public static Set<String> thatEnd() {
        return names(o -> o.traits().contains(Trait.ENDS));
    }

    /** By option, the operations on which it has an effect; options that are not among them have one on all. */
    public static Map<String, Set<String>> byOption() {
        return OptionUse.BY_OPTION;
    }

    private static Set<String> names(Predicate<OperationType> of) {
        return ALL.stream().filter(of).flatMap(o -> o.names().stream()).collect(Collectors.toSet());
    }

    /**
     * The table of a run: the one that was named, its ids read where an operation needs them; or the operations' own.
     *
     * @throws TargetException where it cannot be had
     */
    public static Table table(RunSpec spec, Target target) {
        TableName name = spec.table();
        try (Connection connection = target.first().connector().openControl()) {
            if (needsTable(spec)) {
                return Table.read(
                        connection, name, target.dialect(), spec.operation().keySample(), spec.seed());
            }
            return Table.own(ownTable(spec));
        } catch (SQLException e) {
            throw new TargetException(
                    "table " + name + " cannot be read: " + ServerErrors.sampleOf(e) + Answering.namesOfDown(target),
                    e);
        }
    }

    /** Whether one of the mix works on the documents of the table under load. */
    public static boolean needsTable(RunSpec spec) {
        Set<String> without = withoutTable();
        return spec.mix().stream()
                .map(WeightedOperation::name)
                .anyMatch(name -> !without.contains(name)
                        && spec.operation().userOperations().stream()
                                .noneMatch(own -> own.name().equals(name) && !own.needsTable()));
    }

    /** The table of a mix that needs none: the one that was named where its operations take any, else the first one's own. */
    private static TableName ownTable(RunSpec spec) {
        List<OperationType> types = spec.mix().stream()
                .flatMap(o -> ALL.stream().filter(t -> t.names().contains(o.name())))
                .toList();
        boolean isNamed = !String.join("", spec.options().getOrDefault("table", List.of()))
                .isEmpty();
        if (isNamed
                && (types.isEmpty() || types.stream().anyMatch(t -> t.traits().contains(Trait.TAKES_ANY_TABLE)))) {
            return spec.table();
        }
        return types.isEmpty() ? NO_TABLE : new TableName("", types.get(0).ownTable());
    }

    private static OperationType type(String name) {
        return ALL.stream()
                .filter(o -> o.names().contains(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such operation: " + name));
    }

    /**
     * The operation of this name, a registered one or one of the user's own.
     *
     * @throws IllegalArgumentException where there is none
     */
    public static Operation create(String name, OperationType.Context context) {
        for (CustomOperation own : context.options().userOperations()) {
            if (own.name().equals(name)) {
                return new StepsOperation(own, context);
            }
        }
        OperationType type = type(name);
        if (context.options().idSlice().of() > 1 && type.traits().contains(Trait.ONE_HOST)) {
            throw new InvalidPlanException("id-slice: " + name + " makes or empties its tables before a run and counts"
                    + " them afterwards, so that several hosts cannot share them: give each host a database of its own,"
                    + " or use oltp_insert");
        }
        return type.factory().create(context);
    }
}
