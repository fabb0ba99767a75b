package io.pgstress.plan;

import io.pgstress.plan.user.OperationsFile;
import io.pgstress.plan.user.UserOperation;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a {@link RunSpec} of options given as text, or tells all that is wrong with them at once. */
public final class RunSpecReader {
    /** pgjdbc's names of {@code preferQueryMode}. */
    private static final List<String> QUERY_MODES =
            List.of("", "simple", "extended", "extendedForPrepared", "extendedCacheEverything");

    private static final int MOST_CLIENTS = 100_000;

    /** Longer than what ends by itself takes. */
    private static final String UNTIL_DONE = "1000h";

    private final List<String> operations;
    private final List<String> pools;
    private final List<String> targets;
    private final Set<String> withoutTable;
    private final Set<String> thatEnd;

    /** @param operations, pools, targets the names that are registered */
    public RunSpecReader(List<String> operations, List<String> pools, List<String> targets) {
        this(operations, pools, targets, Set.of(), Set.of());
    }

    /**
     * @param withoutTable the operations that have tables of their own, so that none need be named
     * @param thatEnd the operations that are done at some time
     */
    public RunSpecReader(
            List<String> operations,
            List<String> pools,
            List<String> targets,
            Set<String> withoutTable,
            Set<String> thatEnd) {
        this.withoutTable = Set.copyOf(withoutTable);
        this.thatEnd = Set.copyOf(thatEnd);
        this.operations = List.copyOf(operations);
        this.pools = List.copyOf(pools);
        this.targets = List.copyOf(targets);
    }

