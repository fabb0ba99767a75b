package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Carries documents from readers to a visitor, holding one of the visitor's chunks at most. */
final class CollectionPump implements AutoCloseable {
    private final DumpVisitor visitor;
    private final int chunkBytes;
    private @Nullable Chunk held;

    CollectionPump(DumpVisitor visitor, int chunkBytes) {
        this.visitor = visitor;
        this.chunkBytes = chunkBytes;
    }

    /** Hands over one file's or stream's documents from beginning to end, or up to its fault. */
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

    /** Hands over the documents up to the end of the input or block. */
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

    /** Where a collection's documents go. */
    static class Sink {
        final DumpCollection collection;
        long count;

        Sink(DumpCollection collection) {
            this.collection = collection;
        }

        /** Counts the documents; whether the visitor wants them. */
        boolean take(Chunk chunk) {
            count += chunk.count();
            return true;
        }
    }
}
