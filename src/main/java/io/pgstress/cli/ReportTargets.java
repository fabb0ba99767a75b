package io.pgstress.cli;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.ReportFile;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.text.ConsoleReport;
import io.pgstress.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The requested reports: files, one option per format, and stdout. Not thread-safe. */
public final class ReportTargets {
    private static final Path STDOUT = Path.of("-");

    private final List<ReportFile> files = new ArrayList<>();
    private final boolean isVerbose;
    private @Nullable ReportFormat onStdout;

    /** @param options include {@link ReportOptions#FILES} */
    public ReportTargets(Options options, Problems problems) {
        isVerbose = options.get(ReportOptions.VERBOSE);
        ReportOptions.FILES.forEach(
                (format, option) -> options.get(option).ifPresent(path -> add(format, path, problems)));
    }

    private void add(ReportFormat format, Path path, Problems problems) {
        if (!path.equals(STDOUT)) {
            add(new ReportFile(format, path), problems);
            return;
        }
        if (onStdout != null) {
            problems.add(format.name(), "stdout is already used by --" + onStdout.name());
        }
        onStdout = format;
    }

    private void add(ReportFile file, Problems problems) {
        for (ReportFile other : files) {
            if (other.path().equals(file.path())) {
                problems.add(
                        file.format().name(),
                        file.path() + " is already used by --" + other.format().name());
            }
        }
        files.add(file);
    }

    /** Rejects a report that would overwrite its input. */
    public void checkInput(Path input, Problems problems) {
        for (ReportFile file : files) {
            if (file.path().equals(input.toAbsolutePath().normalize())) {
                problems.add(file.format().name(), input + " is the input of the report");
            }
        }
    }

    /** Rejects formats that hold only one result. */
    public void checkSeveral(Problems problems) {
        formats().stream()
                .filter(w -> !w.takesSeveral())
                .forEach(w -> problems.add(w.name(), "can hold only one result; merge several with --merge"));
    }

    /** Rejects a format on stdout that holds only one result. Files are no problem: there is one per result. */
    void checkSeveralOnStdout(Problems problems) {
        if (onStdout != null && !onStdout.takesSeveral()) {
            problems.add(onStdout.name(), "stdout can hold only one result; a file name gets a number for each result");
        }
    }

    /** Ensures that every file can be written. */
    public void touch() throws IOException {
        for (ReportFile file : files) {
            file.touch();
        }
    }

    /** Rejects formats that cannot show these results. */
    public void check(List<? extends Result> findings, Problems problems) {
        for (ReportFormat format : formats()) {
            if (!findings.stream().allMatch(format::takes)) {
                problems.add(format.name(), "can only show runs");
            }
        }
    }

    /** Rejects formats for runs only. */
    void checkNoRuns(Problems problems) {
        formats().stream()
                .filter(ReportFormat::takesRunsOnly)
                .forEach(w -> problems.add(w.name(), "can only show runs"));
    }

    private List<ReportFormat> formats() {
        return Stream.concat(files.stream().map(ReportFile::format), Stream.ofNullable(onStdout))
                .toList();
    }

    /** Writes one file, or numbered files if the format holds only one result. */
    private static void write(ReportFile file, List<? extends Result> findings) throws IOException {
        if (findings.size() == 1 || file.format().takesSeveral()) {
            file.write(findings);
            return;
        }
        for (int i = 0; i < findings.size(); i++) {
            file.numbered(i + 1).write(List.of(findings.get(i)));
        }
    }

    /** Writes every report, stdout last. */
    public void write(List<? extends Result> results, Streams streams) throws IOException {
        try {
            writeFiles(results);
        } finally {
            show(results, streams);
        }
    }

    /** Writes the results to stdout. If that has another format, stderr gets one line per result, the last of the command. */
    private void show(List<? extends Result> results, Streams streams) throws IOException {
        if (onStdout == null) {
            new ConsoleReport(isVerbose, streams.onOut(), streams.columns().getAsInt()).write(results, streams.out());
            return;
        }
        onStdout.write(results, streams.out());
        results.forEach(result -> streams.err().println(ResultLine.of(result, streams.onErr())));
    }

    /** Writes the files; if one fails, the others are still written. */
    private void writeFiles(List<? extends Result> results) throws IOException {
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
