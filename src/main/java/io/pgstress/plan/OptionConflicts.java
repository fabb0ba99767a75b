package io.pgstress.plan;

import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Checks for options that are valid separately but not together. */
final class OptionConflicts {
    private OptionConflicts() {}

    /** Objects to an option of open loads if the load is closed. */
    static Function<Options, String> needsRate(Supplier<? extends Option<?>> option) {
        return o -> o.isGiven(option.get()) && o.get(RunLoadOptions.RATE).isEmpty()
                ? "needs --rate: without it, each client starts its next operation as soon as it is free"
                : "";
    }

    static String roundTime(Options o) {
        if (o.get(RunOptions.ROUND_TIME).isZero()) {
            return "";
        }
        if (!o.get(RunLoadOptions.RATE).isEmpty()) {
            return "needs a closed load: all clients pause while the tables are emptied; leave --rate out";
        }
        return o.get(RunOptions.NO_RESET) ? "empties the tables after each round; leave --no-reset out" : "";
    }

    static String rounds(Options o) {
        if (o.get(RunOptions.ROUNDS).isEmpty()) {
            return "";
        }
        if (o.isGiven(RunLoadOptions.DURATION)) {
            return "determines the duration; leave out --duration";
        }
        boolean hasTime = o.isWrong(RunOptions.ROUND_TIME)
                || !o.get(RunOptions.ROUND_TIME).isZero();
        return !hasTime ? "needs the time of a round, such as --round-time 1000s" : "";
    }

    /**
     * @param mix the known operations of the run
     * @param selectedBy the environment variable that selects the server; an empty string: options do, or nothing does
     */
    static void check(
            RunSpec spec, Purpose purpose, List<? extends OperationKind> mix, String selectedBy, Problems problems) {
        mix.forEach(kind -> kind.check(spec, problems));
        if (!spec.get(RunOptions.NO_RESET)
                && mix.stream().anyMatch(kind -> kind.copy() == CopyState.EMPTY)
                && mix.stream().anyMatch(kind -> kind.copy().isFilled())) {
            problems.add(
                    RunOptions.OP,
                    "one operation of the mix needs the copy table empty, another needs it full; run them separately, or"
                            + " with --no-reset");
        }
        boolean needsTable = mix.stream().anyMatch(kind -> !kind.isSelfContained());
        if (needsTable && spec.table().isEmpty() && !spec.endpoints().isEmpty()) {
            problems.add(
                    RunOptions.TABLE,
                    selectedBy.isEmpty()
                            ? "must be given with --url"
                            : "must be given, because " + selectedBy + " selects the server "
                                    + spec.endpoints().get(0) + "; unset it to use the embedded server");
        }
        servers(spec, problems);
        clientsPerServer(spec, problems);
        clients(spec, purpose, problems);
        if (spec.load() instanceof Load.Open open) {
            open(spec, open, problems);
        }
        warmup(spec, problems);
    }

    private static void servers(RunSpec spec, Problems problems) {
        if (spec.allCoordinators() && spec.endpoints().size() > 1) {
            problems.add(RunOptions.COORDINATORS, "all finds the servers through one --url: give only one");
        }
        if (!spec.get(RunOptions.HOSTS).isEmpty() && spec.get(RunOptions.URL).size() > 1) {
            problems.add(RunOptions.HOSTS, "needs exactly one --url, whose other parts apply to all hosts");
        }
    }

    private static void clientsPerServer(RunSpec spec, Problems problems) {
        int numbers = spec.get(RunOptions.CLIENTS_PER_SERVER).size();
        int servers = spec.endpoints().size();
        if (numbers == 0) {
            return;
        }
        if (spec.allCoordinators()) {
            problems.add(
                    RunOptions.CLIENTS_PER_SERVER,
                    "needs an --url for each server: --coordinators all finds them later");
        } else if (servers == 0) {
            problems.add(RunOptions.CLIENTS_PER_SERVER, "needs --url; without it, use --threads");
        } else if (numbers > servers) {
            problems.add(
                    RunOptions.CLIENTS_PER_SERVER,
                    "has " + numbers + " numbers, but there "
                            + (servers == 1 ? "is 1 server" : "are " + servers + " servers"));
        }
        if (spec.get(RunOptions.URL).stream().anyMatch(e -> e.clients() > 0)) {
            problems.add(RunOptions.CLIENTS_PER_SERVER, "replaces clients=N of --url; give one of them");
        }
    }

