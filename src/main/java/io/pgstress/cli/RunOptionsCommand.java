package io.pgstress.cli;

import io.pgstress.extra.baseline.Ceilings;
import io.pgstress.measure.NanoClock;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.OperationCatalog;
import io.pgstress.plan.OperationKind;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.probe.Probes;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.session.Runs.RunHosts;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.target.pool.Pools;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** A command that also takes the options of runs: the parent of run, compare, tune and explain. Loading this class loads every operation, because operations declare options. */
abstract class RunOptionsCommand extends Command {
    /** Reads the options of runs, and knows everything that is registered. */
    static final RunSpecReader READER = reader(Operations.CATALOG);

    /** Reads the options of runs that have these operations. */
    static RunSpecReader reader(OperationCatalog operations) {
        return new RunSpecReader(operations, Pools.names(), Dialects.names(), RemarkCode::reasons, SERVERS);
    }

    /**
     * A command with its own options, which its help lists, and those of runs, which {@code --help-all} lists.
     */
    RunOptionsCommand(
            Streams streams,
            String name,
            String description,
            @Nullable FirstScreen firstScreen,
            Purpose purpose,
            List<Option<?>> own) {
        super(streams, name, description, firstScreen, own);
        List<Option<?>> ofRuns = READER.options(purpose);
        declare(own);
        List<Option<?>> all = Option.join(ofRuns, ScriptOptions.ALL);
        if (purpose.equals(Purpose.RUN)) {
            declare(all);
        } else {
            declareUnlisted(all);
        }
    }

    RunOptionsCommand(Streams streams, Subcommand which, Purpose purpose, List<Option<?>> own) {
        this(streams, which.label(), which.description(), which.firstScreen(), purpose, own);
    }

    @Override
    final Map<Option<?>, List<String>> users() {
        Map<Option<?>, List<String>> users = new HashMap<>();
        for (OperationType type : Operations.ALL) {
            for (Option<?> option : type.options()) {
                users.computeIfAbsent(option, o -> new ArrayList<>()).add(type.name());
            }
        }
        return users;
    }

    /** The hosts of the command's runs: this one, or those of {@code --agents}. */
    RunHosts hosts(Options own, Purpose purpose) {
        return own.get(FleetOptions.AGENTS).isEmpty()
                ? here()
                : new FleetHosts(own, READER.options(purpose), streams.interruption());
    }

    /** This host alone. */
    static RunHosts here() {
        return run -> new OneMachine(NanoClock.SYSTEM, Probes::of);
    }

    /** The purpose on these hosts: several cannot share an operation that ends by itself. */
    static Purpose onHosts(Options own, Purpose purpose) {
        return own.get(FleetOptions.AGENTS).isEmpty()
                ? purpose
                : purpose.refusing(
                        RunOptions.OP,
                        o -> OperationKind.named(WeightedOperation.names(o.get(RunOptions.OP)), Operations.ALL).stream()
                                .filter(OperationKind::isFinite)
                                .map(kind ->
                                        kind.name() + " is done by one host, and ends by itself: leave out --agents")
                                .collect(Collectors.joining("; ")));
    }

    /** Tells results how near their load generator was to its ceiling. A file of ceilings that cannot be used costs no result. */
    UnaryOperator<RunResult> ceilings() {
        try {
            return new Ceilings(DataHome.of(System.getenv()))::told;
        } catch (IOException | TextException e) {
            streams.note("the ceiling of the load generator is unknown: " + e.getMessage());
            return UnaryOperator.identity();
        }
    }

    /** The texts of the options of runs, by name; scripts of pgbench are among the operations. */
    static Map<String, List<String>> given(ParseResult parsed, Purpose purpose) {
        return ScriptOptions.asOperations(given(parsed, Option.join(READER.options(purpose), ScriptOptions.ALL)));
    }
}