    /**
     * Reads the options of a run.
     *
     * @param asked the options that were given, by long name
     * @param where what a problem's place begins with: {@code --} on the command line, {@code runs[2].} in a scenario
     * @throws InvalidPlanException with every problem
     */
    public RunSpec read(Map<String, List<String>> asked, String where) {
        Problems problems = new Problems();
        Map<String, List<String>> given = untilDone(asked);
        OptionValues v = new OptionValues(RunOptions.ALL, given, where, problems);
        List<UserOperation> own = userOperations(v);
        List<Endpoint> endpoints = onHosts(endpoints(v), v);
        RunSpec spec = new RunSpec(
                endpoints,
                v.choice("target", targets),
                table(v),
                mix(v, own),
                v.choice("statement", StatementMode.class),
                v.choice("query-mode", QUERY_MODES),
                new PoolSpec(v.choice("pool", pools), v.integer("pool-size", 0, MOST_CLIENTS)),
                load(v, endpoints),
                phases(v),
                operation(v, own),
                v.choice("client-threads", ClientThreads.class),
                failures(v),
                v.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE),
                settings(v, "set"),
                Map.copyOf(v.all()));
        checkTogether(spec, v);
        problems.throwIfAny();
        return spec;
    }

    /** A run of an operation that ends lasts until then, and has no warm-up, unless something else was asked for. */
    private Map<String, List<String>> untilDone(Map<String, List<String>> asked) {
        if (asked.getOrDefault("op", List.of()).stream().noneMatch(thatEnd::contains)) {
            return asked;
        }
        Map<String, List<String>> given = new LinkedHashMap<>(asked);
        given.putIfAbsent("duration", List.of(UNTIL_DONE));
        given.putIfAbsent("warmup", List.of("0"));
        return given;
    }

    private void checkTogether(RunSpec spec, OptionValues v) {
        if (spec.queryMode().equals("simple") && spec.statement() != StatementMode.PLAIN) {
            v.problem(
                    "query-mode",
                    "simple sends literals, so the statements would not be "
                            + spec.statement().label() + "; use --statement plain with it");
        }
        settings(v, "alter-system");
        if (v.choice("coordinators", List.of("given", "all")).equals("all")
                && spec.endpoints().size() > 1) {
            v.problem("coordinators", "all finds the servers by itself: give one --url");
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
        int weighted = spec.endpoints().stream().mapToInt(Endpoint::clients).sum();
        if (weighted > 0 && spec.endpoints().stream().anyMatch(e -> e.clients() == 0)) {
            v.problem("url", "clients=N must be given for every --url or for none");
        }
        if (weighted > 0 && weighted != spec.load().clients()) {
            v.problem("threads", "is " + spec.load().clients() + ", but the clients of all --url are " + weighted);
        }
    }

    private static TableName table(OptionValues v) {
        String text = v.text("table");
        return text.isEmpty() ? new TableName("", "?") : TableName.parse(text);
    }

    /** The endpoints of {@code --hosts}, each as the one that {@code --url} names, or the endpoints as they are. */
    private static List<Endpoint> onHosts(List<Endpoint> named, OptionValues v) {
        String hosts = v.text("hosts");
        if (hosts.isEmpty()) {
            return named;
        }
        if (named.size() > 1) {
            v.problem("hosts", "takes one --url, for the rest of it");
        }
        Endpoint like = named.isEmpty() ? new Endpoint("jdbc:postgresql://localhost/", 0) : named.get(0);
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            int colon = host.lastIndexOf(':');
            try {
                int port = colon < 0
                        ? 5432
                        : Integer.parseInt(host.substring(colon + 1).trim());
                String name = (colon < 0 ? host : host.substring(0, colon)).trim();
                if (name.isEmpty() || port < 1 || port > 65_535) {
                    throw new NumberFormatException();
                }
                endpoints.add(like.exactlyAt(name, port));
            } catch (NumberFormatException e) {
                v.problem("hosts", "must be HOST:PORT,..., was '" + host + "'");
            }
        }
        return List.copyOf(endpoints);
    }

    private static List<Endpoint> endpoints(OptionValues v) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String text : v.list("url")) {
            int comma = text.lastIndexOf(",clients=");
            String url = comma < 0 ? text : text.substring(0, comma);
            int clients = 0;
            if (comma >= 0) {
                try {
                    clients = Integer.parseInt(text.substring(comma + ",clients=".length()));
                } catch (NumberFormatException e) {
                    v.problem("url", "clients= must be a whole number in '" + new Endpoint(text, 0).masked() + "'");
                }
            }
            if (url.startsWith("postgresql://") || url.startsWith("postgres://")) {
                url = "jdbc:postgresql://" + url.substring(url.indexOf("://") + 3);
            }
            if (!url.startsWith("jdbc:postgresql:")) {
                v.problem("url", "must begin with jdbc:postgresql:, was '" + new Endpoint(url, 0).masked() + "'");
            }
            endpoints.add(new Endpoint(url, clients));
        }
        return List.copyOf(endpoints);
    }

    private List<UserOperation> userOperations(OptionValues v) {
        List<UserOperation> own = new ArrayList<>();
        for (String file : v.list("operations")) {
            try {
                own.addAll(OperationsFile.read(Path.of(file), v.choice("key-distribution", KeyDistribution.class)));
            } catch (UncheckedIOException e) {
                v.problem("operations", file + " cannot be read: " + reason(e));
            }
        }
        Set<String> taken = new HashSet<>(operations);
        own.stream()
                .filter(o -> !taken.add(o.name()))
                .forEach(o -> v.problem("operations", o.source().tell("there is another operation of this name")));
        return own;
    }

    private static String reason(UncheckedIOException e) {
        return e.getCause() instanceof NoSuchFileException ? "there is no such file" : String.valueOf(e.getMessage());
    }

    private List<WeightedOperation> mix(OptionValues v, List<UserOperation> own) {
        List<String> known = new ArrayList<>(operations);
        own.forEach(o -> known.add(o.name()));
        List<WeightedOperation> mix = new ArrayList<>();
        for (String part : v.text("op").split(",", -1)) {
            int colon = part.lastIndexOf(':');
            String name = (colon < 0 ? part : part.substring(0, colon)).trim();
            if (!known.contains(name)) {
                v.problem(
                        "op",
                        "'" + name + "' is no operation" + Nearest.hint(name, known) + " (there are "
                                + String.join(", ", known) + ")");
            }
            int weight = 1;
            try {
                weight = colon < 0
                        ? 1
                        : Integer.parseInt(part.substring(colon + 1).trim());
            } catch (NumberFormatException e) {
                weight = 0;
            }
            if (weight < 1) {
                v.problem("op", "the weight in '" + part + "' must be a whole number of at least 1");
            }
            if (mix.stream().anyMatch(o -> o.name().equals(name))) {
                v.problem("op", "'" + name + "' is there twice");
            }
            mix.add(new WeightedOperation(name, weight));
        }
        return List.copyOf(mix);
    }

    private static Load load(OptionValues v, List<Endpoint> endpoints) {
        int weighted = endpoints.stream().mapToInt(Endpoint::clients).sum();
        int clients = weighted > 0 && v.list("threads").equals(List.of("8"))
                ? weighted
                : v.integer("threads", 1, MOST_CLIENTS);
        String rate = v.text("rate");
        Arrival arrival = v.choice("arrival", Arrival.class);
        Duration ramp = v.duration("ramp");
        if (rate.isEmpty()) {
            return new Load.Closed(clients);
        }
        List<Double> rates = new ArrayList<>();
        for (String part : rate.split(",", -1)) {
            try {
                double value = Double.parseDouble(part.trim());
                if (!(value > 0 && value <= 1e9)) {
                    throw new NumberFormatException();
                }
                rates.add(value);
            } catch (NumberFormatException e) {
                v.problem("rate", "must be operations per second above 0, was '" + part + "'");
            }
        }
        Duration step = v.text("step").isEmpty()
                ? v.duration("duration").dividedBy(Math.max(1, rates.size()))
                : v.duration("step");
        return new Load.Open(clients, rates, arrival, step, ramp);
    }

    private static Phases phases(OptionValues v) {
        boolean auto = v.text("warmup").equals("auto");
        Duration warmup = auto ? v.duration("warmup-limit") : v.duration("warmup");
        Duration measure = v.positiveDuration("duration");
        if (!v.text("rate").isEmpty() && !v.text("step").isEmpty()) {
            measure = v.positiveDuration("step").multipliedBy(v.text("rate").split(",", -1).length);
        }
        return new Phases(
                warmup,
                auto,
                v.integer("warmup-executions", 0, 1_000_000),
                v.duration("warmup-limit"),
                measure,
                v.duration("drain"),
                v.positiveDuration("interval"));
    }

    private static OperationOptions operation(OptionValues v, List<UserOperation> own) {
        return new OperationOptions(
                v.integer("batch", 1, 32_000),
                v.integer("limit-min", 1, Integer.MAX_VALUE),
                v.integer("limit-max", 1, Integer.MAX_VALUE),
                v.flag("order-by-id"),
                !v.flag("no-reset"),
                v.integer("fetch-size", 0, Integer.MAX_VALUE),
                v.flag("transaction"),
                v.choice("key-distribution", KeyDistribution.class),
                v.integer("key-sample", 1, 200_000_000),
                idSlice(v),
                WorkloadReader.read(v),
                own);
    }

    private static IdSlice idSlice(OptionValues v) {
        try {
            return IdSlice.parse(v.text("id-slice"));
        } catch (IllegalArgumentException e) {
            v.problem("id-slice", String.valueOf(e.getMessage()));
            return IdSlice.ALL;
        }
    }

    private static FailurePolicy failures(OptionValues v) {
        return new FailurePolicy(
                v.integer("max-tries", 1, 1000),
                v.choice("on-error", List.of("continue", "stop")).equals("stop"),
                share(v, "max-error-rate"),
                v.duration("statement-timeout"),
                v.duration("latency-limit"));
    }

    private static double share(OptionValues v, String name) {
        String text = v.text(name);
        try {
            double share = text.endsWith("%")
                    ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
                    : Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // told below, with the values out of range
        }
        v.problem(name, "must be a share such as 1% or 0.01, was '" + text + "'");
        return 1;
    }

    private static Map<String, String> settings(OptionValues v, String option) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String text : v.list(option)) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                v.problem(option, "must be NAME=VALUE, was '" + text + "'");
            } else {
                settings.put(
                        text.substring(0, equals).trim(),
                        text.substring(equals + 1).trim());
            }
        }
        return settings;
    }
}
