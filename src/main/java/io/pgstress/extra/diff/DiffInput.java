package io.pgstress.extra.diff;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.importer.ImportInput;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dumps that can be opened more than once. Standard input is copied to a temporary file first. */
public final class DiffInput implements AutoCloseable {
    private static final String STDIN = "-";

    private final List<String> paths;
    private final DumpFilter filter;
    private final @Nullable Path copy;

    private DiffInput(List<String> paths, DumpFilter filter, @Nullable Path copy) {
        this.paths = List.copyOf(paths);
        this.filter = filter;
        this.copy = copy;
    }

    /**
     * The dumps at these paths; {@code -} is standard input.
     *
     * @throws InvalidPlanException if a path does not exist
     */
    public static DiffInput of(List<String> paths, InputStream stdin, DumpFilter filter) throws IOException {
        for (String path : paths) {
            if (!path.equals(STDIN) && !Files.exists(Path.of(path))) {
                throw new InvalidPlanException(path + ": no such file or directory");
            }
            if (!path.equals(STDIN) && ImportInput.isStream(path)) {
                throw new InvalidPlanException(
                        path + ": is a pipe, but the dump is read several times; use standard input: - < " + path);
            }
        }
        return new DiffInput(paths, filter, paths.contains(STDIN) ? copyOf(stdin) : null);
    }

    private static Path copyOf(InputStream stdin) throws IOException {
        Path copy = Files.createTempFile("pgstress-input", null);
        copy.toFile().deleteOnExit();
        try {
            Files.copy(stdin, copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.delete(copy);
            throw e;
        }
        return copy;
    }

    /** Standard input, or the copy of it. */
    public InputStream stdin(InputStream original) throws IOException {
        return copy == null ? original : Files.newInputStream(copy);
    }

    /**
     * Opens the dumps as one.
     *
     * @throws InvalidPlanException if one is named twice
     */
    ImportInput open() throws IOException {
        return ImportInput.open(paths, stdin(InputStream.nullInputStream()), filter);
    }

    /** Whether no collections were selected. */
    boolean isWhole() {
        return filter.equals(DumpFilter.ALL);
    }

    @Override
    public void close() throws IOException {
        if (copy != null) {
            Files.deleteIfExists(copy);
        }
    }
}
