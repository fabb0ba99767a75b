package io.pgstress.plan;

import static io.pgstress.plan.option.Group.FAILURE;
import static io.pgstress.plan.option.Group.OPERATION;
import static io.pgstress.plan.option.Group.SERVER;
import static io.pgstress.plan.option.Group.WHAT;
import static io.pgstress.plan.option.Group.WORKLOAD;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Form;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.server.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options that all runs have, but for those of the {@linkplain RunLoadOptions load}. Each operation declares its own options. */
public final class RunOptions {
    /** More clients than any server accepts. */
    public static final int MAX_CLIENTS = 100_000;

    /** Many JSON parsers round larger integers (RFC 8259, section 6). */
    public static final long MAX_SEED = (1L << 53) - 1;

    private static final List<String> QUERY_MODES =
            List.of("simple", "extended", "extendedForPrepared", "extendedCacheEverything");

    public static final Option<List<WeightedOperation>> OP = Option.of(
                    "op", "NAME[:WEIGHT],...", WeightedOperation::mix)
            .byDefault("find_first")
            .help(WHAT, "Operation, or a weighted mix such as a:3,b:1.");

    public static final Option<Optional<TableName>> TABLE = Option.optional("table", "NAME", TableName::parse)
            .letter("t")
            .help(WHAT, "Table with _id and data. Without a server, the default is the sample data's table.");

    public static final Option<StatementMode> STATEMENT = Option.of(
                    "statement", "MODE", Forms.choice(StatementMode.class))
            .letter("M")
            .byDefault("prepared")
            .help(
                    WHAT,
                    "plain (literals), extended (bind parameters without a server-side prepared statement) or prepared (with"
                            + " one).");

    public static final Option<Optional<String>> QUERY_MODE = Option.optional(
                    "query-mode", "MODE", Forms.choice(QUERY_MODES))
            .refusedIf(o ->
                    o.get(RunOptions.QUERY_MODE).orElse("").equals("simple") && o.get(STATEMENT) != StatementMode.PLAIN
                            ? "simple sends literals, so the statements would not be "
                                    + o.get(STATEMENT).label() + "; use --statement plain with it"
                            : "")
            .help(WHAT, "pgjdbc's preferQueryMode, for experts: simple, extended, ...");

    public static final Option<Long> SEED = Option.of("seed", "N", Forms.whole(-MAX_SEED, MAX_SEED))
            .byDefault("1")
            .help(WHAT, "Seed for all random choices.");

    public static final Option<List<Endpoint>> URL = Option.list("url", "URL[,clients=N]", EndpointReader::url)
            .refusedIf(OptionConflicts::url)
            .help(
                    SERVER,
                    "Server, by a URL of the JDBC driver or a connection string of libpq; may be repeated for several"
                            + " coordinators.");

    public static final Option<List<String>> HOSTS = Option.of("hosts", "HOST:PORT,...", EndpointReader::hosts)
            .refusedIf(OptionConflicts::hosts)
            .help(
                    SERVER,
                    "Hosts to use instead of the one in --url; a directory such as /var/run/postgresql is that of a Unix socket.");

    /** Empty: the clients are spread evenly, or as {@link #URL} says. */
    public static final Option<List<Integer>> CLIENTS_PER_SERVER = Option.of(
                    "clients-per-server", "N[,N...]", RunOptions::clientsPerServer)
            .refusedIf(OptionConflicts::clientsPerServer)
            .help(
                    SERVER,
                    "Clients of each server, instead of --clients; the last number is also that of the remaining servers.");

    public static final Option<String> COORDINATORS = Option.of(
                    "coordinators", "given|all", Forms.choice(List.of("given", "all")))
            .byDefault("given")
            .refusedIf(OptionConflicts::coordinators)
            .help(SERVER, "all: every server of the cluster that accepts statements, found through the first --url.");

