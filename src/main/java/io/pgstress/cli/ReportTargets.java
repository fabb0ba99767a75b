package io.pgstress.cli;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.AtomicFile;
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

    private final List<Target> files = new ArrayList<>();
    private final boolean isVerbose;
    private @Nullable ReportFormat onStdout;

    private record Target(ReportFormat format, AtomicFile file) {
        /** Writes one file, or numbered files if the format holds only one result. */
        void write(List<? extends Result> results) throws IOException {
            if (results.size() == 1 || format.takesSeveral()) {
                file.write(out -> format.write(results, out));
                return;
            }
            for (int i = 0; i < results.size(); i++) {
                List<? extends Result> one = results.subList(i, i + 1);
                file.numbered(i + 1).write(out -> format.write(one, out));
            }
        }
    }

    /** @param options include {@link ReportOptions#FILES} */
    public ReportTargets(Options options, Problems problems) {
        isVerbose = options.get(ReportOptions.VERBOSE);
        ReportOptions.FILES.forEach(
                (format, option) -> options.get(option).ifPresent(path -> add(format, path, problems)));
    }

    private void add(ReportFormat format, Path path, Problems problems) {
        if (path.equals(STDOUT)) {
            if (onStdout != null) {
                problems.add(format.name(), "stdout is already used by --" + onStdout.name());
            }
            onStdout = format;
            return;
        }
        Target added = new Target(format, new AtomicFile(path));
        for (Target other : files) {
            if (other.file.path().equals(added.file.path())) {
                problems.add(format.name(), other.file.path() + " is already used by --" + other.format.name());
            }
        }
        files.add(added);
    }

    /** Rejects a report that would overwrite its input. */
    public void checkInput(Path input, Problems problems) {
        for (Target target : files) {
            if (target.file.path().equals(input.toAbsolutePath().normalize())) {
                problems.add(target.format.name(), input + " is the input of the report");
            }
        }
    }

    /** Rejects formats that hold only one result. */
    public void checkSeveral(Problems problems) {
        formats()
                .filter(format -> !format.takesSeveral())
                .forEach(format -> problems.add(format.name(), "can hold only one result; merge several with --merge"));
    }

    /** Rejects a format on stdout that holds only one result. Files are no problem: there is one per result. */
    void checkSeveralOnStdout(Problems problems) {
        if (onStdout != null && !onStdout.takesSeveral()) {
            problems.add(onStdout.name(), "stdout can hold only one result; a file name gets a number for each result");
        }
    }

    /** Rejects formats for runs only. */
    void checkNoRuns(Problems problems) {
        formats()
                .filter(ReportFormat::takesRunsOnly)
                .forEach(format -> problems.add(format.name(), "can only show runs"));
    }

    private Stream<ReportFormat> formats() {
        return Stream.concat(files.stream().map(Target::format), Stream.ofNullable(onStdout));
    }

    /** Ensures that every file can be written. */
    public void touch() throws IOException {
        for (Target target : files) {
            target.file.touch();
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
        for (Target target : files) {
            try {
                target.write(results);
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
