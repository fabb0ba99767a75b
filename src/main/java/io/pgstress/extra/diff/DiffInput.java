package io.pgstress.extra.diff;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.StreamCopies;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Dumps that can be opened more than once. Standard input and pipes are copied to temporary files first. */
public final class DiffInput implements AutoCloseable {
    private final List<String> paths;
    private final DumpFilter filter;
    private final StreamCopies copies;

    private DiffInput(List<String> paths, DumpFilter filter, StreamCopies copies) {
        this.paths = List.copyOf(paths);
        this.filter = filter;
        this.copies = copies;
    }

    /**
     * The dumps at these paths; {@code -} is standard input.
     *
     * @throws InvalidPlanException if a path does not exist
     */
    public static DiffInput of(List<String> paths, InputStream stdin, DumpFilter filter) throws IOException {
        return new DiffInput(paths, filter, StreamCopies.of(paths, stdin));
    }

    /**
     * Opens the dumps as one.
     *
     * @throws InvalidPlanException if one is named twice
     */
    public ImportInput open() throws IOException {
        return ImportInput.open(paths, copies, filter);
    }

    /** Whether no collections were selected. */
    boolean isWhole() {
        return filter.equals(DumpFilter.ALL);
    }

    @Override
    public void close() throws IOException {
        copies.close();
    }
}