    /** Its values and its help come from {@link #target}. */
    public static final Option<String> TARGET =
            Option.of("target", "KIND", Forms::text).byDefault("auto").help(SERVER, "");

    public static final Option<Optional<String>> USER = Option.optional("user", "NAME", Forms::text)
            .letter("U")
            .help(SERVER, "Role; the password comes from PGPASSWORD or the password file.");

    /** The reader knows the names of its values. */
    /** Its values and its help come from {@link #pool}. */
    public static final Option<String> POOL =
            Option.of("pool", "KIND", Forms::text).byDefault("none").help(SERVER, "");

    public static final Option<Integer> POOL_SIZE = Option.of("pool-size", "N", Forms.integer(0, MAX_CLIENTS))
            .byDefault("0")
            .refusedIf(o -> o.get(RunOptions.POOL_SIZE) > 0 && o.get(POOL).equals("none")
                    ? "has no effect without a pool: with none each client keeps its connection; name a pool, or"
                            + " leave the size out"
                    : "")
            .help(SERVER, "Connections of the pool; 0: as many as clients.");

    public static final Option<String> CONNECT = Option.of(
                    "connect", "WHEN", Forms.choice(List.of("per-client", PoolSpec.PER_TRANSACTION)))
            .byDefault("per-client")
            .refusedIf(o -> o.get(RunOptions.CONNECT).equals(PoolSpec.PER_TRANSACTION)
                            && !o.get(POOL).equals("none")
                    ? "per-transaction has no effect with --pool " + o.get(POOL)
                            + ", which keeps sessions open; leave one of the two out"
                    : "")
            .help(
                    SERVER,
                    "per-client: sessions are opened before the load; per-transaction: each operation opens a session and"
                            + " closes it.");

    public static final Option<Map<String, String>> SET =
            Option.pairs("set").help(SERVER, "Server setting for every session, as a startup option.");

    public static final Option<Map<String, String>> ALTER_SYSTEM = Option.pairs("alter-system")
            .help(
                    SERVER,
                    "Setting of every server of the cluster, with ALTER SYSTEM and a reload; restored at the end.");

    public static final Option<Integer> MAX_TRIES = Option.of("max-tries", "N", Forms.integer(1, 1000))
            .byDefault("3")
            .help(
                    FAILURE,
                    "Attempts at an operation that fails with a serialization failure or deadlock (40001, 40P01).");

    public static final Option<String> ON_ERROR = Option.of(
                    "on-error", "WHAT", Forms.choice(List.of("continue", "stop")))
            .byDefault("continue")
            .help(FAILURE, "continue or stop.");

    public static final Option<Double> MAX_ERROR_RATE = Option.of("max-error-rate", "PERCENT", Forms::share)
            .byDefault("1%")
            .help(FAILURE, "Share of failed operations above which the run is not valid.");

    public static final Option<Duration> STATEMENT_TIMEOUT = Option.of(
                    "statement-timeout", "TIME", RunOptions::milliseconds)
            .byDefault("0")
            .help(FAILURE, "The server's statement_timeout; 0: keep the server's value.");

    public static final Option<Duration> LATENCY_LIMIT = Option.of("latency-limit", "TIME", Durations::parse)
            .byDefault("0")
            .help(FAILURE, "Operations that take longer are counted as late; 0: no limit.");

    public static final Option<Boolean> NO_RESET = Option.flag("no-reset")
            .help(OPERATION, "Does not empty or fill tables before the run; a missing copy table is created empty.");

    public static final Option<Boolean> TRANSACTION =
            Option.flag("transaction").help(OPERATION, "One transaction per operation instead of one per statement.");

    public static final Option<Integer> FETCH_SIZE = Option.of("fetch-size", "N", Forms.integer(0, Integer.MAX_VALUE))
            .byDefault("0")
            .refusedIf(o -> o.get(RunOptions.FETCH_SIZE) > 0 && !o.get(TRANSACTION)
                    ? "needs --transaction: without a transaction, the driver fetches all rows at once"
                    : "")
            .help(OPERATION, "Rows per fetch (needs --transaction); 0: all at once.");

