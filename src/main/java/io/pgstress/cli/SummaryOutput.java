package io.pgstress.cli;

import io.pgstress.report.file.AtomicFile;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Where the summary of a command goes: stdout as text, and as JSON to a file or, instead of the text, to stdout. */
final class SummaryOutput {
    /** The name of a file that means stdout. */
    static final Path STDOUT = Path.of("-");

    private final boolean isJson;
    private final Optional<AtomicFile> file;
    private final Streams streams;

    /** @param json the file for JSON; {@code -}: stdout */
    SummaryOutput(Optional<Path> json, Streams streams) {
        this.isJson = json.equals(Optional.of(STDOUT));
        this.file = isJson ? Optional.empty() : json.map(AtomicFile::new);
        this.streams = streams;
    }

    /** Ensures, before the work, that the file can be written. */
    void touch() throws IOException {
        if (file.isPresent()) {
            file.get().touch();
        }
    }

    /**
     * Writes the summary.
     *
     * @param line the result in one line, which follows the text, or goes to stderr if JSON takes its place
     */
    void write(Object summary, String line, Consumer<PrintStream> text) throws IOException {
        if (isJson) {
            streams.out().print(Json.write(summary));
        } else {
            if (file.isPresent()) {
                file.get().write(out -> out.write(Json.write(summary)));
            }
            text.accept(streams.out());
        }
        afterwards(line);
    }

    /** Writes lines for people after the summary. */
    void afterwards(String... lines) {
        for (String line : lines) {
            (isJson ? streams.err() : streams.out()).println(line);
        }
    }

    /** The width of a column of names. */
    static int width(Stream<String> names, int least) {
        return names.mapToInt(name -> name.codePointCount(0, name.length())).reduce(least, Math::max);
    }
}
