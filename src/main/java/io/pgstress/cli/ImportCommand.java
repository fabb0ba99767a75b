package io.pgstress.cli;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.json.DuplicateKeyPolicy;
import io.pgstress.bson.json.ExtendedJson;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.text.NulPolicy;
import io.pgstress.bson.text.Utf8Policy;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.table.TableRules;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.TableOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stress import}: a mongodump into tables. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Imports what mongodump wrote into tables (_id, data jsonb), one a collection.")
final class ImportCommand implements Callable<Integer> {
    private final Streams streams;

    @Parameters(
            paramLabel = "DUMP",
            description = "A dump's directory, a .bson or .bson.gz file, an archive, or - for standard input.")
    private String dump = "";

    @Option(names = "--url", paramLabel = "JDBC_URL", description = "Server; without it the embedded one.")
    private @Nullable String url;

    @Option(
            names = {"-U", "--user"},
            paramLabel = "NAME",
            description = "Role.")
    private String user = "";

    @Option(names = "--target", paramLabel = "KIND", description = "Kind of server; auto asks it.")
    private String target = Dialects.AUTO;

    @Option(names = "--shards", paramLabel = "N", description = "Citus: shards of a new table. Default: the server's.")
    private int shards;

    @Option(
            names = "--replication-factor",
            paramLabel = "N",
            description = "Citus: nodes that hold each shard of a new table. Default: the server's.")
    private int replicationFactor;

    @Option(
            names = "--db",
            paramLabel = "GLOB",
            description = "Only these databases; may be repeated. Of a single file or stream: its name.")
    private List<String> databases = new ArrayList<>();

    @Option(
            names = "--collection",
            paramLabel = "GLOB",
            description = "Only these collections; may be repeated. Of a single file or stream: its name.")
    private List<String> collections = new ArrayList<>();

    @Option(names = "--system", description = "System collections, the oplog and views too.")
    private boolean system;

    @Option(names = "--extended-json", description = "relaxed or canonical. Default: relaxed.")
    private ExtendedJson extendedJson = ExtendedJson.RELAXED;

    @Option(names = "--nul", description = "U+0000 in strings: reject, strip or replace. Default: reject.")
    private NulPolicy nul = NulPolicy.REJECT;

    @Option(names = "--invalid-utf8", description = "Bytes that are not UTF-8: reject or replace. Default: reject.")
    private Utf8Policy utf8 = Utf8Policy.REJECT;

    @Option(names = "--duplicate-keys", description = "Keys twice in a document: keep_last or reject.")
    private DuplicateKeyPolicy duplicateKeys = DuplicateKeyPolicy.KEEP_LAST;

    @Option(names = "--max-depth", paramLabel = "N", description = "Deepest nesting. Default: ${DEFAULT-VALUE}.")
    private int maxDepth = JsonOptions.DEFAULT_MAX_DEPTH;

    @Option(names = "--key-type", description = "Type of _id: int, bigint, numeric, text, uuid, timestamptz.")
    private @Nullable KeyType keyType;

    @Option(
            names = {"-j", "--jobs"},
            paramLabel = "N",
            description = "Connections that load. Default: ${DEFAULT-VALUE}.")
    private int jobs = 1;

    @Option(names = "--primary-key", paramLabel = "WHEN", description = "after (default) or before the rows.")
    private String primaryKey = "after";

    @Option(names = "--if-exists", description = "fail, append, truncate or drop. Default: fail.")
    private IfExists ifExists = IfExists.FAIL;

    @Option(
            names = "--on-duplicate",
            description =
                    "An _id that was there: fail, skip (the first stays), replace (the last stays); the latter two"
                            + " go through a staging table, about twice the work. Default: fail.")
    private OnDuplicate onDuplicate = OnDuplicate.FAIL;

    @Option(names = "--max-rejects", paramLabel = "N", description = "Rejects above this end with 4. Default: 0.")
    private long maxRejects;

    @Option(names = "--rejects", paramLabel = "DIR", description = "Where rejected documents go. Default: here.")
    private Path rejects = Path.of("");

    @Option(names = "--resume", description = "Carry on an import that was cut off.")
    private boolean resume;

    @Option(
            names = "--atomic",
            description = "All of it or nothing: loads into tables beside, which take their places at the end.")
    private boolean atomic;

    @Option(names = "--verify", description = "Reads the tables back and compares them with the input.")
    private boolean verify;

    @Option(names = "--json", paramLabel = "FILE", description = "The summary as JSON; - is stdout.")
    private @Nullable String json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Shows no progress.")
    private boolean quiet;

    @Option(names = "--verbose", description = "Shows where an error came from.")
    @SuppressWarnings("UnusedVariable") // Main looks for it, before the command line is parsed
    private boolean verbose;

    ImportCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws Exception {
        check();
        JsonOptions documents = new JsonOptions(extendedJson, nul, utf8, duplicateKeys, maxDepth);
        TableRules rules =
                new TableRules(keyType, primaryKey.equals("after"), ifExists, onDuplicate, resume, atomic, verify);
        ImportOptions how = new ImportOptions(documents, rules, jobs, maxRejects, rejects.toAbsolutePath());
        ImportRun run = new ImportRun(
                dump,
                new DumpFilter(databases, collections, system),
                url,
                user,
                target,
                new TableOptions(shards, replicationFactor),
                how,
                json,
                quiet);
        return run.run(streams);
    }

    private void check() {
        List<String> problems = new ArrayList<>();
        if (shards < 0 || shards > 64_000 || replicationFactor < 0 || replicationFactor > 100) {
            problems.add("--shards, --replication-factor: must be 1 to 64000 and 1 to 100, were " + shards + " and "
                    + replicationFactor);
        }
        if (!Dialects.names().contains(target)) {
            problems.add("--target: must be one of " + String.join(", ", Dialects.names()) + ", was '" + target + "'");
        }
        if (jobs < 1 || jobs > 64) {
            problems.add("--jobs: must be 1 to 64, was " + jobs);
        }
        if (!primaryKey.equals("after") && !primaryKey.equals("before")) {
            problems.add("--primary-key: must be after or before, was '" + primaryKey + "'");
        }
        if (maxDepth < 1 || maxDepth > JsonOptions.LARGEST_MAX_DEPTH) {
            problems.add("--max-depth: must be 1 to " + JsonOptions.LARGEST_MAX_DEPTH + ", was " + maxDepth);
        }
        if (maxRejects < 0) {
            problems.add("--max-rejects: must be 0 or more, was " + maxRejects);
        }
        if (!Files.isDirectory(rejects.toAbsolutePath())) {
            problems.add("--rejects: " + rejects + " is no directory");
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
    }
}
