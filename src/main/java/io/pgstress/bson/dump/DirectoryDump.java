package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files of documents, a collection each, read one after the other. */
final class DirectoryDump implements MongoDump {
    private final List<DumpCollection> collections;
    private final List<LeftOut> leftOut;
    private volatile long bytesDone;
    private volatile @Nullable DumpInput current;

    DirectoryDump(DumpFiles files) {
        collections = files.collections();
        leftOut = files.leftOut();
    }

    /** Opens a file and looks at its beginning. */
    static DumpInput openFile(Path path) throws IOException {
        InputStream in;
        try {
            in = Files.newInputStream(path);
        } catch (IOException e) {
            throw new BsonException(path.toString(), -1, "a readable file", reason(e), e);
        }
        if (FileNames.isCompressedData(path) && Files.size(path) == 0) {
            in.close();
            throw new BsonException(path.toString(), 0, "gzip data", "an empty file");
        }
        return StreamDump.open(in, path.toString());
    }

    /** Why a file or directory cannot be opened: the system's own message is often nothing but its name. */
    static String reason(Exception e) {
        Throwable cause = e instanceof DirectoryIteratorException ? e.getCause() : e;
        if (cause instanceof AccessDeniedException) {
            return "that access is denied";
        }
        return cause instanceof NoSuchFileException ? "none" : String.valueOf(cause);
    }

    @Override
    public List<DumpCollection> collections() {
        return collections;
    }

    @Override
    public List<LeftOut> leftOut() {
        return leftOut;
    }

    @Override
    public boolean rereadable() {
        return true;
    }

    @Override
    public void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException {
        bytesDone = 0;
        long done = 0;
        try (CollectionPump pump = new CollectionPump(visitor, chunkBytes)) {
            for (DumpCollection each : collections) {
                if (visitor.begin(each)) {
                    read(each, pump, visitor);
                }
                done += each.bytes();
                current = null;
                bytesDone = done;
            }
        }
    }

    private void read(DumpCollection collection, CollectionPump pump, DumpVisitor visitor)
            throws IOException, InterruptedException {
        DumpInput opened;
        try {
            opened = openFile(Path.of(collection.label()));
        } catch (BsonException e) {
            visitor.failed(collection, 0, e);
            return;
        }
        try (DumpInput input = opened) {
            current = input;
            pump.whole(collection, new InputWindow(input.plain(), collection.label()));
        }
    }

    @Override
    public long bytesTotal() {
        return collections.stream().mapToLong(DumpCollection::bytes).sum();
    }

    @Override
    public long bytesRead() {
        DumpInput input = current;
        return bytesDone + (input == null ? 0 : input.bytesRead());
    }

    @Override
    public void close() {}
}
