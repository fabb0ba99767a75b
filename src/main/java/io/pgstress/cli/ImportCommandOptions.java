package io.pgstress.cli;

import static io.pgstress.plan.option.Group.INPUT;
import static io.pgstress.plan.option.Group.REPORTS;
import static io.pgstress.plan.option.Group.SERVER;
import static io.pgstress.plan.option.Group.TABLES;

import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.extra.oplog.Oplog.OplogRequest;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.table.ColumnOptions;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnSpec;
import io.pgstress.importer.table.TableRules;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.Connector.Login;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.Cluster;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of {@code import}. */
final class ImportCommandOptions {
    static final Option<Optional<Endpoint>> URL = Option.optional("url", "URL", Endpoint::parse)
            .help(
                    SERVER,
                    "Server, by a URL of the JDBC driver or a connection string of libpq. Default: the embedded one.");

    static final Option<Optional<String>> USER = Option.optional("user", "NAME", Forms::text)
            .letter("U")
            .help(SERVER, "Role; the password comes from PGPASSWORD or the password file.");

    static final Option<String> TARGET = Option.of("target", "KIND", Forms.choice(Dialects.names()))
            .byDefault(Dialects.AUTO)
            .help(SERVER, RunOptions.TARGET_HELP);

    private static final Option<Integer> SHARDS = Option.of("shards", "N", Forms.integer(0, 64_000))
            .byDefault("0")
            .help(TABLES, "Citus: shards of a new table; 0: the server's default.");

    private static final Option<Integer> REPLICATION_FACTOR = Option.of(
                    "replication-factor", "N", Forms.integer(0, 100))
            .byDefault("0")
            .help(TABLES, "Citus: nodes that hold each shard of a new table; 0: the server's default.");

    private static final Option<Optional<KeyType>> KEY_TYPE = Option.optional(
                    "key-type", "TYPE", Forms.choice(KeyType.class))
            .help(
                    TABLES,
                    "Type of _id: int, bigint, numeric, text, uuid or timestamptz. Default: the type that fits the"
                            + " input.");

    private static final Option<Integer> JOBS = Option.of("jobs", "N", Forms.integer(1, 64))
            .letter("j")
            .byDefault("1")
            .help(TABLES, "Connections that load rows.");

    private static final Option<String> PRIMARY_KEY = Option.of(
                    "primary-key", "WHEN", Forms.choice(List.of("after", "before")))
            .byDefault("after")
            .help(TABLES, "When to create the primary key: after or before loading.");

    private static final Option<IfExists> IF_EXISTS = Option.of("if-exists", "WHAT", Forms.choice(IfExists.class))
            .byDefault("fail")
            .help(TABLES, "A table that exists: fail, append, truncate or drop.");

    private static final Option<OnDuplicate> ON_DUPLICATE = Option.of(
                    "on-duplicate", "WHAT", Forms.choice(OnDuplicate.class))
            .byDefault("fail")
            .help(
                    TABLES,
                    "An _id that exists: fail, skip (the first stays) or replace (the last stays); the latter two use a"
                            + " staging table, about twice the work.");

    static final Option<Long> MAX_REJECTS = Option.of("max-rejects", "N", Forms.whole(0, Long.MAX_VALUE))
            .byDefault("0")
            .help(REPORTS, "Rejected documents tolerated; more give exit code 4.");

    static final Option<Path> REJECTS = Option.of("rejects", "DIR", Forms::path)
            .help(REPORTS, "Directory for rejected documents. Default: the current directory.");

    private static final Option<Boolean> RESUME =
            Option.flag("resume").help(TABLES, "Continues an import that was interrupted.");

    private static final Option<Optional<String>> PROGRESS_SCHEMA = Option.optional(
                    "progress-schema", "SCHEMA", Forms::text)
            .help(
                    TABLES,
                    "Schema of the tables that record the progress; created if missing. Default: as the search path"
                            + " says.");

    private static final Option<Boolean> OPLOG_REPLAY = Option.flag("oplog-replay")
            .refusedIf(o -> o.get(ImportCommandOptions.OPLOG_REPLAY) && o.get(ImportCommandOptions.ATOMIC)
                    ? "cannot be combined with --atomic"
                    : "")
            .help(TABLES, "Replays the dump's oplog after the rows are loaded.");

    private static final Option<Optional<Path>> OPLOG_FILE = Option.optional("oplog-file", "FILE", Forms::path)
            .refusedIf(o -> needsReplay(o, o.get(ImportCommandOptions.OPLOG_FILE)))
            .help(INPUT, "The oplog for --oplog-replay, if it is not in the dump.");

    private static final Option<Optional<Long>> OPLOG_LIMIT = Option.optional(
                    "oplog-limit", "SECONDS[:COUNTER]", OplogRequest::limit)
            .refusedIf(o -> needsReplay(o, o.get(ImportCommandOptions.OPLOG_LIMIT)))
            .help(INPUT, "Replays only entries before this time.");

    private static final Option<List<ColumnSpec>> COLUMN = Option.list("column", "NAME=PATH:TYPE", ColumnSpec::parse)
            .help(
                    TABLES,
                    "A typed column for the value at a path, such as total=amount.total:numeric; may be repeated. At"
                            + " the end, :index creates an index. Before the name, COLLECTION. adds it only to that"
                            + " collection.");

