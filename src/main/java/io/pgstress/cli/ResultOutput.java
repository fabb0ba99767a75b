package io.pgstress.cli;

import io.pgstress.report.file.History;
import io.pgstress.result.Result;
import io.pgstress.target.embedded.DataHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Where findings go: the reports' files, stdout, and what is kept for {@code stress report}. Not thread-safe. */
final class ResultOutput {
    private final ReportTargets targets = new ReportTargets();
    private boolean save;
    private String directory = "";

    void addTo(ArgGroupSpec.Builder group) {
        targets.addTo(group);
        addKeepingTo(group);
    }

    private static void addKeepingTo(ArgGroupSpec.Builder group) {
        group.addArg(ReportTargets.flag("Keeps the result for 'stress report'.", "--save"));
        group.addArg(
                ReportTargets.value("--dir", "DIR", "Where results are kept. Default: the user's data directory."));
    }

    /** Adds its group of options to a command that finds something other than runs and shows its progress in lines. */
    void addTo(CommandSpec command, ArgGroupSpec.Builder group) {
        targets.addForNoRunsTo(group);
        addKeepingTo(group);
        group.addArg(ReportTargets.flag("Shows no progress.", "-q", "--quiet"));
        group.addArg(ReportTargets.flag(
                "Shows details too: settings, waits, statements, plans; and where an error came from.", "--verbose"));
        command.addArgGroup(group.build());
    }

    /** A group of options, none of them needed. */
    static ArgGroupSpec.Builder group(String heading) {
        return ArgGroupSpec.builder().validate(false).multiplicity("0..1").heading("%n" + heading + ":%n");
    }

    /** Reads what was given; what makes no sense goes to {@code problems}. */
    void read(ParseResult parsed, List<String> problems) {
        targets.read(parsed, problems);
        directory = parsed.matchedOptionValue("--dir", "");
        save = parsed.matchedOptionValue("--save", false) || !directory.isEmpty();
    }

    /** Reads what was given for findings that are no runs. */
    void readForNoRuns(ParseResult parsed, List<String> problems) {
        read(parsed, problems);
        targets.checkNoRuns(problems);
    }

    /** Notes the format on stdout that cannot hold several findings. */
    void checkSeveralOnStdout(List<String> problems) {
        targets.checkSeveralOnStdout(problems);
    }

    /** Makes sure that every file can be written. */
    void prepare() throws IOException {
        targets.touch();
        if (save) {
            history(directory).prepare();
        }
    }

    /** Writes findings everywhere they were asked to be, and keeps them even where one of the places fails. */
    void write(List<? extends Result> findings, Streams streams) throws IOException {
        try {
            targets.writeFiles(findings);
        } finally {
            try {
                keep(findings, streams);
            } finally {
                targets.show(findings, streams);
            }
        }
    }

    private void keep(List<? extends Result> findings, Streams streams) throws IOException {
        if (save) {
            for (Result finding : findings) {
                streams.err().println("stress: kept as " + history(directory).save(finding));
            }
        }
    }

    /** The results kept in this directory, or in the user's own where it is empty. */
    static History history(String directory) {
        return new History(directory.isEmpty() ? DataHome.of(System.getenv()).resolve("runs") : Path.of(directory));
    }
}
