package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files of documents, one per collection, read one after the other. */
final class DirectoryDump implements MongoDump {
    private final List<DumpCollection> collections;
    private final List<LeftOut> leftOut;
    private volatile long bytesDone;
    private volatile @Nullable DumpInput current;

    DirectoryDump(DumpFiles files) {
        collections = files.collections();
        leftOut = files.leftOut();
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
                read(each, pump, visitor);
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
            opened = open(Path.of(collection.label()));
        } catch (BsonException e) {
            visitor.unreadable(collection, e);
            return;
        }
        try (DumpInput input = opened) {
            if (visitor.begin(collection)) {
                current = input;
                pump.whole(collection, input.window());
            }
        }
    }

    /** Opens a file of documents. mongodump also writes one for an empty collection, beside its metadata. */
    private static DumpInput open(Path file) throws IOException {
        boolean described = Metadata.existBeside(file);
        if (described && !Files.exists(file)) {
            String expected = "the documents of the collection whose metadata are beside it";
            throw new BsonException(file.toString(), -1, expected, "no such file");
        }
        DumpInput input = DumpInput.open(file);
        try {
            input.requireDocuments(described);
            return input;
        } catch (BsonException e) {
            input.close();
            throw e;
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
