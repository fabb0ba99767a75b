package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** One collection's documents from a stream, which has no name: {@code stdin} unless one is asked for. */
final class StreamDump implements MongoDump {
    private final DumpInput input;
    private final DumpCollection collection;
    private boolean used;

    StreamDump(DumpInput input, String label, DumpFilter names) {
        this.input = input;
        collection = new DumpCollection(names.databaseOr(""), names.collectionOr("stdin"), "", label, -1);
    }

    /** Looks at the beginning of a stream; closes it if that fails. */
    static DumpInput open(InputStream in, String label) throws IOException {
        try {
            return new DumpInput(in);
        } catch (IOException e) {
            in.close();
            throw new BsonException(label, 0, "readable input", String.valueOf(e.getMessage()), e);
        }
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
            throw new IllegalStateException("a stream can be read once");
        }
        used = true;
        try (DumpInput open = input;
                CollectionPump pump = new CollectionPump(visitor, chunkBytes)) {
            if (visitor.begin(collection)) {
                pump.whole(collection, new InputWindow(open.plain(), collection.label()));
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
