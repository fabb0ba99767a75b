package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.check.CRC64;

/** Passes documents from readers to a visitor, using at most one of the visitor's chunks at a time. */
final class CollectionPump implements AutoCloseable {
    /** Size of the chunks of documents that nobody wants. */
    private static final int PASSED_OVER = 1 << 20;

    private final DumpVisitor visitor;
    private final int chunkBytes;
    private @Nullable Chunk held;

    CollectionPump(DumpVisitor visitor, int chunkBytes) {
        this.visitor = visitor;
        this.chunkBytes = chunkBytes;
    }

    /** Passes on all documents of a file or stream, or those before a fault. */
    void whole(DumpCollection collection, InputWindow in) throws IOException, InterruptedException {
        Sink sink = new Sink(collection, true);
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

    /** Passes on the documents up to the end of the input or block; the CRC is of those in blocks. */
    void drain(InputWindow in, boolean blocks, Sink sink) throws IOException, InterruptedException {
        DocumentReader source = new DocumentReader(in, sink.wanted ? chunkBytes : PASSED_OVER, blocks);
        DocumentReader.End end = DocumentReader.End.FULL;
        while (end == DocumentReader.End.FULL) {
            Chunk chunk = held == null ? visitor.empty() : held;
            held = chunk;
            end = source.fill(chunk, sink.count);
            sink.count += chunk.count();
            if (chunk.count() > 0 && sink.wanted) {
                if (blocks) {
                    sink.crc.update(chunk.array(), 0, chunk.length());
                }
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

    /** A collection whose end has not been read. */
    static final class Sink {
        final DumpCollection collection;
        /** Whether the visitor wants the documents. */
        final boolean wanted;

        final CRC64 crc = new CRC64();
        long count;

        Sink(DumpCollection collection, boolean wanted) {
            this.collection = collection;
            this.wanted = wanted;
        }
    }
}