    private static void clients(RunSpec spec, Purpose purpose, Problems problems) {
        int weighted = spec.endpoints().stream().mapToInt(Endpoint::clients).sum();
        if (purpose.isSearch()) {
            search(spec, weighted, problems);
            return;
        }
        if (spec.get(RunLoadOptions.THREADS).isEmpty()) {
            problems.add(RunLoadOptions.THREADS, "must be a number; 'stress tune' searches for it");
        }
        if (weighted > 0 && spec.endpoints().stream().anyMatch(e -> e.clients() == 0)) {
            problems.add(RunOptions.URL, "clients=N must be given for every --url or for none");
        }
        if (weighted > 0 && weighted != spec.load().clients()) {
            problems.add(
                    RunLoadOptions.THREADS,
                    "is " + spec.load().clients() + ", but the clients of all servers are " + weighted);
        }
    }

    private static void search(RunSpec spec, int weighted, Problems problems) {
        if (spec.get(RunLoadOptions.THREADS).isPresent()) {
            problems.add(RunLoadOptions.THREADS, "is what tune searches for; --max-threads limits it");
        }
        if (spec.options().isGiven(RunLoadOptions.RATE)) {
            problems.add(
                    RunLoadOptions.RATE, "the search for the number of clients needs a closed load; leave out --rate");
        }
        if (weighted > 0) {
            boolean isOfUrl = spec.get(RunOptions.CLIENTS_PER_SERVER).isEmpty();
            problems.add(
                    isOfUrl ? RunOptions.URL : RunOptions.CLIENTS_PER_SERVER,
                    (isOfUrl ? "clients=N " : "") + "sets a number of clients, and a search varies it; leave it out");
        }
    }

    private static void open(RunSpec spec, Load.Open open, Problems problems) {
        Options o = spec.options();
        boolean isStepped = o.get(RunLoadOptions.STEP).isPresent();
        if (isStepped
                && o.isGiven(RunLoadOptions.DURATION)
                && !o.get(RunLoadOptions.DURATION).equals(spec.phases().measure())) {
            problems.add(
                    RunLoadOptions.DURATION,
                    "is " + seconds(o.get(RunLoadOptions.DURATION).toMillis()) + ", but "
                            + open.rates().size() + " rates with a --step of "
                            + seconds(open.step().toMillis()) + " take "
                            + seconds(spec.phases().measure().toMillis()) + "; leave one of the two out");
        }
        if (open.rates().size() == 1 && isStepped) {
            problems.add(
                    RunLoadOptions.STEP,
                    "needs several rates, such as --rate 1000,2000; the length of a single one is --duration");
        }
        if (open.ramp().compareTo(spec.phases().warmup()) > 0) {
            problems.add(RunLoadOptions.RAMP, "must not be longer than the warm-up, which it is part of");
        }
    }

    private static String seconds(long millis) {
        return (millis % 1000 == 0 ? String.valueOf(millis / 1000) : String.valueOf(millis / 1e3)) + " s";
    }

    private static void warmup(RunSpec spec, Problems problems) {
        Phases phases = spec.phases();
        if (!spec.options().isGiven(RunLoadOptions.WARMUP_LIMIT) || phases.autoWarmup()) {
            return;
        }
        if (phases.warmupExecutions() == 0) {
            problems.add(
                    RunLoadOptions.WARMUP_LIMIT,
                    "is for --warmup auto or --warmup-executions; with a fixed --warmup, leave it out");
        }
        if (phases.warmupLimit().compareTo(phases.warmup()) < 0) {
            problems.add(RunLoadOptions.WARMUP_LIMIT, "is less than --warmup, which it does not shorten");
        }
    }
}
