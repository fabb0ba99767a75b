package io.pgstress.cli;

import static io.pgstress.plan.option.Group.CONVERSION;
import static io.pgstress.plan.option.Group.INPUT;
import static io.pgstress.plan.option.Group.REPORTS;
import static io.pgstress.plan.option.Group.SERVER;
import static io.pgstress.plan.option.Group.TABLES;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import io.pgstress.bson.json.LegacyUuids;
import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.Naming.Renaming;
import io.pgstress.importer.table.TableRules;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.target.Cluster;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.target.driver.SessionPurpose;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of {@code import}. Those about the dump, its conversion and the server are also those of {@code diff}. */
final class ImportCommandOptions {
    static final Option<Optional<Endpoint>> URL = Option.optional("url", "URL", Endpoint::parse)
            .help(
                    SERVER,
                    "server: URL of the JDBC driver or of libpq",
                    "Without a server, the embedded PostgreSQL is used.");

    static final Option<String> TARGET = ServerOptions.target(Dialects.names());

    private static final Option<List<String>> DATABASES = Option.list("db", "GLOB", Forms::text)
            .help(
                    INPUT,
                    "only these databases, such as shop*",
                    "For a single file or stream: the name to give it. It may be repeated.");

    private static final Option<List<String>> COLLECTIONS = Option.list("collection", "GLOB", Forms::text)
            .help(
                    INPUT,
                    "only these collections",
                    "For a single file or stream: the name to give it. It may be repeated.");

    private static final Option<List<String>> INCLUDE = Option.list(
                    "include", "DATABASE.COLLECTION", DumpFilter::namespacePattern)
            .help(INPUT, "only collections such as 'shop.*'", "It may be repeated.");

    private static final Option<List<String>> EXCLUDE = Option.list(
                    "exclude", "DATABASE.COLLECTION", DumpFilter::namespacePattern)
            .help(INPUT, "no collections such as '*.tmp_*'", "It may be repeated.");

    private static final Option<Boolean> SYSTEM =
            Option.flag("system").help(INPUT, "also MongoDB's own collections and the oplog");

    private static final Option<List<Renaming>> RENAME = Option.list("rename", "FROM=TO", Renaming::parse)
            .help(
                    TABLES,
                    "rename collections, as in 'prod.*=test.*'",
                    "Also 'shop.$x$_old=archive.$x$'. The last rule that matches applies. It may be repeated.");

    private static final Option<Optional<String>> SCHEMA = Option.optional("schema", "NAME", Naming::schemaName)
            .help(
                    TABLES,
                    "schema of all tables",
                    "By default there is one per database if there are several, or else the search path applies.");

    private static final Option<Optional<TableName>> ONE_TABLE = Option.optional("table", "NAME", TableName::parse)
            .refusedIf(ImportCommandOptions::table)
            .help(TABLES, "name of the table of a single collection");

    private static final Option<ExtendedJson> EXTENDED_JSON = Option.of(
                    "extended-json", "FORM", Forms.choice(ExtendedJson.class))
            .byDefault("relaxed")
            .help(CONVERSION, "relaxed or canonical");

    private static final Option<NulPolicy> NUL = Option.of("nul", "WHAT", Forms.choice(NulPolicy.class))
            .byDefault("reject")
            .help(CONVERSION, "U+0000 in strings: reject, strip or replace");

    private static final Option<Utf8Policy> INVALID_UTF8 = Option.of(
                    "invalid-utf8", "WHAT", Forms.choice(Utf8Policy.class))
            .byDefault("reject")
            .help(CONVERSION, "bytes that are not UTF-8: reject or replace");

    private static final Option<LegacyUuids> UUIDS = Option.of("uuid", "DRIVER", Forms.choice(LegacyUuids.class))
            .byDefault("keep")
            .help(
                    CONVERSION,
                    "UUIDs of old drivers: keep, java, csharp or python",
                    "Binary values of subtype 3 have the byte order of the driver that wrote them. keep leaves them binary.");

