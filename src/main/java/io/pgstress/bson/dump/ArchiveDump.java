package io.pgstress.bson.dump;

import io.pgstress.bson.InputWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code mongodump --archive} writes, in a file or from a stream. */
final class ArchiveDump implements MongoDump {
    private final DumpFilter filter;
    private final String label;
    private final long bytesTotal;
    private final @Nullable Path path;
    private ArchivePrelude prelude;
    private volatile DumpInput input;
    private @Nullable InputWindow window;

    private ArchiveDump(DumpInput input, String label, DumpFilter filter, @Nullable Path path) throws IOException {
        this.filter = filter;
        this.label = label;
        this.path = path;
        this.input = input;
        bytesTotal = path == null ? -1 : Files.size(path);
        window = new InputWindow(input.plain(), label);
        prelude = ArchivePrelude.read(window, filter);
    }

    /** A file, which can be read again. */
    static ArchiveDump of(Path path, DumpFilter filter) throws IOException {
        try (DumpInput input = DirectoryDump.openFile(path)) {
            ArchiveDump dump = new ArchiveDump(input, path.toString(), filter, path);
            dump.window = null;
            return dump;
        }
    }

    /** A stream, which can be read once. */
    static ArchiveDump of(DumpInput input, String label, DumpFilter filter) throws IOException {
        return new ArchiveDump(input, label, filter, null);
    }

    @Override
    public List<DumpCollection> collections() {
        return prelude.collections();
    }

    @Override
    public List<LeftOut> leftOut() {
        return prelude.leftOut();
    }

    @Override
    public boolean rereadable() {
        return path != null;
    }

    @Override
    public void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException {
        if (path != null) {
            input = DirectoryDump.openFile(path);
            window = new InputWindow(input.plain(), label);
            prelude = ArchivePrelude.read(window, filter);
        }
        InputWindow in = window;
        window = null;
        if (in == null) {
            throw new IllegalStateException("a stream can be read once");
        }
        try (DumpInput open = input) {
            new ArchiveReader(in, prelude, visitor, chunkBytes).read();
        }
    }

    @Override
    public long bytesTotal() {
        return bytesTotal;
    }

    @Override
    public long bytesRead() {
        return input.bytesRead();
    }

    @Override
    public void close() throws IOException {
        if (window != null) {
            input.close();
        }
    }
}
