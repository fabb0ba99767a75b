package io.pgstress.cli;

import io.pgstress.report.Reports;
import io.pgstress.report.file.ReportFile;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The files that reports go into, an option a format, and what goes to stdout. Not thread-safe. */
final class ReportTargets {
    private static final String STDOUT = "-";

    private final List<ReportFile> files = new ArrayList<>();
    private ReportWriter onStdout = Reports.CONSOLE;
    private boolean isVerbose;

    /** Adds an option for every format. */
    void addTo(ArgGroupSpec.Builder group) {
        addTo(group, writer -> false);
    }

    /** Adds the same for what is no run: formats of runs only are known, to be refused in words, and not listed. */
    void addForNoRunsTo(ArgGroupSpec.Builder group) {
        addTo(group, ReportWriter::takesRunsOnly);
    }

    private static void addTo(ArgGroupSpec.Builder group, Predicate<ReportWriter> isHidden) {
        for (ReportWriter writer : Reports.FILES) {
            group.addArg(value("--" + writer.name(), "FILE", writer.description() + " - is stdout.").toBuilder()
                    .hidden(isHidden.test(writer))
                    .build());
        }
    }

    static OptionSpec value(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    /** Reads what was given; what makes no sense goes to {@code problems}. */
    void read(ParseResult parsed, List<String> problems) {
        isVerbose = parsed.matchedOptionValue("--verbose", false);
        for (ReportWriter writer : Reports.FILES) {
            String file = parsed.matchedOptionValue("--" + writer.name(), "");
            if (file.equals(STDOUT)) {
                if (onStdout != Reports.CONSOLE) {
                    problems.add("--" + writer.name() + ": stdout is taken by --" + onStdout.name());
                }
                onStdout = writer;
            } else if (!file.isEmpty()) {
                add(new ReportFile(writer, Path.of(file)), problems);
            }
        }
    }

    private void add(ReportFile file, List<String> problems) {
        for (ReportFile other : files) {
            if (other.path().equals(file.path())) {
                problems.add("--" + file.writer().name() + ": " + file.path() + " is taken by --"
                        + other.writer().name());
            }
        }
        files.add(file);
    }

    /** Notes the reports that would take the place of a file that is read. */
    void checkInput(Path input, List<String> problems) {
        for (ReportFile file : files) {
            if (file.path().equals(input.toAbsolutePath().normalize())) {
                problems.add("--" + file.writer().name() + ": " + input + " is what the report is made of");
            }
        }
    }

    /** Notes the formats that cannot hold several results. */
    void checkSeveral(List<String> problems) {
        writers().stream()
                .filter(w -> !w.takesSeveral())
                .forEach(w -> problems.add("--" + w.name() + ": holds one result; --merge makes one of several"));
    }

    /** Notes the format on stdout that cannot hold several findings; a file there is one for each. */
    void checkSeveralOnStdout(List<String> problems) {
        if (!onStdout.takesSeveral()) {
            problems.add("--" + onStdout.name() + ": stdout holds one result; a file's name gets a number for each");
        }
    }

    /** Makes sure that every file can be written. */
    void touch() throws IOException {
        for (ReportFile file : files) {
            file.touch();
        }
    }

    /** Notes the formats that do not know how to write one of these. */
    void check(List<? extends Result> findings, List<String> problems) {
        for (ReportWriter writer : writers()) {
            if (!findings.stream().allMatch(writer::takes)) {
                problems.add("--" + writer.name() + ": knows how to write runs only");
            }
        }
    }

    /** Notes the formats that know how to write runs only, where something else is to be found. */
    void checkNoRuns(List<String> problems) {
        writers().stream()
                .filter(ReportWriter::takesRunsOnly)
                .forEach(w -> problems.add("--" + w.name() + ": knows how to write runs only"));
    }

    private List<ReportWriter> writers() {
        List<ReportWriter> writers =
                new ArrayList<>(files.stream().map(ReportFile::writer).toList());
        writers.add(onStdout);
        return writers;
    }

    /** What holds one finding only is a file for each, numbered in their order. */
    private static void write(ReportFile file, List<? extends Result> findings) throws IOException {
        if (findings.size() == 1 || file.writer().takesSeveral()) {
            file.write(findings);
            return;
        }
        for (int i = 0; i < findings.size(); i++) {
            file.numbered(i + 1).write(List.of(findings.get(i)));
        }
    }

    /** Writes the results everywhere they were asked to be, stdout last. */
    void write(List<? extends Result> results, Streams streams) throws IOException {
        try {
            writeFiles(results);
        } finally {
            show(results, streams);
        }
    }

    /** Writes the results to stdout. The last line on a terminal is the result: where stdout has another format, on stderr. */
    void show(List<? extends Result> results, Streams streams) throws IOException {
        if (onStdout == Reports.CONSOLE) {
            (isVerbose ? Reports.VERBOSE : Reports.CONSOLE).write(results, streams.out());
            return;
        }
        onStdout.write(results, streams.out());
        results.forEach(result -> streams.err().println(ResultLine.of(result)));
    }

    /** Writes the files, as far as it can be where one of them fails. */
    void writeFiles(List<? extends Result> results) throws IOException {
        IOException failure = null;
        for (ReportFile file : files) {
            try {
                write(file, results);
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