    private static final Option<DuplicateKeyPolicy> DUPLICATE_KEYS = Option.of(
                    "duplicate-keys", "WHAT", Forms.choice(DuplicateKeyPolicy.class))
            .byDefault("keep_last")
            .help(CONVERSION, "a field that occurs twice: keep_last or reject");

    private static final String GENERATE = "generate";

    private static final Option<String> MISSING_ID = Option.of(
                    "missing-id", "WHAT", Forms.choice(List.of("reject", GENERATE)))
            .byDefault("reject")
            .help(CONVERSION, "no _id: reject, or generate an ObjectId");

    private static final Option<Integer> MAX_DEPTH = Option.of(
                    "max-depth", "N", Forms.integer(1, JsonOptions.LARGEST_MAX_DEPTH))
            .byDefault(Integer.toString(JsonOptions.DEFAULT_MAX_DEPTH))
            .help(CONVERSION, "deepest nesting of a document");

    private static final Option<Integer> SHARDS = Option.of("shards", "N", Forms.integer(0, 64_000))
            .byDefault("0")
            .help(TABLES, "Citus: shards of a new table; 0: the server's");

    private static final Option<Integer> REPLICATION_FACTOR = Option.of(
                    "replication-factor", "N", Forms.integer(0, 100))
            .byDefault("0")
            .help(TABLES, "Citus: nodes that hold each shard", "0: the server's default.");

    private static final Option<String> WITH = Option.of("with", "PARAMETERS", Forms::parameters)
            .byDefault("")
            .help(
                    TABLES,
                    "Greenplum: storage parameters of a new table",
                    "For example appendonly=true,orientation=column,compresstype=zlib.");

    private static final Option<Optional<KeyType>> KEY_TYPE = Option.optional(
                    "key-type", "TYPE", Forms.choice(KeyType.class))
            .help(
                    TABLES,
                    "type of _id (the one that fits the input)",
                    "int, bigint, numeric, text, uuid or timestamptz.");

    private static final Option<Integer> JOBS = Option.of("jobs", "N", Forms.integer(1, 64))
            .letter("j")
            .byDefault("1")
            .help(TABLES, "connections that load rows");

    private static final Option<String> PRIMARY_KEY = Option.of(
                    "primary-key", "WHEN", Forms.choice(List.of("after", "before")))
            .byDefault("after")
            .help(TABLES, "create the primary key after or before loading");

    private static final Option<IfExists> IF_EXISTS = Option.of("if-exists", "WHAT", Forms.choice(IfExists.class))
            .byDefault("fail")
            .help(TABLES, "existing table: fail, append, truncate or drop");

    private static final Option<OnDuplicate> ON_DUPLICATE = Option.of(
                    "on-duplicate", "WHAT", Forms.choice(OnDuplicate.class))
            .byDefault("fail")
            .help(
                    TABLES,
                    "an _id that exists: fail, skip or replace",
                    "skip keeps the first document, replace the last. Both use a staging table, which is about twice the work.");

    static final Option<Long> MAX_REJECTS = Option.of("max-rejects", "N", Forms.whole(0, Long.MAX_VALUE))
            .byDefault("0")
            .help(REPORTS, "rejected documents tolerated", "More give exit code 4.");

    private static final Option<Path> REJECTS = Option.of("rejects", "DIR", Forms::path)
            .refusedIf(
                    o -> Files.isDirectory(o.get(ImportCommandOptions.REJECTS).toAbsolutePath())
                            ? ""
                            : o.get(ImportCommandOptions.REJECTS) + " does not exist or is not a directory")
            .help(REPORTS, "directory of rejected documents", "The default is the current directory.");

    private static final Option<Boolean> RESUME =
            Option.flag("resume").help(TABLES, "continue an import that was interrupted");

