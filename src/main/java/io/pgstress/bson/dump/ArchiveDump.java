package io.pgstress.bson.dump;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The output of {@code mongodump --archive}, in a file or a stream. */
final class ArchiveDump implements MongoDump {
    private final DumpFilter filter;
    private final long bytesTotal;
    private final @Nullable Path path;
    private ArchivePrelude prelude;
    private volatile DumpInput input;
    /** Whether the documents of the open input have not been read yet. */
    private boolean unread = true;

    private ArchiveDump(DumpInput input, DumpFilter filter, @Nullable Path path) throws IOException {
        this.filter = filter;
        this.path = path;
        this.input = input;
        bytesTotal = path == null ? -1 : Files.size(path);
        prelude = ArchivePrelude.read(input.window(), filter);
    }

    /** Opens a file, which can be read again. */
    static ArchiveDump of(Path path, DumpFilter filter) throws IOException {
        try (DumpInput input = DumpInput.open(path)) {
            ArchiveDump dump = new ArchiveDump(input, filter, path);
            dump.unread = false;
            return dump;
        }
    }

    /** Opens a stream, which can be read once. */
    static ArchiveDump of(DumpInput input, DumpFilter filter) throws IOException {
        return new ArchiveDump(input, filter, null);
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
            input = DumpInput.open(path);
            prelude = ArchivePrelude.read(input.window(), filter);
        } else if (!unread) {
            throw new IllegalStateException("a stream can be read only once");
        }
        unread = false;
        try (DumpInput open = input) {
            new ArchiveReader(open.window(), prelude, visitor, chunkBytes).read();
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
        if (unread) {
            input.close();
        }
    }
}
