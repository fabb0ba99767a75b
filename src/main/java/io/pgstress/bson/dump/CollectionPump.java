package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Passes documents from readers to a visitor, using at most one of the visitor's chunks at a time. */
final class CollectionPump implements AutoCloseable {
    private final DumpVisitor visitor;
    private final int chunkBytes;
    private @Nullable Chunk held;

    CollectionPump(DumpVisitor visitor, int chunkBytes) {
        this.visitor = visitor;
        this.chunkBytes = chunkBytes;
    }

    /** Passes on all documents of a file or stream, or those before a fault. */
    void whole(DumpCollection collection, InputWindow in) throws IOException, InterruptedException {
        Sink sink = new Sink(collection);
        try {
            drain(new DocumentReader(in, chunkBytes), sink);
        } catch (BsonException e) {
            if (!e.label().equals(in.label())) {
                throw e;
            }
            visitor.failed(collection, sink.count, e);
            return;
        }
        visitor.end(collection, sink.count);
    }

    /** Passes on the documents up to the end of the input or block. */
    void drain(DocumentReader reader, Sink sink) throws IOException, InterruptedException {
        DocumentReader.End end = DocumentReader.End.FULL;
        while (end == DocumentReader.End.FULL) {
            Chunk chunk = held == null ? visitor.empty() : held;
            held = chunk;
            end = reader.fill(chunk, sink.count);
            if (chunk.count() > 0 && sink.take(chunk)) {
                held = null;
                visitor.chunk(sink.collection, chunk);
            }
        }
    }

    @Override
    public void close() {
        if (held != null) {
            visitor.unused(held);
        }
    }

    /** The destination of a collection's documents. */
    static class Sink {
        final DumpCollection collection;
        long count;

        Sink(DumpCollection collection) {
            this.collection = collection;
        }

        /** Counts the documents; returns whether the visitor wants them. */
        boolean take(Chunk chunk) {
            count += chunk.count();
            return true;
        }
    }
}
