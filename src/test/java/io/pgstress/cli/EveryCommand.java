package io.pgstress.cli;

import io.pgstress.testing.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The commands that connect to servers, with options that make each as short as possible. */
enum EveryCommand {
    RUN("--warmup 0 --duration 200ms -q"),
    COMPARE("compare --vary clients=1,2 --warmup 0 --duration 100ms --rounds 2 -q"),
    TUNE("tune --max-clients 2 --warmup 50ms --interval 100ms --duration 200ms --repeat-limit 0 -q"),
    EXPLAIN("explain --op find_first"),
    IMPORT("import -q");

    private final String arguments;

    EveryCommand(String arguments) {
        this.arguments = arguments;
    }

    /** The command's arguments, with further ones; import gets its own dump in {@code directory}. */
    String[] with(Path directory, String... more) {
        String input = this == IMPORT ? emptyDump(directory) + " --rejects " + directory : "";
        return Runs.words(arguments, input, String.join(" ", more));
    }

    private static Path emptyDump(Path directory) {
        try {
            Files.writeString(directory.resolve("nothing.metadata.json"), "{}");
            return Files.write(directory.resolve("nothing.bson"), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