    private static final Option<Optional<String>> PROGRESS_SCHEMA = Option.optional(
                    "progress-schema", "SCHEMA", Forms::text)
            .help(
                    TABLES,
                    "schema of the tables that record the progress",
                    "It is created if missing. The default is stress_progress, or the search path of a role that may not create it.");

    private static final Option<Boolean> ATOMIC = Option.flag("atomic")
            .refusedIf(o -> o.get(ImportCommandOptions.ATOMIC) && o.get(ImportCommandOptions.RESUME)
                    ? "an import that ended early left nothing to --resume; omit one of them"
                    : "")
            .help(TABLES, "all or nothing: one transaction in one session");

    private static final Option<Boolean> VERIFY =
            Option.flag("verify").help(TABLES, "read the tables back and compare them");

    static final Option<Optional<Path>> JSON =
            Option.optional("json", "FILE", Forms::path).help(REPORTS, "summary as JSON; -: stdout");

    static final Option<Optional<Path>> JUNIT = Option.optional("junit", "FILE", Forms::path)
            .refusedIf(ImportCommandOptions::junit)
            .help(REPORTS, "JUnit XML: a test case per collection");

    private static String junit(Options o) {
        Optional<Path> file = o.get(ImportCommandOptions.JUNIT);
        if (file.equals(Optional.of(SummaryOutput.STDOUT))) {
            return "needs a file: stdout has the summary";
        }
        return file.isPresent() && file.equals(o.get(JSON)) ? "would replace the file of --json" : "";
    }

    static final Option<Boolean> QUIET = Option.flag("quiet").letter("q").help(REPORTS, "no progress");

    private static final Option<IndexMode> INDEXES = Option.of("indexes", "WHAT", Forms.choice(IndexMode.class))
            .byDefault("report")
            .help(TABLES, "indexes of the dump: none, report or create", "Of those created, --jobs at a time.");

    private static final List<Option<?>> OF_TABLES = List.of(
            KEY_TYPE,
            SHARDS,
            REPLICATION_FACTOR,
            WITH,
            JOBS,
            PRIMARY_KEY,
            IF_EXISTS,
            ON_DUPLICATE,
            ATOMIC,
            RESUME,
            PROGRESS_SCHEMA,
            VERIFY,
            INDEXES);

    private static final List<Option<?>> OF_INPUT =
            List.of(DATABASES, COLLECTIONS, INCLUDE, EXCLUDE, SYSTEM, RENAME, SCHEMA, ONE_TABLE);

    private static final List<Option<?>> OF_CONVERSION =
            List.of(EXTENDED_JSON, UUIDS, NUL, INVALID_UTF8, DUPLICATE_KEYS, MISSING_ID, MAX_DEPTH);

    private static final List<Option<?>> OF_SERVER = Option.join(
            List.of(URL), ServerOptions.ALL, List.of(ServerOptions.USER, ServerOptions.PASSWORD_COMMAND, TARGET));

    private static final List<Option<?>> OF_REPORTS = List.of(JSON, JUNIT, QUIET, Command.VERBOSE);

    /** All options, in the order of the help. */
    static final List<Option<?>> ALL =
            Option.join(OF_SERVER, OF_INPUT, OF_CONVERSION, OF_TABLES, List.of(MAX_REJECTS, REJECTS), OF_REPORTS);

    /** Those about the dump, the server and the conversion, which a comparison with the dump has too. */
    static final List<Option<?>> OF_DUMP =
            Option.join(OF_SERVER, OF_INPUT, OF_CONVERSION, List.of(MAX_REJECTS), OF_REPORTS);

    /** Those of a rehearsal, which imports too. */
    static final List<Option<?>> OF_REHEARSAL =
            List.of(DATABASES, EXCLUDE, SCHEMA, PROGRESS_SCHEMA, IF_EXISTS, JOBS, REJECTS);

    /** Those of a rehearsal that a comparison with the dump takes, too. */
    static final List<Option<?>> OF_DUMP_IN_REHEARSAL =
            OF_REHEARSAL.stream().filter(OF_DUMP::contains).toList();

