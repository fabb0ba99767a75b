package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
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
    void whole(DumpCollection collection, DumpInput in) throws IOException, InterruptedException {
        Sink sink = new Sink(collection, true, null);
        try {
            drain(in.documents(chunkBytes), sink);
        } catch (BsonException e) {
            if (!e.label().equals(in.window().label())) {
                throw e;
            }
            BsonException fault = in.explained(e);
            visitor.failed(collection, sink.count, sink.count == 0 ? fault : in.withRest(fault, sink.end));
            return;
        }
        visitor.end(collection, sink.count);
    }

    /** Passes on the documents up to the end of the block of an archive. */
    void block(InputWindow in, Sink sink) throws IOException, InterruptedException {
        drain(new DocumentReader(in, sink.wanted ? chunkBytes : PASSED_OVER, true), sink);
    }

    private void drain(DocumentSource source, Sink sink) throws IOException, InterruptedException {
        DocumentSource.End end = DocumentSource.End.FULL;
        while (end == DocumentSource.End.FULL) {
            Chunk chunk = held == null ? visitor.empty() : held;
            held = chunk;
            end = source.fill(chunk, sink.count);
            sink.count += chunk.count();
            int last = chunk.count() - 1;
            sink.end = last < 0 ? sink.end : chunk.offset(last) + chunk.size(last);
            if (chunk.count() > 0 && sink.wanted) {
                if (sink.crc != null) {
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

        /** The CRC of the documents in an archive; null for a file, which has none. */
        final @Nullable CRC64 crc;

        long count;
        /** Where the last of these documents ends. */
        long end;

        Sink(DumpCollection collection, boolean wanted, @Nullable CRC64 crc) {
            this.collection = collection;
            this.wanted = wanted;
            this.crc = crc;
        }
    }
}
