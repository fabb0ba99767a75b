package io.pgstress.plan;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerNames;
import io.pgstress.plan.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Creates a {@link RunSpec} from options given as text, or reports all problems at once. */
public final class RunSpecReader {
    private final OperationCatalog operations;
    private final List<Option<?>> options;
    private final ServerNames servers;

    /**
     * @param operations, pools, targets the registered ones
     * @param reasons the codes of all reasons for which a result is not valid
     */
    public RunSpecReader(
            OperationCatalog operations,
            List<String> pools,
            List<String> targets,
            Supplier<List<String>> reasons,
            ServerNames servers) {
        this.operations = operations;
        this.servers = servers;
        Map<Option<?>, Option<?>> withRegistered = Map.of(
                RunOptions.POOL,
                RunOptions.pool(pools),
                ServerOptions.TARGET,
                ServerOptions.target(targets),
                RunOptions.ACCEPT,
                RunOptions.accept(reasons),
                RunOptions.OP,
                RunOptions.OP.words(operations.registered().stream()
                        .map(kind -> kind.names().get(0))
                        .toList()));
        Set<Option<?>> all = new LinkedHashSet<>();
        for (Option<?> option : RunOptions.ALL) {
            all.add(withRegistered.getOrDefault(option, option));
            if (option.equals(RunOptions.OP)) {
                all.addAll(operations.sources());
            }
        }
        operations.registered().forEach(kind -> all.addAll(kind.options()));
        this.options = List.copyOf(all);
    }

    public List<Option<?>> options(Purpose purpose) {
        List<Option<?>> all = new ArrayList<>(options);
        all.remove(RunOptions.ROUNDS);
        if (purpose.isSingle()) {
            all.add(RunOptions.ROUNDS);
        }
        all.replaceAll(option -> {
            Function<Options, String> refusal = purpose.refusals().get(option.name());
            return refusal == null ? option : option.refusedIf(refusal);
        });
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
        RunSpec spec = spec(read, purpose);
        if (purpose.isLoad()) {
            checkTogether(spec, mix, problems);
        }
        checkTable(spec, mix, servers.selectedBy(texts), problems);
        return spec;
    }

    /** Checks whether the operations can run as the options say, and with each other. */
    private static void checkTogether(RunSpec spec, List<? extends OperationKind> mix, Problems problems) {
        if (spec.get(RunOptions.TRANSACTION)) {
            mix.stream()
                    .filter(OperationKind::hasOwnTransaction)
                    .forEach(kind -> problems.add(
                            RunOptions.TRANSACTION,
                            kind.names().get(0) + " is already one transaction; leave out --transaction"));
        }
        if (!spec.get(RunOptions.NO_RESET)
                && mix.stream().anyMatch(kind -> kind.copy() == OperationKind.CopyState.EMPTY)
                && mix.stream().anyMatch(kind -> kind.copy().isFilled())) {
            problems.add(
                    RunOptions.OP,
                    "one operation of the mix needs the copy table empty, another needs it full; run them separately");
        }
    }

    /**
     * Checks whether the operations have the table that they need.
     *
     * @param selectedBy the environment variable that selects the server; an empty string: options do, or nothing does
     */
    private static void checkTable(
            RunSpec spec, List<? extends OperationKind> mix, String selectedBy, Problems problems) {
        boolean needsTable = mix.stream().anyMatch(kind -> !kind.isSelfContained());
        if (needsTable && spec.table().isEmpty() && !spec.endpoints().isEmpty()) {
            problems.add(
                    RunOptions.TABLE,
                    selectedBy.isEmpty()
                            ? "is missing, and the server is "
                                    + spec.endpoints().get(0)
                                    + ". Give the name of a table that stress import made, or an operation that needs none,"
                                    + " such as --op tpcb."
                            : "is missing, and " + selectedBy + " selects the server "
                                    + spec.endpoints().get(0)
                                    + ". Give the name of a table, or unset the variable to use the embedded server.");
        }
    }

    private List<OperationKind> known(Options read, Problems problems) {
        List<OperationKind> known = new ArrayList<>(operations.registered());
        try {
            known.addAll(operations.custom().apply(read));
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
                .forEach(name -> problems.add(RunOptions.OP, OperationNames.unknown(name, names)));
        return OperationKind.named(mix, known);
    }

    /**
     * The reason for each given option that affects no operation of the run. Options that no operation declares affect all
     * operations.
     */
    public Map<Option<?>, String> withoutEffect(RunSpec spec) {
        List<String> mix = WeightedOperation.names(spec.mix());
        Problems unusable = new Problems();
        List<OperationKind> run = OperationKind.named(mix, known(spec.options(), unusable));
        if (!unusable.isEmpty()) {
            return Map.of(); // reported where the operations are read
        }
        Map<Option<?>, String> without = new LinkedHashMap<>();
        for (Option<?> option : spec.options().given()) {
            List<String> users = operations.registered().stream()
                    .filter(kind -> kind.options().contains(option))
                    .flatMap(kind -> kind.names().stream())
                    .sorted()
                    .toList();
            if (!users.isEmpty()
                    && spec.options().isOther(option)
                    && run.stream().noneMatch(kind -> kind.options().contains(option))) {
                without.put(
                        option,
                        "has no effect on " + String.join(", ", mix) + "; it is for " + String.join(", ", users));
            }
        }
        return without;
    }

    private static RunSpec spec(Options read, Purpose purpose) {
        List<Endpoint> endpoints = EndpointReader.endpoints(read);
        Options options = read;
        Optional<Integer> rounds = purpose.isSingle() ? read.get(RunOptions.ROUNDS) : Optional.empty();
        if (rounds.isPresent() && !read.get(RunOptions.ROUND_TIME).isZero()) {
            Duration all = read.get(RunOptions.ROUND_TIME).multipliedBy(rounds.get());
            options = read.with(RunLoadOptions.DURATION, all.toMillis() + "ms");
        }
        int ofServers = endpoints.stream().mapToInt(Endpoint::clients).sum();
        if (ofServers > 0 && !purpose.isSearch() && !read.isGiven(RunLoadOptions.CLIENTS)) {
            options = options.with(RunLoadOptions.CLIENTS, Integer.toString(ofServers));
        }
        return new RunSpec(
                endpoints,
                options.get(RunOptions.TABLE),
                LoadReader.load(options),
                LoadReader.phases(options),
                options);
    }
}
