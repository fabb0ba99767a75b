package io.pgstress.plan;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Options that are right each by itself, and not together. */
final class OptionConflicts {
    private static final Map<ClientThreads, Integer> FIRST_JDK =
            Map.of(ClientThreads.VIRTUAL, 21, ClientThreads.LOOP, 24);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private OptionConflicts() {}

    /** @param withoutTable the operations that have tables of their own */
    static void check(RunSpec spec, OptionValues v, Set<String> withoutTable) {
        if (spec.queryMode().equals("simple") && spec.statement() != StatementMode.PLAIN) {
            v.problem(
                    "query-mode",
                    "simple sends literals, so the statements would not be "
                            + spec.statement().label() + "; use --statement plain with it");
        }
        v.pairs("alter-system");
        if (v.choice("coordinators", List.of("given", "all")).equals("all")
                && spec.endpoints().size() > 1) {
            v.problem("coordinators", "all finds the servers by itself: give one --url");
        }
        if (spec.pool().size() > 0 && spec.pool().kind().equals("none")) {
            v.problem(
                    "pool-size",
                    "there is no pool that could have it: with none each client keeps its connection; name a pool"
                            + " (hikari, c3p0), or leave the size out");
        }
        if (!spec.operation().workload().round().isZero()) {
            if (spec.load() instanceof Load.Open) {
                v.problem(
                        "round-time",
                        "needs a closed load: tables are emptied while all clients stand still; leave --rate out");
            }
            if (!spec.operation().reset()) {
                v.problem("round-time", "empties the tables after each round; leave --no-reset out");
            }
        }
        if (spec.operation().limitMax() < spec.operation().limitMin()) {
            v.problem("limit-max", "must be at least --limit-min");
        }
        if (spec.operation().fetchSize() > 0 && !spec.operation().transaction()) {
            v.problem("fetch-size", "needs --transaction: outside of one the driver fetches all rows at once");
        }
        boolean needsTable = spec.mix().stream().anyMatch(o -> !withoutTable.contains(o.name()));
        if (needsTable && spec.table().name().equals("?") && !spec.endpoints().isEmpty()) {
            v.problem("table", "must be given with --url");
        }
        load(spec, v);
        phases(spec, v);
        user(spec, v.text("user"), v);
        int weighted = spec.endpoints().stream().mapToInt(Endpoint::clients).sum();
        if (weighted > 0 && spec.endpoints().stream().anyMatch(e -> e.clients() == 0)) {
            v.problem("url", "clients=N must be given for every --url or for none");
        }
        if (weighted > 0 && weighted != spec.load().clients()) {
            v.problem("threads", "is " + spec.load().clients() + ", but the clients of all --url are " + weighted);
        }
    }

    private static void user(RunSpec spec, String user, OptionValues v) {
        if (!user.isEmpty() && spec.endpoints().isEmpty()) {
            v.problem("user", "is a role of a server: name it with --url; the embedded one has its own");
        }
        spec.endpoints().stream()
                .flatMap(e -> e.objectionTo(user).stream())
                .findFirst()
                .ifPresent(objection -> v.problem("user", objection));
    }

    private static void phases(RunSpec spec, OptionValues v) {
        if (v.isGiven("warmup-limit")
                && !spec.phases().autoWarmup()
                && spec.phases().warmupExecutions() == 0) {
            v.problem(
                    "warmup-limit",
                    "is for --warmup auto or --warmup-executions: a --warmup of a fixed time is that long; leave it out");
        }
        if (v.isGiven("warmup-limit")
                && !spec.phases().autoWarmup()
                && spec.phases().warmupLimit().compareTo(spec.phases().warmup()) < 0) {
            v.problem("warmup-limit", "is less than --warmup, which is not cut by it");
        }
        if (spec.phases().interval().compareTo(SHORTEST_INTERVAL) < 0) {
            v.problem("interval", "must be at least 100 ms");
        }
    }

    private static void load(RunSpec spec, OptionValues v) {
        if (spec.load() instanceof Load.Open open) {
            boolean isStepped = !v.text("step").isEmpty();
            if (isStepped
                    && v.isGiven("duration")
                    && !v.duration("duration").equals(spec.phases().measure())) {
                v.problem(
                        "duration",
                        "is " + v.text("duration") + ", but " + open.rates().size() + " rates with a --step of "
                                + v.text("step") + " take "
                                + spec.phases().measure().toMillis() / 1e3
                                + " s; leave one of the two out");
            }
            if (open.rates().size() == 1 && isStepped) {
                v.problem("step", "needs several rates, such as --rate 1000,2000; the time of one is --duration");
            }
            if (open.ramp().compareTo(spec.phases().warmup()) > 0) {
                v.problem("ramp", "must not be longer than the warm-up, of which it is the beginning");
            }
        } else {
            for (String name : List.of("step", "ramp", "arrival")) {
                if (v.isGiven(name)) {
                    v.problem(name, "needs a --rate: without one each client begins when it is free");
                }
            }
        }
        int first = FIRST_JDK.getOrDefault(spec.clientThreads(), 0);
        if (Runtime.version().feature() < first) {
            v.problem(
                    "client-threads",
                    spec.clientThreads().name().toLowerCase(Locale.ROOT) + " needs JDK " + first + " or newer, this is "
                            + Runtime.version().feature());
        }
        Duration timeout = spec.failures().statementTimeout();
        if (!timeout.isZero() && timeout.toMillis() == 0) {
            v.problem("statement-timeout", "must be 0 or at least 1 ms, the server's unit");
        }
    }
}
