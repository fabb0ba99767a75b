package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents without the format of an archive: files, one per collection, read one after the other; or one stream. */
final class PlainDump implements MongoDump {
    private final List<DumpCollection> collections;
    private final List<LeftOut> leftOut;
    private final @Nullable DumpInput stream;
    private boolean used;
    private volatile long bytesDone;
    private volatile @Nullable DumpInput current;

    PlainDump(DumpFiles files) {
        collections = files.collections();
        leftOut = files.leftOut();
        stream = null;
    }

    /** The documents of one collection, named {@code stdin} unless the filter gives a name. */
    PlainDump(DumpInput stream, DumpFilter names) {
        collections = List.of(new DumpCollection(
                names.databaseOr(""),
                names.collectionOr("stdin"),
                stream.window().label(),
                -1));
        leftOut = List.of();
        this.stream = stream;
        current = stream;
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
        return stream == null;
    }

    @Override
    public void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException {
        if (used && stream != null) {
            throw new IllegalStateException("a stream can be read only once");
        }
        used = true;
        bytesDone = 0;
        long done = 0;
        try (CollectionPump pump = new CollectionPump(visitor, chunkBytes)) {
            for (DumpCollection each : collections) {
                read(each, pump, visitor);
                if (stream == null) {
                    done += each.bytes();
                    current = null;
                    bytesDone = done;
                }
            }
        }
    }

    private void read(DumpCollection collection, CollectionPump pump, DumpVisitor visitor)
            throws IOException, InterruptedException {
        DumpInput opened;
        try {
            opened = stream == null ? open(collection) : begun(stream, false);
        } catch (BsonException e) {
            visitor.unreadable(collection, e);
            return;
        }
        try (DumpInput input = opened) {
            if (visitor.begin(collection)) {
                current = input;
                pump.whole(collection, input);
            }
        }
    }

    /** Opens a file of documents. Those of empty collections are empty: mongoexport's, and mongodump's beside their metadata. */
    private static DumpInput open(DumpCollection collection) throws IOException {
        Path file = Path.of(collection.label());
        boolean described = !collection.metadata().isEmpty() || Metadata.existBeside(file);
        if (described && !Files.exists(file)) {
            throw BsonException.foreign(file.toString(), "missing, although its metadata are there");
        }
        return begun(DumpInput.open(file), described || !FileNames.isBson(file));
    }

    private static DumpInput begun(DumpInput input, boolean mayBeEmpty) throws IOException {
        try {
            input.requireDocuments(mayBeEmpty);
            return input;
        } catch (BsonException e) {
            input.close();
            throw e;
        }
    }

    @Override
    public long bytesTotal() {
        return stream != null
                ? -1
                : collections.stream().mapToLong(DumpCollection::bytes).sum();
    }

    @Override
    public long bytesRead() {
        DumpInput input = current;
        return bytesDone + (input == null ? 0 : input.bytesRead());
    }

    @Override
    public void close() throws IOException {
        if (stream != null) {
            stream.close();
        }
    }
}
