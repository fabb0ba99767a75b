package io.pgstress.cli;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.Reports;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.report.file.History;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.text.ConsoleReport;
import io.pgstress.result.Result;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where results go: files of reports, one option per format, stdout, and the directory of saved results. Not thread-safe.
 */
public final class ResultOutput {
    private final List<ReportFile> files = new ArrayList<>();
    private final boolean isVerbose;
    private final boolean isQuiet;
    private final Optional<History> saved;
    private final Optional<Path> csv;
    private @Nullable ReportFormat onStdout;

    /** Files that are complete, as the user named them. */
    private final Set<String> written = new LinkedHashSet<>();

    /**
     * A file of a report.
     *
     * @param option the name of the option that asks for it
     * @param typed the file as the user named it
     */
    private record ReportFile(String option, ReportFormat format, Path typed) {
        AtomicFile file() {
            return new AtomicFile(typed);
        }

        /** Writes one file, or numbered files if the format holds only one result. Returns their names. */
        List<String> write(List<? extends Result> results) throws IOException {
            if (results.size() == 1 || format.takesSeveral()) {
                file().write(out -> format.write(results, out));
                return List.of(typed.toString());
            }
            List<String> names = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                List<? extends Result> one = results.subList(i, i + 1);
                AtomicFile numbered = file().numbered(i + 1);
                numbered.write(out -> format.write(one, out));
                names.add(typed.resolveSibling(String.valueOf(numbered.path().getFileName()))
                        .toString());
            }
            return names;
        }
    }

    /** @param options include {@link ReportOptions#FILES}; results are saved if {@link ReportOptions#SAVE} is one of them */
    public ResultOutput(Options options) {
        isVerbose = options.get(ReportOptions.VERBOSE);
        isQuiet = (options.has(ReportOptions.QUIET) && options.get(ReportOptions.QUIET))
                || (options.has(ReportOptions.PROGRESS_FORMAT)
                        && options.get(ReportOptions.PROGRESS_FORMAT) == ProgressFormat.NONE);
        Optional<Path> directory = options.get(ReportOptions.DIR);
        boolean saves = options.has(ReportOptions.SAVE) && (options.get(ReportOptions.SAVE) || directory.isPresent());
        saved = saves ? Optional.of(history(directory)) : Optional.empty();
        ReportOptions.FILES.forEach((format, option) -> options.get(option).ifPresent(path -> {
            if (path.equals(SummaryOutput.STDOUT)) {
                onStdout = format;
            } else {
                files.add(new ReportFile(format.name(), format, path));
            }
        }));
        csv = options.get(ReportOptions.CSV);
        csv.ifPresent(tables -> Reports.TABLES.forEach(table ->
                files.add(new ReportFile(ReportOptions.CSV.name(), table, ReportOptions.csvFile(tables, table)))));
    }

    /** The results saved in this directory; by default in the user's data directory. */
    public static History history(Optional<Path> directory) {
        return new History(directory.orElse(DataHome.of(System.getenv()).resolve("runs")));
    }

    /** Rejects a report that would overwrite its input. */
    public void checkInput(Path input, Problems problems) {
        for (ReportFile target : files) {
            if (target.file().path().equals(input.toAbsolutePath().normalize())) {
                problems.add(target.option, input + " is the input of the report");
            }
        }
    }

    /** Rejects formats that hold only one result. */
    public void checkSeveral(Problems problems) {
        options(format -> !format.takesSeveral())
                .forEach(option -> problems.add(option, "can hold only one result; merge several with --merge"));
    }

    /** Rejects a format on stdout that holds only one result. Files are no problem: there is one per result. */
    void checkSeveralOnStdout(Problems problems) {
        if (onStdout != null && !onStdout.takesSeveral()) {
            problems.add(onStdout.name(), "stdout can hold only one result; a file name gets a number for each result");
        }
    }

    /** Rejects formats for runs only. */
    void checkNoRuns(Problems problems) {
        options(ReportFormat::takesRunsOnly).forEach(option -> problems.add(option, ReportOptions.RUNS_ONLY));
    }

    /** The names of the options whose formats are like this. */
    private Stream<String> options(Predicate<ReportFormat> like) {
        return Stream.concat(
                        files.stream().filter(file -> like.test(file.format)).map(ReportFile::option),
                        Stream.ofNullable(onStdout).filter(like).map(ReportFormat::name))
                .distinct();
    }

    /**
     * Ensures that every file can be written.
     *
     * @throws FileSystemException if one cannot be, or the directory of the tables cannot be created; the message names it
     */
    public void prepare() throws IOException {
        if (csv.isPresent()) {
            try {
                Files.createDirectories(csv.get());
            } catch (IOException e) {
                throw new FileSystemException(csv.get().toString(), null, "cannot be created: " + Forms.unreadable(e));
            }
        }
        for (ReportFile target : files) {
            target.file().touch();
        }
        if (saved.isPresent()) {
            saved.get().prepare();
        }
    }

    /** Saves the results if requested, and writes all reports, stdout last. A failure of one does not stop the others. */
    public void write(List<? extends Result> results, Streams streams) throws IOException {
        write(results, streams, true);
    }

    /** Does the same without the report for people, for results that have nothing to show. */
    void writeFiles(List<? extends Result> results, Streams streams) throws IOException {
        write(results, streams, onStdout != null);
    }

    private void write(List<? extends Result> results, Streams streams, boolean isShown) throws IOException {
        List<Output> outputs = new ArrayList<>();
        saved.ifPresent(history ->
                results.forEach(result -> outputs.add(() -> streams.note("saved as " + history.save(result)))));
        files.forEach(target -> outputs.add(() -> {
            List<String> names = target.write(results);
            boolean isTable = target.option.equals(ReportOptions.CSV.name());
            written.addAll(isTable ? csv.map(Path::toString).stream().toList() : names);
        }));
        if (!isQuiet) {
            outputs.add(() -> streams.wrote(written));
        }
        if (isShown) {
            outputs.add(() -> show(results, streams));
        }
        IOException failure = null;
        for (Output output : outputs) {
            try {
                output.write();
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

    /** Reports this file as written, once it is complete. */
    void wrote(Path typed) {
        written.add(typed.toString());
    }

    @FunctionalInterface
    private interface Output {
        void write() throws IOException;
    }

    /** Writes the results to stdout. If that has another format, stderr gets the reasons against a result, and the last line. */
    private void show(List<? extends Result> results, Streams streams) throws IOException {
        if (onStdout == null) {
            new ConsoleReport(isVerbose, streams.onOut(), streams.columns().getAsInt()).write(results, streams.out());
            return;
        }
        onStdout.write(results, streams.out());
        for (Result result : results) {
            result.reasons().forEach(reason -> streams.error("not valid: " + reason.text()));
            streams.err().println(ResultLine.of(result, streams.onErr()));
        }
        if (results.size() > 1) {
            streams.err().println(ResultLine.of(results, streams.onErr()));
        }
    }
}
