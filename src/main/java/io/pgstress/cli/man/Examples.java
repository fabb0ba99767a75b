package io.pgstress.cli.man;

import java.util.List;
import java.util.Map;

/** Examples of command lines. */
final class Examples {
    /** What a command line is for, and the line. */
    record Example(String purpose, String line) {
        /** The line, continued before an option on further lines if it is long. */
        String lines() {
            StringBuilder lines = new StringBuilder();
            int length = 0;
            for (String part : line.split(" (?=-)", -1)) {
                boolean fits = length == 0 || length + 1 + part.length() <= MAX_LINE;
                lines.append(length == 0 ? "" : fits ? " " : " \\\n    ").append(part);
                length = part.length() + (fits ? length + 1 : INDENT);
            }
            return lines.toString();
        }
    }

    /** Characters that fit into a terminal beside the margins of the page. */
    private static final int MAX_LINE = 62;

    private static final int INDENT = 4;

    private static final Map<String, List<Example>> BY_COMMAND = Map.ofEntries(
            Map.entry(
                    "",
                    List.of(
                            new Example(
                                    "Read random rows of the sample data on an embedded server, with 80 clients",
                                    "stress --op find_first --threads 80"),
                            new Example(
                                    "Run a mix of reads and updates on a table for a minute, and write an HTML page",
                                    "stress --url jdbc:postgresql://db1/shop --table orders --op find_first:3,find_update:1 -T 60 --html run.html"),
                            new Example(
                                    "Send 5000 operations per second whatever the latency, and fail if p99 exceeds 5 ms",
                                    "stress --url jdbc:postgresql://db1/shop --table orders --rate 5000 --fail-if 'p99>5ms'"))),
            Map.entry(
                    "compare",
                    List.of(
                            new Example(
                                    "Compare the three ways to send statements",
                                    "stress compare --vary statement=prepared,extended,plain"),
                            new Example(
                                    "See how long a scenario would take, and which differences it could find",
                                    "stress compare config/02-pools.yaml --dry-run"))),
            Map.entry(
                    "tune",
                    List.of(new Example(
                            "Find the fewest clients that reach the best throughput",
                            "stress tune --url jdbc:postgresql://db1/shop --table orders"))),
            Map.entry(
                    "import",
                    List.of(new Example(
                            "Import one database of a dump over four connections",
                            "stress import dump --db shop --url jdbc:postgresql://db1/shop --jobs 4"))),
            Map.entry(
                    "diff",
                    List.of(new Example(
                            "Compare a tenth of the documents with the tables",
                            "stress diff dump --url jdbc:postgresql://db1/shop --sample 10%"))),
            Map.entry(
                    "generate",
                    List.of(new Example(
                            "Write a dump of 100,000 documents of about 3 KiB",
                            "stress generate dump --shape large --count 100000"))),
            Map.entry(
                    "explain",
                    List.of(new Example(
                            "See which shards the operations of a run would use",
                            "stress explain --url jdbc:postgresql://coordinator/shop --table orders --verbose"))),
            Map.entry(
                    "suggest",
                    List.of(new Example(
                            "Write operations like those of a dump's profile to a file",
                            "stress suggest dump --output operations.yaml"))),
            Map.entry(
                    "agent",
                    List.of(
                            new Example(
                                    "Wait for work on this host",
                                    "stress agent --listen 10.0.0.5 --tls-keystore host.p12 --tls-truststore truststore.p12 --tls-password-file password"))),
            Map.entry(
                    "agent keys",
                    List.of(new Example(
                            "Create the certificates of three hosts",
                            "stress agent keys keys --hosts 10.0.0.4,10.0.0.5,10.0.0.6"))),
            Map.entry(
                    "settings",
                    List.of(new Example("Restore what a killed run has changed", "stress settings restore"))),
            Map.entry(
                    "report",
                    List.of(
                            new Example("List the saved results", "stress report --list"),
                            new Example("Write the page of the last one", "stress report last --html run.html"))),
            Map.entry(
                    "completion",
                    List.of(new Example(
                            "Install the script for bash",
                            "stress completion bash >~/.local/share/bash-completion/completions/stress"))),
            Map.entry(
                    "operations",
                    List.of(new Example("See the options and the SQL of an operation", "stress operations find_in"))),
            Map.entry(
                    "man",
                    List.of(new Example("Install the pages for one user", "stress man ~/.local/share/man/man1"))));

    private Examples() {}

    /** Those of a command, by its path. */
    static List<Example> of(String path) {
        return BY_COMMAND.getOrDefault(path, List.of());
    }
}
