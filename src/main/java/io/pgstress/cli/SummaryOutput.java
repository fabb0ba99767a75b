package io.pgstress.cli;

import io.pgstress.report.file.AtomicFile;
import io.pgstress.report.format.TextTable;
import io.pgstress.report.format.WrappedText;
import io.pgstress.report.text.Junit;
import io.pgstress.report.text.Junit.TestCase;
import io.pgstress.text.Json;
import io.pgstress.text.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Where the summary of a command goes: stdout as text, and as JSON to a file or, instead of the text, to stdout. */
final class SummaryOutput {
    /** The name of a file that means stdout. */
    static final Path STDOUT = Path.of("-");

    private final boolean isJson;
    private final Optional<AtomicFile> file;
    private final Optional<AtomicFile> junit;
    private final List<String> files;
    private final boolean isQuiet;
    private final Streams streams;
    private final Instant start = Instant.now();

    /**
     * @param json the file for JSON; {@code -}: stdout
     * @param junit the file for JUnit XML
     * @param isQuiet whether files that were written are not told
     */
    SummaryOutput(Optional<Path> json, Optional<Path> junit, boolean isQuiet, Streams streams) {
        this.isJson = json.equals(Optional.of(STDOUT));
        this.file = isJson ? Optional.empty() : json.map(AtomicFile::new);
        this.junit = junit.map(AtomicFile::new);
        this.files = Stream.concat(junit.stream(), json.filter(path -> !isJson).stream())
                .map(Path::toString)
                .toList();
        this.isQuiet = isQuiet;
        this.streams = streams;
    }

    /** Ensures, before the work, that the files can be written. */
    void touch() throws IOException {
        if (file.isPresent()) {
            file.get().touch();
        }
        if (junit.isPresent()) {
            junit.get().touch();
        }
    }

    /**
     * Writes the summary.
     *
     * @param text what JSON on stdout takes the place of
     * @param end what else follows the text, or goes to stderr if JSON takes its place
     * @param line the result in one line, which is the last
     * @param name of the suite of test cases
     */
    void write(
            Object summary,
            Consumer<SummaryText> text,
            Consumer<SummaryText> end,
            String line,
            String name,
            List<TestCase> cases)
            throws IOException {
        if (junit.isPresent()) {
            Junit.Suite suite = new Junit.Suite(
                    name,
                    start.toString(),
                    Duration.between(start, Instant.now()).toMillis() / 1e3,
                    Map.of("version", Version.number()),
                    cases,
                    line);
            junit.get().write(out -> Junit.write(List.of(suite), out));
        }
        if (file.isPresent()) {
            file.get().write(out -> out.write(Json.write(summary)));
        }
        if (!isQuiet) {
            streams.wrote(files);
        }
        SummaryText forPeople = isJson
                ? new SummaryText(streams.err(), streams.columnsOfErr().getAsInt())
                : new SummaryText(streams.out(), streams.columns().getAsInt());
        if (isJson) {
            streams.out().print(Json.write(summary));
        } else {
            text.accept(forPeople);
        }
        end.accept(forPeople);
        forPeople.println(Printable.lines(line));
    }

    /** The text of a summary, in lines that fit the terminal. Not thread-safe. */
    static final class SummaryText {
        private static final int INDENT = 14;

        private final PrintStream out;
        private final int columns;
        private boolean isAfterGap;

        /** @param columns characters in a line */
        SummaryText(PrintStream out, int columns) {
            this.out = out;
            this.columns = columns;
        }

        /** Prints a line. If it is too long, it continues on others, indented by two more characters. */
        void line(String text) {
            int indent = text.length() - text.stripLeading().length() + 2;
            println(WrappedText.of(Printable.line(text), indent, columns));
        }

        /** Prints an empty line, unless the last one was empty. */
        void gap() {
            if (!isAfterGap) {
                println("");
            }
        }

        private void println(String text) {
            out.println(text);
            isAfterGap = text.isEmpty();
        }

        /** Prints what a command is for and the command, which is not broken, between empty lines. */
        void command(String what, String command) {
            gap();
            line(what);
            println("  " + Printable.line(command));
            gap();
        }

        /** Prints a line with a label; nothing if the text is empty. */
        void fact(String label, String text) {
            if (!text.isEmpty()) {
                println(WrappedText.of(String.format(Locale.ROOT, "  %-11s %s", label, text), INDENT, columns));
            }
        }

        /** Prints a table between empty lines; nothing if it has no rows. */
        void table(TextTable table) {
            if (!table.isEmpty()) {
                StringBuilder text = new StringBuilder();
                try {
                    table.appendTo(text, columns);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                gap();
                println(text.toString().stripTrailing());
                gap();
            }
        }
    }
}
