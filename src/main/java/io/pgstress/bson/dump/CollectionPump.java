package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.InputWindow;
import io.pgstress.bson.timeseries.TimeSeries;
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
        Sink sink = new Sink(collection, visitor, chunkBytes);
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
        DocumentSource source = sink.source(in, blocks);
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
    static class Sink implements BucketReader.Buckets {
        final DumpCollection collection;
        long count;
        private final DumpVisitor visitor;
        private final int chunkBytes;
        private @Nullable BucketReader buckets;

        Sink(DumpCollection collection, DumpVisitor visitor, int chunkBytes) {
            this.collection = collection;
            this.visitor = visitor;
            this.chunkBytes = chunkBytes;
        }

        /** The documents of the input or block; of a time series, its measurements. */
        DocumentSource source(InputWindow in, boolean inBlocks) {
            TimeSeries series = collection.timeSeries();
            if (series == null) {
                return new DocumentReader(in, chunkBytes, inBlocks);
            }
            DocumentReader reader = new DocumentReader(in, BucketReader.BUCKET_BYTES, inBlocks);
            BucketReader earlier = buckets;
            BucketReader source = earlier == null
                    ? new BucketReader(reader, series, chunkBytes, in.label(), this)
                    : earlier.continueWith(reader);
            buckets = source;
            return source;
        }

        @Override
        public void read(Chunk chunkOfBuckets) {}

        @Override
        public void refused(Chunk chunkOfBuckets, int bucket, long ordinal, BsonException why) throws IOException {
            visitor.refused(collection, chunkOfBuckets, bucket, ordinal, why);
            count++;
        }

        /** Counts the documents; returns whether the visitor wants them. */
        boolean take(Chunk chunk) {
            count += chunk.count();
            return true;
        }
    }
}
