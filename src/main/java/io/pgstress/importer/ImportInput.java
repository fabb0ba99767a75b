package io.pgstress.importer;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The input of an import: a dump, and the part of it that determines the type of {@code _id}. For a stream, which can be read
 * only once, that is its first part.
 */
public final class ImportInput implements AutoCloseable {
    private static final String STDIN = "standard input";

    private final MongoDump dump;
    private final @Nullable MongoDump sample;
    private final @Nullable FirstPart first;

    private ImportInput(MongoDump dump, @Nullable MongoDump sample, @Nullable FirstPart first) {
        this.dump = dump;
        this.sample = sample;
        this.first = first;
    }

    /**
     * Opens a path, or standard input if the path is {@code -}.
     *
     * @throws InvalidPlanException if the path does not exist
     */
    public static ImportInput open(String path, InputStream stdin, DumpFilter filter) throws IOException {
        if (path.equals("-")) {
            return of(FirstPart.of(stdin), filter);
        }
        if (!Files.exists(Path.of(path))) {
            throw new InvalidPlanException(path + ": no such file or directory");
        }
        return of(MongoDump.open(Path.of(path), filter));
    }

    /** The input for a dump; one that can be read only once is imported with keys of type text. */
    static ImportInput of(MongoDump dump) {
        return new ImportInput(dump, dump.rereadable() ? dump : null, null);
    }

    @SuppressWarnings("resource") // closed with this
    static ImportInput of(FirstPart first, DumpFilter filter) throws IOException {
        try {
            MongoDump dump = MongoDump.stream(first.whole(), STDIN, filter);
            return new ImportInput(dump, MongoDump.stream(first.open(), STDIN, filter), first);
        } catch (IOException e) {
            first.close();
            throw e;
        }
    }

    public MongoDump dump() {
        return dump;
    }

    /** The part that determines the type of {@code _id}; null if nothing can be read before the import. */
    @Nullable
    MongoDump sample() {
        return sample;
    }

    @Override
    public void close() throws IOException {
        try (FirstPart head = first;
                MongoDump look = sample) {
            dump.close();
        }
    }
}
