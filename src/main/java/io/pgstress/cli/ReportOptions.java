package io.pgstress.cli;

import io.pgstress.plan.InvalidPlanException;
import io.pgstress.plan.Nearest;
import io.pgstress.report.LiveView;
import io.pgstress.report.ProgressFormat;
import io.pgstress.report.ReportFile;
import io.pgstress.report.ReportWriter;
import io.pgstress.report.Reports;
import io.pgstress.report.Terminal;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Where results go and how progress is shown. Not thread-safe. */
final class ReportOptions implements AutoCloseable {
    private static final String STDOUT = "-";

    private final Streams streams;
    private final List<ReportFile> files = new ArrayList<>();
    private ReportWriter onStdout = Reports.CONSOLE;
    private ProgressFormat progress = ProgressFormat.AUTO;
    private LiveView view = LiveView.NONE;

    ReportOptions(Streams streams) {
        this.streams = streams;
    }

    void addTo(CommandSpec command) {
        ArgGroupSpec.Builder group =
                ArgGroupSpec.builder().validate(false).multiplicity("0..1").heading("%nReports:%n");
        for (ReportWriter writer : Reports.FILES) {
            group.addArg(value("--" + writer.name(), "FILE", writer.description() + " - is stdout."));
        }
        group.addArg(value("--progress-format", "KIND", "auto, line, plain, json or none. Default: auto."));
        group.addArg(flag("Shows no progress.", "-q", "--quiet"));
        group.addArg(flag("Shows where an error came from.", "--verbose"));
        command.addArgGroup(group.build());
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

    /**
     * Reads what was given and makes sure that every file can be written.
     *
     * @throws InvalidPlanException where what was given makes no sense
     * @throws IOException where a file cannot be written
     */
    void read(ParseResult parsed) throws IOException {
        List<String> problems = new ArrayList<>();
        readFiles(parsed, problems);
        progress = progressFormat(parsed.matchedOptionValue("--progress-format", "auto"), problems);
        if (parsed.matchedOptionValue("--quiet", false)) {
            progress = ProgressFormat.NONE;
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        for (ReportFile file : files) {
            file.touch();
        }
    }

    private void readFiles(ParseResult parsed, List<String> problems) {
        for (ReportWriter writer : Reports.FILES) {
            String file = parsed.matchedOptionValue("--" + writer.name(), "");
            if (file.equals(STDOUT)) {
                if (onStdout != Reports.CONSOLE) {
                    problems.add("--" + writer.name() + ": stdout is taken by --" + onStdout.name());
                }
                onStdout = writer;
            } else if (!file.isEmpty()) {
                files.add(new ReportFile(writer, Path.of(file)));
            }
        }
    }

    private static ProgressFormat progressFormat(String name, List<String> problems) {
        List<String> names = Arrays.stream(ProgressFormat.values())
                .map(f -> f.name().toLowerCase(Locale.ROOT))
                .toList();
        int index = names.indexOf(name);
        if (index < 0) {
            problems.add("--progress-format: must be one of " + String.join(", ", names) + ", was '" + name + "'"
                    + Nearest.hint(name, names));
        }
        return ProgressFormat.values()[Math.max(0, index)];
    }

    /** How a run goes on, shown on stderr. */
    RunListener live() {
        view = progress.view(Terminal.stderr(System.getenv()), streams.err());
        return new LiveListener(view);
    }

    /** Writes the result everywhere it was asked to be. */
    void write(RunResult result) throws IOException {
        close();
        for (ReportFile file : files) {
            file.write(List.of(result));
        }
        onStdout.write(List.of(result), streams.out());
        streams.out().flush();
    }

    /** Ends the showing of progress. */
    @Override
    public void close() {
        view.close();
        view = LiveView.NONE;
    }
}
