package io.pgstress.plan;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerEnvironment;
import io.pgstress.plan.server.ServerNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Creates a {@link RunSpec} from options given as text, or reports all problems at once. */
public final class RunSpecReader {
    private final OperationCatalog operations;
    private final List<Option<?>> options;
    private final ServerNames servers;

    /** A reader for servers that the options name in full. */
    public RunSpecReader(OperationCatalog operations, List<String> pools, List<String> targets) {
        this(
                operations,
                pools,
                targets,
                new ServerNames(new ServerEnvironment(Map.of(), System.getProperty("user.name"))));
    }

    /** @param operations, pools, targets the registered ones */
    public RunSpecReader(OperationCatalog operations, List<String> pools, List<String> targets, ServerNames servers) {
        this.operations = operations;
        this.servers = servers;
        Set<Option<?>> all = new LinkedHashSet<>();
        for (Option<?> option : RunOptions.ALL) {
            if (option.equals(RunOptions.POOL)) {
                all.add(RunOptions.POOL.form(Forms.choice(pools)));
            } else if (option.equals(RunOptions.TARGET)) {
                all.add(RunOptions.TARGET.form(Forms.choice(targets)));
            } else if (option.equals(RunOptions.OP)) {
                all.add(RunOptions.OP.words(operations.registered().stream()
                        .map(kind -> kind.names().get(0))
                        .toList()));
            } else {
                all.add(option);
            }
            if (option.equals(RunOptions.OP)) {
                all.addAll(operations.sources());
            }
        }
        operations.registered().forEach(kind -> all.addAll(kind.options()));
        this.options = List.copyOf(all);
    }

    /** The options of runs for this purpose. */
    public List<Option<?>> options(Purpose purpose) {
        List<Option<?>> all = new ArrayList<>(options);
        all.remove(RunOptions.ROUNDS);
        if (purpose.isSingle()) {
            all.add(RunOptions.ROUNDS);
        }
        return all;
    }

    /**
     * Reads the options of a command line.
     *
     * @param given texts by long name
     * @throws InvalidPlanException with every problem
     */
    public RunSpec read(Map<String, List<String>> given, Purpose purpose) {
        Problems problems = new Problems();
        RunSpec spec = read(given, purpose, problems);
        problems.throwIfAny();
        return spec;
    }

    /**
     * Reads the options of a command line. Problems are added to {@code problems}; in the result, invalid options have their
     * defaults.
     */
    public RunSpec read(Map<String, List<String>> given, Purpose purpose, Problems problems) {
        RunSpec spec = readWithUnused(given, purpose, problems);
        withoutEffect(spec).forEach(problems::add);
        return spec;
    }

    /** Like {@link #read}, but accepts options that have no effect. */
    public RunSpec readWithUnused(Map<String, List<String>> texts, Purpose purpose, Problems problems) {
        Map<String, List<String>> given = servers.resolved(texts, problems);
        boolean finite = OperationKind.named(names(given, purpose), operations.registered()).stream()
                .anyMatch(OperationKind::isFinite);
        Options read =
                Options.read(options(purpose), given, finite ? purpose.ofFinite() : purpose.defaults(), problems);
        List<OperationKind> known = known(read, problems);
        List<OperationKind> mix = mix(read, known, problems);
        RunSpec spec = LoadReader.spec(read, purpose);
        OptionConflicts.check(spec, purpose, mix, servers.selectedBy(texts), problems);
        return spec;
    }

    private List<OperationKind> known(Options read, Problems problems) {
        List<OperationKind> known = new ArrayList<>(operations.registered());
        try {
            known.addAll(operations.custom(read));
        } catch (InvalidPlanException e) {
            problems.addAll(e.problems());
        }
        return known;
    }

    /** The names of the operations, as far as they can be determined before the options are read. */
    private static List<String> names(Map<String, List<String>> given, Purpose purpose) {
        String byDefault =
                purpose.defaults().getOrDefault("op", RunOptions.OP.defaults().get(0));
        List<String> texts = given.getOrDefault(RunOptions.OP.name(), List.of(byDefault));
        try {
            return WeightedOperation.names(RunOptions.OP.reader().apply(texts));
        } catch (IllegalArgumentException e) {
            return List.of(); // reported with the other options
        }
    }

    private List<OperationKind> mix(Options read, List<OperationKind> known, Problems problems) {
        List<String> names = known.stream().flatMap(k -> k.names().stream()).toList();
        boolean isComplete = operations.sources().stream().noneMatch(read::isWrong);
        List<String> mix = WeightedOperation.names(read.get(RunOptions.OP));
        mix.stream()
                .filter(name -> isComplete && !names.contains(name))
                .forEach(name -> problems.add(
                        RunOptions.OP,
                        "'" + name + "' is not an operation" + Nearest.hint(name, names) + " (known: "
                                + String.join(", ", names) + ")"));
        return OperationKind.named(mix, known);
    }

    /** The reason for each given option that affects no operation of the run. */
    public Map<Option<?>, String> withoutEffect(RunSpec spec) {
        return OptionEffect.missing(spec, operations);
    }
}
