package io.pgstress.plan;

import static io.pgstress.plan.option.Option.Group.FAILURE;
import static io.pgstress.plan.option.Option.Group.LOAD;
import static io.pgstress.plan.option.Option.Group.OPERATION;
import static io.pgstress.plan.option.Option.Group.SERVER;
import static io.pgstress.plan.option.Option.Group.WHAT;
import static io.pgstress.plan.option.Option.Group.WORKLOAD;

import io.pgstress.plan.option.Option;
import java.util.List;

/** Every option of a run, a line each; {@link RunSpecReader} gives them their meaning. */
public final class RunOptions {
    /** What the value of an option is called that names a file. */
    public static final String FILE = "FILE";

    /** All options, in the order of the help. */
    public static final List<Option> ALL = List.of(
            one("op", "", "NAME[:WEIGHT],...", "find_first", WHAT, "Operation, or a weighted mix such as a:3,b:1."),
            many("operations", "", FILE, WHAT, "Operations of your own for --op: a YAML file, docs/operations.md."),
            one(
                    "table",
                    "t",
                    "NAME",
                    "",
                    WHAT,
                    "Table with _id and data; without --url the bundled one is the default."),
            one("statement", "M", "MODE", "prepared", WHAT, "plain, extended or prepared."),
            one("query-mode", "", "MODE", "", WHAT, "pgjdbc's preferQueryMode, for experts: simple, extended, ..."),
            one("seed", "", "N", "1", WHAT, "Seed of all that is drawn at random."),
            one(
                    "threads",
                    "c",
                    "N",
                    "8",
                    LOAD,
                    "Clients: each has one session and sends one operation at a time; auto: see tune."),
            one("duration", "T", "TIME", "10s", LOAD, "How long is measured, e.g. 30, 90s, 5m."),
            one(
                    "warmup",
                    "",
                    "TIME|auto",
                    "auto",
                    LOAD,
                    "Load before the measurement, in no figure; auto: until level."),
            one(
                    "warmup-limit",
                    "",
                    "TIME",
                    "20s",
                    LOAD,
                    "The most that --warmup auto or --warmup-executions may take."),
            one(
                    "warmup-executions",
                    "",
                    "N",
                    "0",
                    LOAD,
                    "Warm-up goes on until each client did so many of each operation."),
            one("drain", "", "TIME", "10s", LOAD, "How long operations in flight at the end may take."),
            one("interval", "P", "TIME", "1s", LOAD, "Length of an interval of the report."),
            one("rate", "R", "N[,N...]", "", LOAD, "Open load: operations per second in total, or steps of it."),
            one("arrival", "", "KIND", "uniform", LOAD, "Open load: uniform or poisson."),
            one("step", "", "TIME", "", LOAD, "Open load: length of each step of --rate; default: even parts."),
            one(
                    "ramp",
                    "",
                    "TIME",
                    "0",
                    LOAD,
                    "Open load: time in which the rate rises from 0, ahead of the measurement."),
            one(
                    "client-threads",
                    "",
                    "KIND",
                    "auto",
                    LOAD,
                    "platform, virtual (JDK 21 and newer), loop (JDK 24 and 25), or auto: the fastest for so many clients."),
            many("url", "", "JDBC_URL[,clients=N]", SERVER, "Server; more than once for several coordinators."),
            one("hosts", "", "HOST:PORT,...", "", SERVER, "The hosts of --url, instead of one --url for each."),
            one(
                    "coordinators",
                    "",
                    "given|all",
                    "given",
                    SERVER,
                    "all: every server of the cluster that takes statements, found by the first --url."),
            one("target", "", "KIND", "auto", SERVER, "Kind of server; auto asks it."),
            one("user", "U", "NAME", "", SERVER, "Role; the password comes from PGPASSWORD or ~/.pgpass."),
            one("pool", "", "KIND", "none", SERVER, "hikari, c3p0 or none (each client keeps its connection)."),
            one("pool-size", "", "N", "0", SERVER, "Connections of the pool; 0: as many as clients."),
            many("set", "", "NAME=VALUE", SERVER, "Server setting for every session, as a startup option."),
            many(
                    "alter-system",
                    "",
                    "NAME=VALUE",
                    SERVER,
                    "Setting of every server of the cluster by ALTER SYSTEM and reload, put back at the end."),
            one("max-tries", "", "N", "3", FAILURE, "Tries of an operation that fails with 40001 or 40P01."),
            one("on-error", "", "WHAT", "continue", FAILURE, "continue or stop."),
            one(
                    "max-error-rate",
                    "",
                    "PERCENT",
                    "1%",
                    FAILURE,
                    "Share of failed operations above which the run is not valid."),
            one("statement-timeout", "", "TIME", "0", FAILURE, "The server's statement_timeout; 0: as it is there."),
            one("latency-limit", "", "TIME", "0", FAILURE, "Operations over it are counted as late; 0: none."),
            one("batch", "", "N", "40", OPERATION, "find_in: ids a statement."),
            one("limit-min", "", "N", "100", OPERATION, "find: fewest rows."),
            one("limit-max", "", "N", "10100", OPERATION, "find: most rows."),
            flag("order-by-id", OPERATION, "find: order by _id."),
            flag("no-reset", OPERATION, "Empty and fill no table before the run; a missing copy table is made, empty."),
            flag("transaction", OPERATION, "One transaction an operation instead of one a statement."),
            one("fetch-size", "", "N", "0", OPERATION, "Rows a fetch (needs --transaction); 0: all at once."),
            one("key-distribution", "", "KIND", "uniform", OPERATION, "uniform, zipfian or sequential."),
            one("key-sample", "", "N", "2000000", OPERATION, "The most ids kept in memory to draw from."),
            one("id-slice", "", "I/N", "1/1", OPERATION, "Of ids that are made, this host's share: host I of N."),
            one("scale", "s", "N", "0", WORKLOAD, "tpcb, select_only: pgbench's scale; 0: as the tables are, else 1."),
            one(
                    "shards",
                    "",
                    "N",
                    "0",
                    WORKLOAD,
                    "Shards of each table that is made (Citus); 0: as the server has it."),
            one("rows", "", "N", "100", WORKLOAD, "bulk_*: rows a statement; shard_insert*: an operation."),
            one("row-bytes", "", "N", "360", WORKLOAD, "bulk_*, shard_insert*: bytes of a row's values."),
            one(
                    "tables",
                    "",
                    "N",
                    "1",
                    WORKLOAD,
                    "oltp_insert, bulk_*, load: tables; a client of bulk_* keeps to one."),
            one(
                    "indexes",
                    "",
                    "WHICH",
                    "primary",
                    WORKLOAD,
                    "bulk_*, load: none, primary or all (another one beside it)."),
            flag("unlogged", WORKLOAD, "Makes unlogged tables."),
            one("tablespaces", "", "A,B,...", "", WORKLOAD, "The tables that are made are spread over them."),
            one("round-time", "", "TIME", "0", WORKLOAD, "Time until the tables are emptied; 0: never."),
            one(
                    "table-rows",
                    "",
                    "N",
                    "1000000",
                    WORKLOAD,
                    "count, group_by, load: rows of each table that they make."),
            one("shards-hit", "", "N", "1", WORKLOAD, "shard_insert*: shards, or datanodes, of an operation's rows."),
            one("copy-rows", "", "N", "10000", WORKLOAD, "load: rows a COPY."),
            one("index-when", "", "WHEN", "before", WORKLOAD, "load: indexes are made before or after the rows."),
            one("input", "", FILE, "", WORKLOAD, "load: rows in COPY's text form, instead of generated ones."),
            one("group-by", "", "SQL", "k", WORKLOAD, "group_by: a column, or an expression of columns."));

    private RunOptions() {}

    private static Option one(
            String name, String letter, String value, String defaultValue, Option.Group group, String description) {
        return new Option(name, letter, value, defaultValue, false, group, description);
    }

    private static Option many(String name, String letter, String value, Option.Group group, String description) {
        return new Option(name, letter, value, "", true, group, description);
    }

    private static Option flag(String name, Option.Group group, String description) {
        return new Option(name, "", "", "false", false, group, description);
    }
}
