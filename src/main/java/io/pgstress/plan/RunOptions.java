package io.pgstress.plan;

import static io.pgstress.plan.option.Group.FAILURE;
import static io.pgstress.plan.option.Group.OPERATION;
import static io.pgstress.plan.option.Group.SERVER;
import static io.pgstress.plan.option.Group.WHAT;
import static io.pgstress.plan.option.Group.WORKLOAD;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Form;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.plan.server.ServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
            .help(WHAT, "operation, or a mix such as a:3,b:1");

    public static final Option<Optional<TableName>> TABLE = Option.optional("table", "NAME", TableName::parse)
            .letter("t")
            .help(
                    WHAT,
                    "table with _id and data",
                    "Without a server, the default is the table of the sample data, check_in.");

    public static final Option<StatementMode> STATEMENT = Option.of("statement", "MODE", RunOptions::statementMode)
            .words(Stream.of(StatementMode.values()).map(StatementMode::label).toList())
            .letter("M")
            .byDefault("prepared")
            .help(
                    WHAT,
                    "prepared, extended or plain",
                    "plain: the values are literals in the text. extended: they are bind parameters, without a"
                            + " server-side prepared statement. prepared: with one. simple, pgbench's word, is plain.");

    public static final Option<Optional<String>> QUERY_MODE = Option.optional(
                    "query-mode", "MODE", Forms.choice(QUERY_MODES))
            .refusedIf(o ->
                    o.get(RunOptions.QUERY_MODE).orElse("").equals("simple") && o.get(STATEMENT) != StatementMode.PLAIN
                            ? "simple sends literals, so the statements would not be "
                                    + o.get(STATEMENT).label() + "; use --statement plain with it"
                            : "")
            .help(
                    WHAT,
                    "the driver's preferQueryMode, for experts",
                    "simple, extended, extendedForPrepared or extendedCacheEverything.");

    public static final Option<Long> SEED = Option.of("seed", "N", Forms.whole(-MAX_SEED, MAX_SEED))
            .byDefault("1")
            .help(WHAT, "seed of all random choices");

    public static final Option<List<Endpoint>> URL = Option.list("url", "URL[,clients=N]", EndpointReader::url)
            .refusedIf(OptionConflicts::url)
            .help(
                    SERVER,
                    "server: URL of the JDBC driver or of libpq",
                    "Repeat it for several coordinators. clients=N sets a server's number of clients.");

    /** Of the command's, which starts the server; agents connect to it. */
    public static final Option<Optional<String>> START_SERVER = Option.optional(
                    "server", "VERSION|DIR", ServerRequest::build)
            .refusedIf(o -> o.get(RunOptions.START_SERVER).isPresent()
                            && !EndpointReader.endpoints(o).isEmpty()
                    ? "starts a server, and other options name one; leave one of them out"
                    : "")
            .help(
                    SERVER,
                    "start this PostgreSQL, such as 17 or 17.5",
                    "It must be installed, or in Maven's local repository. DIR is the folder of its programs. The server gets"
                            + " new data and is removed at the end.");

    public static final Option<Map<String, String>> SERVER_SET = Option.pairs("server-set")
            .refusedIf(o -> needsServer(o, RunOptions.SERVER_SET))
            .help(SERVER, "setting of --server's server", "It is written to postgresql.conf.");

    public static final Option<Optional<Path>> DUMP = Option.optional("dump", "DUMP", Forms::readable)
            .refusedIf(o -> needsServer(o, RunOptions.DUMP))
            .help(
                    SERVER,
                    "documents for --server's server (the sample)",
                    "DUMP is what import reads. Without --table, the load uses the table with the most rows.");

    public static final Option<List<String>> HOSTS = Option.of("hosts", "HOST:PORT,...", EndpointReader::hosts)
            .refusedIf(OptionConflicts::hosts)
            .help(
                    SERVER,
                    "hosts of --url, instead of one --url for each",
                    "A directory such as /var/run/postgresql is that of a Unix socket.");

    /** Empty: the clients are spread evenly, or as {@link #URL} says. */
    public static final Option<List<Integer>> CLIENTS_PER_SERVER = Option.of(
                    "clients-per-server", "N[,N...]", RunOptions::clientsPerServer)
            .refusedIf(OptionConflicts::clientsPerServer)
            .help(
                    SERVER,
                    "clients of each server, instead of --clients",
                    "The last number is also that of the remaining servers.");

    public static final Option<String> COORDINATORS = Option.of(
                    "coordinators", "given|all", Forms.choice(List.of("given", "all")))
            .byDefault("given")
            .refusedIf(OptionConflicts::coordinators)
            .help(
                    SERVER,
                    "all: every server of the cluster",
                    "all finds the servers that accept statements, through the first --url.");

    /** Any name. {@link #pool} limits it to those that are registered, which this package does not know. */
    public static final Option<String> POOL =
            Option.of("pool", "KIND", Forms::text).byDefault("none").help(SERVER, "");

    public static final Option<Integer> POOL_SIZE = Option.of("pool-size", "N", Forms.integer(0, MAX_CLIENTS))
            .byDefault("0")
            .refusedIf(o -> o.get(RunOptions.POOL_SIZE) > 0 && o.get(POOL).equals("none")
                    ? "has no effect without a pool: with none each client keeps its connection; name a pool, or"
                            + " leave the size out"
                    : "")
            .help(SERVER, "connections of the pool; 0: one per client");

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
                    "per-client or per-transaction",
                    "per-client: sessions are opened before the load. per-transaction: each operation opens a session"
                            + " and closes it, as with pgbench's -C.");

    public static final Option<Map<String, String>> SET = Option.pairs("set")
            .help(SERVER, "setting of every session of the load", "It is sent when a session is opened.");

    public static final Option<Map<String, String>> ALTER_SYSTEM = Option.pairs("alter-system")
            .help(
                    SERVER,
                    "setting of every server, restored at the end",
                    "It is set on every server of the cluster, with ALTER SYSTEM and a reload.");

    public static final Option<Integer> MAX_TRIES = Option.of("max-tries", "N", Forms.integer(1, 1000))
            .byDefault("3")
            .help(
                    FAILURE,
                    "attempts at a transaction that conflicts",
                    "Serialization failures and deadlocks (SQLSTATE 40001 and 40P01) are tried again.");

    public static final Option<String> ON_ERROR = Option.of(
                    "on-error", "WHAT", Forms.choice(List.of("continue", "stop")))
            .byDefault("continue")
            .help(FAILURE, "continue or stop");

    public static final Option<Double> MAX_ERROR_RATE = Option.of("max-error-rate", "PERCENT", Forms::share)
            .byDefault("1%")
            .help(FAILURE, "highest valid share of failed operations");

    public static final Option<Optional<Double>> MAX_MISS_RATE = Option.optional(
                    "max-miss-rate", "PERCENT", Forms::share)
            .help(
                    FAILURE,
                    "highest valid share of misses and duplicates",
                    "The default is 1% of each operation whose rows exist, and of each that inserts new ids. Operations that expect"
                            + " misses have no limit: those of operations files, and find_delete with --no-reset.");

    /** The limit of operations that expect neither misses nor duplicates. */
    public static final double DEFAULT_MAX_MISS_RATE = 0.01;

    public static final Option<List<String>> ACCEPT = Option.list("accept", "CODE", Forms::text)
            .help(
                    FAILURE,
                    "a reason for not valid that only warns",
                    "docs/remarks.md has the codes. Several are separated by commas.");

    public static final Option<Duration> STATEMENT_TIMEOUT = Option.of(
                    "statement-timeout", "TIME", RunOptions::milliseconds)
            .byDefault("0")
            .help(FAILURE, "statement_timeout; 0: the server's value");

    public static final Option<Duration> LATENCY_LIMIT = Option.of("latency-limit", "TIME", RunOptions::latencyLimit)
            .byDefault("0")
            .help(FAILURE, "operations that take longer are late; 0: none", "Late operations are counted.");

    public static final Option<Boolean> NO_RESET = Option.flag("no-reset")
            .help(OPERATION, "neither empty nor fill tables before the run", "A missing copy table is created empty.");

    public static final Option<Boolean> NO_WAIT_SAMPLES = Option.flag("no-wait-samples")
            .help(
                    SERVER,
                    "do not sample what sessions wait for",
                    "Results then show no waits. compare --vary no-wait-samples=true,false measures the cost of the"
                            + " samples.");

    public static final Option<Boolean> TRANSACTION = Option.flag("transaction")
            .help(OPERATION, "one transaction per operation", "Without it, each statement is a transaction.");

    public static final Option<Integer> FETCH_SIZE = Option.of("fetch-size", "N", Forms.integer(0, Integer.MAX_VALUE))
            .byDefault("0")
            .refusedIf(o -> o.get(RunOptions.FETCH_SIZE) > 0 && !o.get(TRANSACTION)
                    ? "needs --transaction: without a transaction, the driver fetches all rows at once"
                    : "")
            .help(
                    OPERATION,
                    "rows per fetch, with --transaction; 0: all",
                    "Without a transaction, the driver fetches all rows at once.");

    public static final Option<KeyDistribution> KEY_DISTRIBUTION = Option.of(
                    "key-distribution", "KIND", Forms.choice(KeyDistribution.class))
            .byDefault("uniform")
            .help(
                    OPERATION,
                    "ids: uniform, zipfian, special or sequential",
                    "Not for find_insert and find_delete, which use each id once. special is sysbench's; for"
                            + " oltp_insert, it is the distribution of k.");

    public static final Option<Integer> KEY_SAMPLE = Option.of("key-sample", "N", Forms.integer(0, 200_000_000))
            .byDefault("0")
            .help(OPERATION, "draw ids from a sample of about N; 0: from all");

    public static final Option<Duration> ROUND_TIME = Option.of("round-time", "TIME", Durations::parse)
            .byDefault("0")
            .refusedIf(OptionConflicts::roundTime)
            .help(WORKLOAD, "empty the tables at this interval; 0: never");

    /** Replaces the duration; for single runs only. */
    public static final Option<Optional<Integer>> ROUNDS = Option.optional("rounds", "N", Forms.integer(1, 1_000_000))
            .refusedIf(OptionConflicts::rounds)
            .help(
                    WORKLOAD,
                    "rounds of --round-time, instead of --duration",
                    "A round lasts from one emptying of the tables to the next. In compare, --rounds counts rounds of"
                            + " variants.");

    public static final Option<List<String>> WATCH_HOST = Option.of("watch-host", "HOST,...", Forms::list)
            .help(SERVER, "further machines to record, over ssh", "For example, the machine of a Postgres-XL GTM.");

    /** Those of servers that a command starts. */
    public static final List<Option<?>> STARTED = List.of(START_SERVER, SERVER_SET, DUMP);

    /** All but {@link #ROUNDS}, in the order of the help. */
    static final List<Option<?>> ALL = Option.join(
            List.of(OP, TABLE, STATEMENT, SEED, QUERY_MODE),
            RunLoadOptions.ALL,
            List.of(URL),
            ServerOptions.ALL,
            STARTED,
            List.of(
                    ServerOptions.USER,
                    ServerOptions.PASSWORD_COMMAND,
                    POOL,
                    POOL_SIZE,
                    CONNECT,
                    SET,
                    ALTER_SYSTEM,
                    HOSTS,
                    COORDINATORS,
                    CLIENTS_PER_SERVER,
                    ServerOptions.TARGET,
                    WATCH_HOST,
                    NO_WAIT_SAMPLES,
                    MAX_ERROR_RATE,
                    MAX_MISS_RATE,
                    ACCEPT,
                    ON_ERROR,
                    STATEMENT_TIMEOUT,
                    LATENCY_LIMIT,
                    MAX_TRIES,
                    TRANSACTION,
                    NO_RESET,
                    KEY_DISTRIBUTION,
                    KEY_SAMPLE,
                    FETCH_SIZE,
                    ROUND_TIME));

    private RunOptions() {}

    /** {@code --pool} for these pools; the first name means no pool. */
    static Option<String> pool(List<String> names) {
        return POOL.form(Forms.choice(names))
                .help(
                        SERVER,
                        "connection pool: " + others(names) + " or none",
                        "none: each client keeps its connection.");
    }

    /** {@code --accept} for these codes. */
    static Option<List<String>> accept(Supplier<List<String>> codes) {
        return ACCEPT.reader(texts -> Forms.each(
                text -> reason(text.toLowerCase(Locale.ROOT), codes.get()),
                texts.stream().flatMap(text -> Forms.list(text).stream()).toList()));
    }

    private static String reason(String code, List<String> codes) {
        if (!codes.contains(code)) {
            throw new IllegalArgumentException(Nearest.unknown(
                    code, "the code of a reason for not valid", Nearest.of(code, codes), "docs/remarks.md lists all"));
        }
        return code;
    }

    private static String needsServer(Options o, Option<?> option) {
        return o.isGiven(option) && o.get(START_SERVER).isEmpty() ? "is for a server that --server starts" : "";
    }

    private static String others(List<String> names) {
        return String.join(", ", names.subList(1, names.size()));
    }

    /** {@code simple} is pgbench's word for plain. */
    private static StatementMode statementMode(String text) {
        return text.equals("simple")
                ? StatementMode.PLAIN
                : Forms.choice(StatementMode.class).read(text);
    }

    private static Form<Integer> clients() {
        return Forms.integer(1, MAX_CLIENTS);
    }

    private static List<Integer> clientsPerServer(String text) {
        return text.isEmpty() ? List.of() : Forms.each(t -> clients().read(t.trim()), List.of(text.split(",", -1)));
    }

    /** Without a unit, pgbench's users would mean milliseconds, and all others seconds. */
    private static Duration latencyLimit(String text) {
        Duration time = Durations.parse(text);
        if (!time.isZero() && text.chars().noneMatch(Character::isLetter)) {
            throw new IllegalArgumentException("needs a unit, such as " + text + "ms or " + text + "s");
        }
        return time;
    }

    private static Duration milliseconds(String text) {
        Duration time = Durations.parse(text);
        if (!time.isZero() && time.toMillis() == 0) {
            throw new IllegalArgumentException("must be 0 or at least 1 ms, the server's unit");
        }
        return time;
    }
}