    private static final Option<Misfit> COLUMN_MISFIT = Option.of("column-misfit", "WHAT", Forms.choice(Misfit.class))
            .byDefault("reject")
            .refusedIf(o -> o.isGiven(ImportCommandOptions.COLUMN_MISFIT) && !o.isGiven(COLUMN) ? "needs --column" : "")
            .help(TABLES, "A value that does not fit its column: reject the document, or make the column null.");

    private static final Option<Boolean> ATOMIC = Option.flag("atomic")
            .help(TABLES, "All or nothing: loads into staging tables and swaps them in at the end.");

    private static final Option<Boolean> VERIFY =
            Option.flag("verify").help(TABLES, "Reads the tables back and compares them with the input.");

    static final Option<Optional<Path>> JSON =
            Option.optional("json", "FILE", Forms::path).help(REPORTS, "The summary as JSON. - is stdout.");

    static final Option<Boolean> QUIET = Option.flag("quiet").letter("q").help(REPORTS, "Shows no progress.");

    private static final Option<IndexMode> INDEXES = Option.of("indexes", "WHAT", Forms.choice(IndexMode.class))
            .byDefault("report")
            .help(TABLES, "The indexes in the metadata: none, report or create, as many at a time as --jobs.");

    private static final List<Option<?>> OF_TABLES = List.of(
            KEY_TYPE,
            SHARDS,
            REPLICATION_FACTOR,
            JOBS,
            PRIMARY_KEY,
            COLUMN,
            COLUMN_MISFIT,
            IF_EXISTS,
            ON_DUPLICATE,
            OPLOG_REPLAY,
            OPLOG_FILE,
            OPLOG_LIMIT,
            ATOMIC,
            RESUME,
            PROGRESS_SCHEMA,
            VERIFY,
            INDEXES);

    private static final List<Option<?>> OF_SERVER =
            join(List.of(URL), ServerOptions.ALL, List.of(USER, ServerOptions.PASSWORD_COMMAND, TARGET));

    private static final List<Option<?>> OF_REPORTS = List.of(JSON, QUIET, OptionSpecs.VERBOSE);

    /** All options, in the order of the help. */
    static final List<Option<?>> ALL = join(
            OF_SERVER, DumpOptions.ALL, ConversionOptions.ALL, OF_TABLES, List.of(MAX_REJECTS, REJECTS), OF_REPORTS);

    /** Those about the dump, the server and the conversion, which a comparison with the dump has too. */
    static final List<Option<?>> OF_DUMP =
            join(OF_SERVER, DumpOptions.ALL, ConversionOptions.ALL, List.of(MAX_REJECTS), OF_REPORTS);

    private ImportCommandOptions() {}

    @SafeVarargs
    private static List<Option<?>> join(List<Option<?>>... parts) {
        List<Option<?>> all = new ArrayList<>();
        for (List<Option<?>> part : parts) {
            all.addAll(part);
        }
        return List.copyOf(all);
    }

    private static String needsReplay(Options o, Optional<?> value) {
        return value.isPresent() && !o.get(OPLOG_REPLAY) ? "needs --oplog-replay" : "";
    }

    /** The role, and how its password is found. */
    static Login login(Options o) {
        return new Login(
                o.get(USER).orElse(""), o.get(ServerOptions.PASSWORD_COMMAND).orElse(""));
    }

    /** The server; empty: the embedded one. */
    static List<Endpoint> server(Options o) {
        return o.get(URL).stream().toList();
    }

    /** The server's dialect, with the properties of new tables, if its cluster is complete. */
    static Dialect dialect(Connector connector, Options o) {
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            Dialect dialect = Dialects.of(o.get(TARGET), connection);
            Cluster.check(connector, dialect);
            return o.has(SHARDS) ? dialect.with(new TableOptions(o.get(SHARDS), o.get(REPLICATION_FACTOR))) : dialect;
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--shards, --replication-factor: " + e.getMessage());
        } catch (SQLException e) {
            throw Target.unreachable(connector.endpoint(), e);
        }
    }

    /** What to replay after the rows. */
    static OplogRequest oplog(Options o) {
        return new OplogRequest(
                o.get(OPLOG_REPLAY),
                o.get(OPLOG_FILE).orElse(null),
                o.get(OPLOG_LIMIT).orElse(0L));
    }

    /** How documents are imported. */
    static ImportOptions how(Options o) {
        TableRules rules = new TableRules(
                o.get(KEY_TYPE).orElse(null),
                o.get(PRIMARY_KEY).equals("after"),
                o.get(IF_EXISTS),
                o.get(ON_DUPLICATE),
                o.get(RESUME),
                o.get(ATOMIC),
                o.get(VERIFY),
                new ColumnOptions(o.get(COLUMN), o.get(COLUMN_MISFIT)));
        return new ImportOptions(
                ConversionOptions.documents(o),
                ConversionOptions.generatesIds(o),
                rules,
                o.get(JOBS),
                o.get(MAX_REJECTS),
                o.get(REJECTS).toAbsolutePath(),
                o.get(PROGRESS_SCHEMA).orElse(""),
                DumpOptions.naming(o),
                o.get(INDEXES).step());
    }
}
