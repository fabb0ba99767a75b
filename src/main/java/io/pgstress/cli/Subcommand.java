package io.pgstress.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The subcommands, in the order of the help. */
enum Subcommand {
    REHEARSE(
            "whether a MongoDB application will run on PostgreSQL",
            "Imports a dump of mongodump, runs the operations of its profile at their rate and at higher ones, and answers go, go with"
                    + " remarks or no go, with the reasons.",
            "Takes the options of a run too (stress --help-all). See docs/suggest.md.",
            List.of(
                    "stress rehearse dump --schema rehearsal --html rehearsal.html",
                    "stress rehearse dump --url \"$URL\" --rate 500 --limit 'p99<20ms'",
                    "stress rehearse dump --url \"$URL\" --layout  # also how to store documents"),
            List.of("url", "dbname", "schema", "db", "if-exists", "rate", "limit", "layout", "resume", "html")),
    COMPARE(
            "which variant is faster, and how certain that is",
            "Compares variants of a run in short interleaved blocks, and reports which is faster and how certain that"
                    + " is.",
            "Takes the options of a run too (stress --help-all). See docs/comparisons.md.",
            List.of(
                    "stress compare --vary statement=plain,prepared",
                    "stress compare --vary clients=8,16,32 --op find_update --rounds 20",
                    "stress compare --baseline earlier.json --fail-if 'p99>+20%'"),
            List.of("vary", "url", "table", "op", "clients", "duration", "rounds", "baseline", "fail-if", "html")),
    TUNE(
            "how many clients reach the best throughput",
            "Increases the number of clients step by step, and reports the knee: the fewest clients that reach 97% of the best"
                    + " throughput. With --limit, searches for the highest rate that keeps a limit instead.",
            "The steps around the knee are measured again until the confidence intervals settle where it is, if they do. Takes the options"
                    + " of a run too (stress --help-all), except --clients.",
            List.of(
                    "stress tune --op find_update",
                    "stress tune --url \"$URL\" --table orders --max-clients 256",
                    "stress tune --limit 'p99<10ms'  # the highest rate that keeps it"),
            List.of("url", "table", "op", "max-clients", "repeat-limit", "limit", "duration", "html", "json", "quiet")),
    IMPORT(
            "loads a dump of mongodump into tables",
            "Imports a dump of mongodump into tables (_id, data jsonb), one per collection.",
            "",
            List.of(
                    "stress import dump -d shop",
                    "stress import shop.archive.gz --url \"$URL\" --schema shop --jobs 4",
                    "stress import dump --url \"$URL\" --indexes create --verify"),
            List.of("url", "host", "dbname", "db", "collection", "schema", "if-exists", "jobs", "indexes", "verify")),
    DIFF(
            "compares tables with the documents of a dump",
            "Compares tables with the documents of a dump at any later time, and names the documents and rows that"
                    + " differ, and where.",
            "See docs/diff.md.",
            List.of(
                    "stress diff dump -d shop",
                    "stress diff dump --url \"$URL\" --schema shop --sample 5%",
                    "stress diff dump --url \"$URL\" --collection orders --json differences.json"),
            List.of("url", "host", "dbname", "db", "collection", "schema", "table", "sample", "limit", "json")),
    GENERATE("writes a sample dump", "Writes a dump in mongodump's layout; the same seed gives the same dump."),
    EXPLAIN(
            "where the server sends the statements of operations",
            "Shows what the server will do with the statements of operations: how many shards or nodes they touch,"
                    + " with which plan and which kind of commit. Creates missing tables and changes nothing else. Takes"
                    + " the options of a run too (stress --help-all). Without --op, it explains all find operations."),
    SUGGEST(
            "writes operations that resemble those of production",
            "Writes operations that resemble those of production, for --operations: from the profile in a dump of"
                    + " mongodump, or else from its indexes."),
    AGENT(
            "runs the load of commands with --agents from this host",
            "Waits on this host for commands with --agents, and runs their load from here, one test after another.",
            "",
            List.of(
                    "stress agent --listen 10.0.0.5 --insecure      # on each load generator host",
                    "stress --agents 2 --join 10.0.0.5,10.0.0.6 --listen 10.0.0.4 --insecure",
                    "stress agent keys --help                       # for TLS"),
            List.of("name", "listen", "join", "tls-keystore", "tls-truststore", "tls-password-file", "insecure")),
    SETTINGS(
            "restores what --alter-system changed",
            "Restores the settings that --alter-system changed, if the run was killed before it could."),
    BASELINE(
            "how much load this machine can generate at most",
            "Measures how many operations per second the clients of this machine can do at most, against a server that answers"
                    + " at once, and keeps the result: later reports say how near the load generator was to this ceiling.",
            "Takes the options of a run too (stress --help-all).",
            List.of(
                    "stress baseline",
                    "stress baseline --clients 64 --op find_update",
                    "stress baseline --serve 5999  # only the server, for other clients"),
            List.of("op", "clients", "duration", "statement", "pool", "serve", "serve-others", "agents", "verbose")),
    OPERATIONS(
            "lists the operations with their options and SQL",
            "Lists the operations for --op, and shows the options of those that are named and the SQL that they send."),
    REPORT(
            "writes reports of earlier results",
            "Writes reports of earlier results. Several results are shown side by side, or merged into one with"
                    + " --merge.",
            "",
            List.of(
                    "stress report last",
                    "stress report run.json --html run.html",
                    "stress report one.json two.json  # side by side"),
            List.of("list", "merge", "fail-if", "html", "markdown", "json", "csv", "junit", "dir", "verbose")),
    COMPLETION(
            "prints a completion script for bash and zsh",
            "Prints a script that makes bash or zsh complete commands, options and their values. See docs/installing.md."),
    TRAIN(
            "records a start-up cache",
            "Runs each kind of work briefly, so that a JVM with -XX:AOTCacheOutput records a start-up cache.");

    private final String brief;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // a record of copied lists
    private final @Nullable FirstScreen firstScreen;

    /** A command whose help is short. */
    Subcommand(String brief, String description) {
        this.brief = brief;
        this.description = description;
        this.firstScreen = null;
    }

    /**
     * A command with many options.
     *
     * @param does what it does
     * @param further what only the help with all options says
     * @param used the names of the most used options
     */
    Subcommand(String brief, String does, String further, List<String> examples, List<String> used) {
        this.brief = brief;
        this.description = further.isEmpty() ? does : does + " " + further;
        this.firstScreen = new FirstScreen(does, examples, used);
    }

    /** The name on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By name, what each command that the help lists is for. */
    static Map<String, String> briefs() {
        Map<String, String> briefs = new LinkedHashMap<>();
        Stream.of(values()).filter(each -> !each.isHidden()).forEach(each -> briefs.put(each.label(), each.brief));
        return briefs;
    }

    String description() {
        return description;
    }

    /** What its help shows first; null if the whole help is short. */
    @Nullable
    FirstScreen firstScreen() {
        return firstScreen;
    }

    /** Whether the help leaves it out, because only scripts call it. */
    boolean isHidden() {
        return this == TRAIN;
    }
}
