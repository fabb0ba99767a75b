package io.pgstress.operation.workload;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.Table;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.custom.StepsOperation;
import io.pgstress.operation.document.Find;
import io.pgstress.operation.document.FindOnce;
import io.pgstress.operation.document.FindUpdate;
import io.pgstress.operation.table.TableLoad;
import io.pgstress.plan.OperationCatalog;
import io.pgstress.plan.OperationKind;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.TableName;
import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.script.Script;
import io.pgstress.target.Cluster;
import io.pgstress.target.MissingGrants;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The registry of operations, one line each. */
public final class Operations {
    /** All operations, in the order of the help text. */
    public static final List<OperationType> ALL = List.of(
            Find.FIRST,
            Find.IN,
            Find.TYPE,
            FindUpdate.TYPE,
            FindOnce.INSERT,
            FindOnce.DELETE,
            SqlWorkloads.TPCB,
            SqlWorkloads.SIMPLE_UPDATE,
            SqlWorkloads.SELECT_ONLY,
            SqlWorkloads.OLTP_INSERT,
            SqlWorkloads.OLTP_UPDATE,
            SqlWorkloads.OLTP_UPDATE_NON_INDEX,
            SqlWorkloads.OLTP_DELETE,
            SqlWorkloads.OLTP_READ_ONLY,
            SqlWorkloads.OLTP_READ_WRITE,
            SqlWorkloads.OLTP_WRITE_ONLY,
            SqlWorkloads.OLTP_POINT_SELECT,
            BulkInsert.TYPE,
            BulkInsert.COPY,
            BulkInsert.BATCH,
            ShardInsert.TYPE,
            ShardInsert.GROUPED,
            SqlWorkloads.COUNT,
            SqlWorkloads.GROUP_BY,
            TableLoad.TYPE);

    /** Shown in results for user-defined operations that name no table. */
    private static final TableName NO_TABLE = new TableName("", "(own tables)");

    private Operations() {}

    /** What the options need to know about registered and user-defined operations. */
    public static final OperationCatalog CATALOG =
            new OperationCatalog(ALL, List.of(CustomOperations.FILES), Operations::custom);

    /** Those on a host that was sent the user's files: contents by the names in the options. */
    public static OperationCatalog of(Map<String, String> files) {
        return new OperationCatalog(ALL, List.of(CustomOperations.ofContents(files)), Operations::custom);
    }

    /** All operation names, including aliases. */
    public static List<String> names() {
        return ALL.stream().flatMap(o -> o.names().stream()).toList();
    }

    /**
     * The table of a run: the named table, with its ids read if an operation needs them, or the operations' own table.
     *
     * @throws TargetException if the table cannot be read
     */
    public static Table table(RunSpec spec, Target target, KeyProgress progress) {
        TableName name = needsTable(spec) ? spec.table().orElseThrow() : ownTable(spec);
        try (Connection connection = target.first().connector().open(SessionPurpose.CONTROL)) {
            return needsTable(spec)
                    ? Table.read(
                            connection, name, target.dialect(), spec.get(RunOptions.KEY_SAMPLE), spec.seed(), progress)
                    : Table.own(name);
        } catch (SQLException e) {
            throw new TargetException(
                    "table " + name + " cannot be read: " + ServerErrors.sampleOf(e)
                            + MissingGrants.words(target.first().connector(), e, name)
                            + Cluster.namesOfDown(target),
                    e);
        }
    }

    /** Whether an operation of the mix works on the documents of the table under load. */
    public static boolean needsTable(RunSpec spec) {
        return spec.mix().stream().map(o -> named(o.name(), spec.options())).anyMatch(type -> !type.isSelfContained());
    }

    /** The table of a mix that needs none: the named table if its operations accept any, else the first operation's own. */
    private static TableName ownTable(RunSpec spec) {
        List<OperationType> types = spec.mix().stream()
                .flatMap(o -> OperationKind.named(List.of(o.name()), ALL).stream())
                .toList();
        Optional<TableName> named = spec.get(RunOptions.TABLE);
        if (named.isPresent() && (types.isEmpty() || types.stream().anyMatch(t -> t.is(Trait.TAKES_ANY_TABLE)))) {
            return named.get();
        }
        return types.isEmpty() ? NO_TABLE : new TableName("", types.get(0).ownTable());
    }

    /** The operation with this name, registered or user-defined. */
    private static OperationType named(String name, Options options) {
        List<OperationType> all = new ArrayList<>(own(options));
        all.addAll(ALL);
        return OperationKind.named(List.of(name), all).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such operation: " + name));
    }

    /**
     * Creates the operation with this name, registered or user-defined.
     *
     * @throws IllegalArgumentException if there is no such operation
     */
    public static Operation create(String name, OperationType.Context context) {
        return named(name, context.options()).factory().create(context);
    }

    /**
     * The names of the operations that are scripts: those of their files, with a number if another operation has the name.
     *
     * @param files in the order in which they are given
     */
    public static List<String> scriptNames(List<String> files) {
        Set<String> taken = new HashSet<>(names());
        List<String> all = new ArrayList<>();
        for (String file : files) {
            String base = Script.nameOf(file);
            String name = base;
            for (int i = 2; !taken.add(name); i++) {
                name = base + "_" + i;
            }
            all.add(name);
        }
        return all;
    }

    private static List<String> namesOf(List<Script> scripts) {
        return scriptNames(scripts.stream().map(Script::file).toList());
    }

    private static List<OperationType> custom(Options options) {
        List<Script> scripts = CustomOperations.scripts(options);
        Set<String> taken = new HashSet<>(names());
        taken.addAll(namesOf(scripts));
        List<String> problems = new ArrayList<>();
        for (CustomOperation operation : CustomOperations.all(options)) {
            if (!taken.add(operation.name())) {
                problems.add(operation.source().message("another operation has this name"));
            }
        }
        Set<String> defined = options.get(Script.DEFINE).keySet();
        scripts.forEach(script -> problems.addAll(script.undefined(defined)));
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        return own(options);
    }

    private static List<OperationType> own(Options options) {
        List<OperationType> own = new ArrayList<>();
        CustomOperations.all(options).forEach(operation -> own.add(StepsOperation.type(operation)));
        List<Script> scripts = CustomOperations.scripts(options);
        List<String> names = namesOf(scripts);
        for (int s = 0; s < names.size(); s++) {
            own.add(SqlWorkloads.script(scripts.get(s), names.get(s)));
        }
        return own;
    }
}