    private ImportCommandOptions() {}

    /**
     * The options of the import of a rehearsal: everything is imported that can be, and compared, with its indexes.
     *
     * @param given texts of {@link #OF_REHEARSAL} by name
     * @param target the kind of server
     * @param isQuiet whether no progress is shown
     * @param resumes whether an import is continued that was interrupted
     */
    static Options ofRehearsal(
            Map<String, List<String>> given, String target, boolean isQuiet, boolean resumes, Problems problems) {
        Map<String, List<String>> texts = new LinkedHashMap<>(given);
        texts.put(TARGET.name(), List.of(target));
        texts.put(MAX_REJECTS.name(), List.of(Long.toString(Long.MAX_VALUE)));
        texts.put(INDEXES.name(), List.of("create"));
        texts.put(VERIFY.name(), List.of("true"));
        texts.put(QUIET.name(), List.of(Boolean.toString(isQuiet)));
        texts.put(RESUME.name(), List.of(Boolean.toString(resumes)));
        return Options.read(ALL, texts, Map.of(), problems);
    }

    /** The databases that are read; empty: all. */
    static List<String> databases(Options o) {
        return o.get(DATABASES);
    }

    /** The role, and how its password is found. */
    static Login login(Options o, PasswordPrompt prompt) {
        return new Login(
                o.get(ServerOptions.USER).orElse(""),
                o.get(ServerOptions.PASSWORD_COMMAND).orElse(""),
                prompt);
    }

    private static String table(Options o) {
        boolean twice =
                o.get(ONE_TABLE).filter(name -> !name.schema().isEmpty()).isPresent()
                        && o.get(SCHEMA).isPresent();
        return twice ? "names a schema, and so does --schema" : "";
    }

    /** The collections that are read. */
    static DumpFilter filter(Options o) {
        return new DumpFilter(o.get(DATABASES), o.get(COLLECTIONS), o.get(SYSTEM), o.get(INCLUDE), o.get(EXCLUDE));
    }

    /** The names of the tables. */
    static Naming naming(Options o) {
        return new Naming(
                o.get(RENAME), o.get(SCHEMA).orElse(""), o.get(ONE_TABLE).orElse(null));
    }

    /** How documents become JSON. */
    static JsonOptions documents(Options o) {
        return new JsonOptions(
                o.get(EXTENDED_JSON),
                o.get(NUL),
                o.get(INVALID_UTF8),
                o.get(DUPLICATE_KEYS),
                o.get(MAX_DEPTH),
                o.get(UUIDS));
    }

    /** Whether documents without an {@code _id} are given one. */
    static boolean generatesIds(Options o) {
        return o.get(MISSING_ID).equals(GENERATE);
    }

    /** The server; empty: the embedded one. */
    static List<Endpoint> server(Options o) {
        return o.get(URL).stream().toList();
    }

    /** The server's dialect, with the properties of new tables, if its cluster is complete. */
    static Dialect dialect(Connector connector, Options o) {
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            Dialect dialect = Target.dialect(o.get(TARGET), connector.endpoint(), connection);
            Cluster.check(connector, dialect);
            return o.has(SHARDS)
                    ? dialect.with(new TableOptions(o.get(SHARDS), o.get(REPLICATION_FACTOR), o.get(WITH)))
                    : dialect;
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--shards, --replication-factor: " + e.getMessage());
        } catch (SQLException e) {
            throw Target.unreachable(connector.endpoint(), e);
        }
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
                o.get(VERIFY));
        return new ImportOptions(
                documents(o),
                generatesIds(o),
                rules,
                o.get(JOBS),
                o.get(MAX_REJECTS),
                o.get(REJECTS).toAbsolutePath(),
                o.get(PROGRESS_SCHEMA).orElse(""),
                naming(o),
                o.get(INDEXES).step());
    }
}
