package io.pgstress.plan;

import io.pgstress.plan.option.Options;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Why options of runs that are valid separately are refused together; an empty string: they are not. */
final class OptionConflicts {
    /** Why an option of open loops is refused in a closed one. */
    static final String CLOSED =
            "needs --rate: without it, each client starts its next operation as soon as it is free";

    /** The driver then parses a statement again whenever a pool lends its connection. */
    private static final Pattern NO_CACHE = Pattern.compile("[?&]preparedStatementCache(Queries|SizeMiB)=0*(&|$)");

    private OptionConflicts() {}

    static String roundTime(Options o) {
        if (o.get(RunOptions.ROUND_TIME).isZero()) {
            return "";
        }
        if (!o.get(RunLoadOptions.RATE).isEmpty()) {
            return "needs a closed loop: all clients pause while the tables are emptied; leave --rate out";
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

    static String coordinators(Options o) {
        return o.get(RunOptions.COORDINATORS).equals("all")
                        && EndpointReader.endpoints(o).size() > 1
                ? "all finds the servers through one --url: give only one"
                : "";
    }

    static String hosts(Options o) {
        return !o.get(RunOptions.HOSTS).isEmpty() && o.get(RunOptions.URL).size() > 1
                ? "needs exactly one --url, whose other parts apply to all hosts"
                : "";
    }

    static String clientsPerServer(Options o) {
        int numbers = o.get(RunOptions.CLIENTS_PER_SERVER).size();
        if (numbers == 0) {
            return "";
        }
        if (o.get(RunOptions.URL).stream().anyMatch(e -> e.clients() > 0)) {
            return "replaces clients=N of --url; give one of them";
        }
        if (o.get(RunOptions.COORDINATORS).equals("all")) {
            return "needs an --url for each server: --coordinators all finds them later";
        }
        int servers = EndpointReader.endpoints(o).size();
        if (servers == 0) {
            return "needs --url; without it, use --clients";
        }
        return numbers > servers
                ? "has " + numbers + " numbers, but there "
                        + (servers == 1 ? "is 1 server" : "are " + servers + " servers")
                : "";
    }

    static String url(Options o) {
        List<Endpoint> servers = EndpointReader.endpoints(o);
        if (o.get(RunOptions.STATEMENT) == StatementMode.PREPARED
                && servers.stream().anyMatch(e -> NO_CACHE.matcher(e.url()).find())) {
            return "has no cache of statements (preparedStatementCacheQueries or preparedStatementCacheSizeMiB is 0), and"
                    + " --statement prepared needs it; use --statement extended, or leave the parameter out";
        }
        boolean some = servers.stream().anyMatch(e -> e.clients() > 0);
        return some && servers.stream().anyMatch(e -> e.clients() == 0)
                ? "clients=N must be given for every --url or for none"
                : "";
    }

    static String clients(Options o) {
        if (!o.isGiven(RunLoadOptions.CLIENTS)) {
            return "";
        }
        int clients = o.get(RunLoadOptions.CLIENTS).orElse(0);
        if (clients == 0) {
            return "must be a number; 'stress tune' searches for it";
        }
        int weighted =
                EndpointReader.endpoints(o).stream().mapToInt(Endpoint::clients).sum();
        return weighted > 0 && weighted != clients
                ? "is " + clients + ", but the clients of all servers are " + weighted
                : "";
    }

    static String duration(Options o) {
        int rates = o.get(RunLoadOptions.RATE).size();
        Duration step = o.get(RunLoadOptions.STEP).orElse(Duration.ZERO);
        Duration all = step.multipliedBy(rates);
        Duration given = o.get(RunLoadOptions.DURATION);
        return all.isZero() || !o.isGiven(RunLoadOptions.DURATION) || given.equals(all)
                ? ""
                : "is " + seconds(given) + ", but " + rates + " rates with a --step of " + seconds(step) + " take "
                        + seconds(all) + "; leave one of the two out";
    }

    static String step(Options o) {
        return o.get(RunLoadOptions.RATE).size() == 1
                        && o.get(RunLoadOptions.STEP).isPresent()
                ? "needs several rates, such as --rate 1000,2000; the length of a single one is --duration"
                : "";
    }

    static String ramp(Options o) {
        return o.get(RunLoadOptions.RAMP).compareTo(LoadReader.phases(o).warmup()) > 0
                ? "must not be longer than the warm-up, which it is part of"
                : "";
    }

    static String arrival(Options o) {
        return o.isGiven(RunLoadOptions.ARRIVAL) && o.get(RunLoadOptions.RATE).isEmpty() ? CLOSED : "";
    }

    static String think(Options o) {
        return o.get(RunLoadOptions.THINK).nanos() > 0
                        && !o.get(RunLoadOptions.RATE).isEmpty()
                ? "needs a closed loop: --rate schedules the operations; leave one of the two out"
                : "";
    }

    static String warmupLimit(Options o) {
        Phases phases = LoadReader.phases(o);
        if (!o.isGiven(RunLoadOptions.WARMUP_LIMIT) || phases.autoWarmup()) {
            return "";
        }
        if (phases.warmupExecutions() == 0) {
            return "is for --warmup auto or --warmup-executions; with a fixed --warmup, leave it out";
        }
        return phases.warmupLimit().compareTo(phases.warmup()) < 0
                ? "is less than --warmup, which it does not shorten"
                : "";
    }

    private static String seconds(Duration time) {
        long millis = time.toMillis();
        return (millis % 1000 == 0 ? String.valueOf(millis / 1000) : String.valueOf(millis / 1e3)) + " s";
    }
}
