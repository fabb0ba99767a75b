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
        Sink sink = new Sink(collection, chunkBytes);
        try {
            drain(in, false, sink);
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
    void drain(InputWindow in, boolean blocks, Sink sink) throws IOException, InterruptedException {
        DocumentReader source = sink.source(in, blocks);
        DocumentReader.End end = DocumentReader.End.FULL;
        while (end == DocumentReader.End.FULL) {
            Chunk chunk = held == null ? visitor.empty() : held;
            held = chunk;
            end = source.fill(chunk, sink.count);
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
        private final int chunkBytes;

        Sink(DumpCollection collection, int chunkBytes) {
            this.collection = collection;
            this.chunkBytes = chunkBytes;
        }

        /** The documents of the input or block. */
        DocumentReader source(InputWindow in, boolean inBlocks) {
            return new DocumentReader(in, chunkBytes, inBlocks);
        }

        /** Counts the documents; returns whether the visitor wants them. */
        boolean take(Chunk chunk) {
            count += chunk.count();
            return true;
        }
    }
}