    public static final Option<KeyDistribution> KEY_DISTRIBUTION = Option.of(
                    "key-distribution", "KIND", Forms.choice(KeyDistribution.class))
            .byDefault("uniform")
            .help(
                    OPERATION,
                    "How ids are drawn: uniform, zipfian or sequential. Not for operations that use each id once.");

    public static final Option<Integer> KEY_SAMPLE = Option.of("key-sample", "N", Forms.integer(0, 200_000_000))
            .byDefault("0")
            .help(OPERATION, "Draws from a sample of about N of the table's ids; 0: from all.");

    public static final Option<Duration> ROUND_TIME = Option.of("round-time", "TIME", Durations::parse)
            .byDefault("0")
            .refusedIf(OptionConflicts::roundTime)
            .help(WORKLOAD, "Interval at which the tables are emptied; 0: never.");

    /** Replaces the duration; for single runs only. */
    public static final Option<Optional<Integer>> ROUNDS = Option.optional("rounds", "N", Forms.integer(1, 1_000_000))
            .refusedIf(OptionConflicts::rounds)
            .help(
                    WORKLOAD,
                    "Number of rounds of --round-time (from one emptying of the tables to the next), instead of"
                            + " --duration. In compare, --rounds counts rounds of variants.");

    public static final Option<List<String>> WATCH_HOST = Option.of("watch-host", "HOST,...", Forms::list)
            .help(SERVER, "Further machines whose load is recorded, such as that of a Postgres-XL GTM, by ssh.");

    /** All but {@link #ROUNDS}, in the order of the help. */
    static final List<Option<?>> ALL = Option.join(
            List.of(OP, TABLE, STATEMENT, QUERY_MODE, SEED),
            RunLoadOptions.ALL,
            List.of(URL),
            ServerOptions.ALL,
            List.of(
                    HOSTS,
                    CLIENTS_PER_SERVER,
                    COORDINATORS,
                    TARGET,
                    USER,
                    ServerOptions.PASSWORD_COMMAND,
                    POOL,
                    POOL_SIZE,
                    CONNECT,
                    SET,
                    ALTER_SYSTEM,
                    WATCH_HOST,
                    MAX_TRIES,
                    ON_ERROR,
                    MAX_ERROR_RATE,
                    STATEMENT_TIMEOUT,
                    LATENCY_LIMIT,
                    NO_RESET,
                    TRANSACTION,
                    FETCH_SIZE,
                    KEY_DISTRIBUTION,
                    KEY_SAMPLE,
                    ROUND_TIME));

    private RunOptions() {}

    /** {@code --target} for these kinds of server; the first of the names asks the server. */
    public static Option<String> target(List<String> names) {
        return TARGET.form(Forms.choice(names)).help(SERVER, others(names) + ", or auto: ask the server.");
    }

    /** {@code --pool} for these pools; the first of the names is that of no pool. */
    static Option<String> pool(List<String> names) {
        return POOL.form(Forms.choice(names))
                .help(SERVER, others(names) + ", or none: each client keeps its connection.");
    }

    private static String others(List<String> names) {
        return String.join(", ", names.subList(1, names.size()));
    }

    private static Form<Integer> clients() {
        return Forms.integer(1, MAX_CLIENTS);
    }

    private static List<Integer> clientsPerServer(String text) {
        return text.isEmpty() ? List.of() : Forms.each(t -> clients().read(t.trim()), List.of(text.split(",", -1)));
    }

    private static Duration milliseconds(String text) {
        Duration time = Durations.parse(text);
        if (!time.isZero() && time.toMillis() == 0) {
            throw new IllegalArgumentException("must be 0 or at least 1 ms, the server's unit");
        }
        return time;
    }
}
