package io.pgstress.cli;

import io.pgstress.compare.CompareListener;
import io.pgstress.compare.State;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** A line on stderr for every round, and the state of the comparison in a file, for {@code --resume}. */
final class CompareProgress implements CompareListener {
    private final PrintStream err;
    private final boolean quiet;
    private final Path file;

    CompareProgress(PrintStream err, boolean quiet, Path file) {
        this.err = err;
        this.quiet = quiet;
        this.file = file;
    }

    @Override
    public void block(String when, String variant) {
        if (!quiet && when.equals("settling")) {
            err.println("settling: " + variant);
        }
    }

    @Override
    public void round(State state, Supplier<List<Effect>> soFar) {
        save(state);
        if (quiet) {
            return;
        }
        StringBuilder line = new StringBuilder("round ").append(state.rounds()).append(':');
        state.blocks().stream()
                .filter(b -> b.round() == state.rounds() - 1)
                .forEach(b -> line.append(String.format(
                        Locale.ROOT, " %s %.1f/s,", b.variant(), b.metrics().getOrDefault("opsPerSecond", 0.0))));
        line.setCharAt(line.length() - 1, ';');
        soFar.get().stream()
                .filter(e -> e.metric().equals("opsPerSecond"))
                .forEach(e -> line.append(String.format(
                        Locale.ROOT, " %s x%.3f (%.3f to %.3f)", e.variant(), e.ratio(), e.low(), e.high())));
        err.println(line);
    }

    private void save(State state) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            Files.writeString(temporary, Json.writeLine(state));
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the state of the comparison cannot be kept in " + file, e);
        }
    }
}
