package io.pgstress.cli;

import io.pgstress.dataset.CopyTable;
import io.pgstress.dataset.Table;
import io.pgstress.explain.Explainer;
import io.pgstress.explain.Explainer.PlanWords;
import io.pgstress.explain.Explainer.PlannedStatement;
import io.pgstress.interrupt.Interruption;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.result.StatementRoute;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.target.Target;
import io.pgstress.target.WriteAccess;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.Printable;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.ParseResult;

/** {@code stress explain}: shows where the server would send the statements of operations, without running them. */
final class ExplainCommand extends RunOptionsCommand {
    private static final String NOTHING = "nothing was explained; run the same command again";

    /** By default, all operations on documents are explained. */
    private static final Purpose PURPOSE = Purpose.RUN
            .withoutLoad()
            .withDefault(
                    "op",
                    Operations.ALL.stream()
                            .filter(o -> o.ownTable().isEmpty())
                            .map(OperationType::name)
                            .collect(Collectors.joining(",")))
            .refusing(
                    RunOptions.ALTER_SYSTEM,
                    "explain changes no settings of servers; --set changes those of its own session");

    private static final Option<Boolean> VERBOSE =
            Option.flag("verbose").help(Group.REPORTS, "show the plans", "It also shows where an error came from.");

    ExplainCommand(Streams streams) {
        super(streams, Subcommand.EXPLAIN, PURPOSE, List.of(VERBOSE));
    }

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        RunSpec asked = READER.read(given(parsed, PURPOSE), PURPOSE, problems);
        problems.throwIfAny();
        warnOfLoad(asked);
        tellServer(parsed, asked);
        boolean isNamed = asked.options().isGiven(RunOptions.OP);
        Interruption interruption = streams.interruption();
        try (CommandSession session =
                CommandSession.open(asked, interruption, NOTHING, streams::note, streams.passwords())) {
            PreparedRun prepared = session.prepare(asked);
            List<PlannedStatement> planned = explain(
                    prepared,
                    WeightedOperation.names(prepared.spec().mix()),
                    isNamed,
                    streams::progress,
                    Explainer::explain);
            interruption.check();
            tell(planned, own.get(VERBOSE));
            return ExitCode.DONE;
        }
    }

    /** Warns of options of the load: the command line of a run can be explained as it is. */
    private void warnOfLoad(RunSpec asked) {
        String load = asked.options().given().stream()
                .filter(o -> o.group() == Group.LOAD)
                .map(Option::toString)
                .collect(Collectors.joining(", "));
        if (!load.isEmpty()) {
            streams.warning("explain runs no load, so these have no effect: " + load);
        }
    }

    /** Explains operations that are set up. */
    @FunctionalInterface
    interface Explanation {
        List<PlannedStatement> of(Explainer explainer, List<String> names, List<Operation> operations)
                throws SQLException;
    }

    /**
     * Sets operations up and explains them.
     *
     * @param isNamed whether the user named the operations: only then is a missing copy table created for them
     * @param told receives what was missing, a sentence each
     */
    static List<PlannedStatement> explain(
            PreparedRun prepared, List<String> names, boolean isNamed, Consumer<String> told, Explanation explanation)
            throws SQLException {
        RunSpec complete = prepared.spec();
        Target target = prepared.target();
        Table table = prepared.table();
        List<String> made = new ArrayList<>();
        OperationType.Context context = new OperationType.Context(
                table, target.dialect(), complete.options(), complete.seed(), HostShare.whole(1), made::add, null);
        List<Operation> operations = new ArrayList<>();
        try {
            names.forEach(name -> operations.add(Operations.create(name, context)));
            List<String> ofCopy = IntStream.range(0, names.size())
                    .filter(i -> operations.get(i).profile().copy() != CopyState.UNUSED)
                    .mapToObj(names::get)
                    .toList();
            if (isNamed && !ofCopy.isEmpty()) {
                makeCopy(target, table, made);
            }
            boolean hasCopy;
            try (Connection control = target.first().connector().open(SessionPurpose.CONTROL)) {
                hasCopy = copy(target, table).exists(control);
                Operation.setUp(operations, control);
            }
            List<PlannedStatement> planned = explanation.of(new Explainer(complete, target, table), names, operations);
            if (hasCopy || ofCopy.isEmpty()) {
                return planned;
            }
            told.accept("not explained: changes of table " + copy(target, table).name()
                    + ", which does not exist; --op " + String.join(",", ofCopy) + " creates it");
            return planned.stream()
                    .filter(p -> p.route().error() == null
                            || !ofCopy.contains(p.route().operation()))
                    .toList();
        } finally {
            made.forEach(each -> told.accept("created " + each + ", which was missing"));
        }
    }

    private static CopyTable copy(Target target, Table table) {
        return new CopyTable(table.name(), table.keyType(), target.dialect());
    }

    private static void makeCopy(Target target, Table table, List<String> made) throws SQLException {
        CopyTable copy = copy(target, table);
        try (Connection control = target.first().connector().open(SessionPurpose.DDL)) {
            if (!copy.exists(control)) {
                WriteAccess.require(control, target.first().connector().endpoint(), "creating table " + copy.name());
                made.add("table " + copy.name());
                copy.create(control);
            }
        }
    }

    private void tell(List<PlannedStatement> planned, boolean verbose) {
        PrintStream out = streams.out();
        List<StatementRoute> routes =
                planned.stream().map(PlannedStatement::route).toList();
        for (PlannedStatement p : planned) {
            out.println(Printable.lines(PlanWords.whole(p.route(), routes)));
            if (verbose) {
                p.first().forEach(line -> out.println(Printable.lines("    " + line)));
                if (!p.later().equals(p.first())) {
                    out.println("  the sixth execution:");
                    p.later().forEach(line -> out.println(Printable.lines("    " + line)));
                }
            }
        }
    }
}
