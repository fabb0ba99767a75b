package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.util.List;

/** One collection's documents from a stream, named {@code stdin} unless the filter gives a name. */
final class StreamDump implements MongoDump {
    private final DumpInput input;
    private final DumpCollection collection;
    private boolean used;

    StreamDump(DumpInput input, DumpFilter names) {
        this.input = input;
        collection = new DumpCollection(
                names.databaseOr(""),
                names.collectionOr("stdin"),
                "",
                input.window().label(),
                -1);
    }

    @Override
    public List<DumpCollection> collections() {
        return List.of(collection);
    }

    @Override
    public List<LeftOut> leftOut() {
        return List.of();
    }

    @Override
    public boolean rereadable() {
        return false;
    }

    @Override
    public void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException {
        if (used) {
            throw new IllegalStateException("a stream can be read only once");
        }
        used = true;
        try (DumpInput open = input;
                CollectionPump pump = new CollectionPump(visitor, chunkBytes)) {
            try {
                open.requireDocuments(false);
            } catch (BsonException e) {
                visitor.unreadable(collection, e);
                return;
            }
            if (visitor.begin(collection)) {
                pump.whole(collection, open.window());
            }
        }
    }

    @Override
    public long bytesTotal() {
        return -1;
    }

    @Override
    public long bytesRead() {
        return input.bytesRead();
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
