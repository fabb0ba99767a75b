package io.pgstress.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The subcommands, in the order of the help. */
enum Subcommand {
    REHEARSE(
            "whether a MongoDB application will run on PostgreSQL",
            "Imports a dump of mongodump, runs the operations of its profile at their rate and at higher ones, and answers go, go with"
                    + " remarks or no go, with the reasons. Takes the options of a run too (stress --help-all)."
                    + " See docs/suggest.md."),
    COMPARE(
            "which variant is faster, and how certain that is",
            "Compares variants of a run in short interleaved blocks, and reports which is faster and how certain that"
                    + " is. Takes the options of a run too (stress --help-all). See docs/comparisons.md."),
    TUNE(
            "how many clients reach the best throughput",
            "Increases the number of clients step by step, measures the steps around the knee again, and reports the"
                    + " knee: the fewest clients that reach 97% of the best throughput, if the confidence intervals"
                    + " settle where it is. With --limit, searches for the highest rate that keeps a limit instead. Takes the options of a"
                    + " run too (stress --help-all), except --clients."),
    IMPORT(
            "loads a dump of mongodump into tables",
            "Imports a dump of mongodump into tables (_id, data jsonb), one per collection."),
    DIFF(
            "compares tables with the documents of a dump",
            "Compares tables with the documents of a dump at any later time, and names the documents and rows that"
                    + " differ, and where. See docs/diff.md."),
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
            "Waits on this host for commands with --agents, and runs their load from here, one test after another."),
    SETTINGS(
            "restores what --alter-system changed",
            "Restores the settings that --alter-system changed, if the run was killed before it could."),
    BASELINE(
            "how much load this machine can generate at most",
            "Measures how many operations per second the clients of this machine can do at most, against a server that answers"
                    + " at once, and keeps the result: later reports say how near the load generator was to this ceiling."
                    + " Takes the options of a run too (stress --help-all)."),
    OPERATIONS(
            "lists the operations with their options and SQL",
            "Lists the operations for --op, and shows the options of those that are named and the SQL that they send."),
    REPORT(
            "writes reports of earlier results",
            "Writes reports of earlier results. Several results are shown side by side, or merged into one with"
                    + " --merge."),
    COMPLETION(
            "prints a completion script for bash and zsh",
            "Prints a script that makes bash or zsh complete commands, options and their values. See docs/installing.md."),
    TRAIN(
            "records a start-up cache",
            "Runs each kind of work briefly, so that a JVM with -XX:AOTCacheOutput records a start-up cache.");

    private final String brief;
    private final String description;

    Subcommand(String brief, String description) {
        this.brief = brief;
        this.description = description;
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

    /** Whether the help leaves it out, because only scripts call it. */
    boolean isHidden() {
        return this == TRAIN;
    }
}
