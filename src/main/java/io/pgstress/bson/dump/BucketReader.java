package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.timeseries.BucketUnpacker;
import io.pgstress.bson.timeseries.ColumnException;
import io.pgstress.bson.timeseries.TimeSeries;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the measurements of a time series instead of its buckets. Their offsets count the bytes of unpacked measurements. The
 * same input and capacity always give the same chunks. Not thread-safe.
 */
final class BucketReader implements DocumentSource {
    /** Receives the buckets as they are in the input. */
    interface Buckets {
        /** Receives buckets that were read. */
        void read(Chunk buckets);

        /** Passes over a bucket that cannot be unpacked; the document with this number is missing. */
        void refused(Chunk buckets, int bucket, long ordinal, BsonException why) throws IOException;
    }

    /** Size of the chunks of buckets. */
    static final int BUCKET_BYTES = 1 << 20;

    private final int capacity;
    private final String label;
    private final BucketUnpacker unpacker;
    private final Buckets to;
    private final Chunk buckets = new Chunk(BUCKET_BYTES);
    private final ByteSink measurements = new ByteSink(BUCKET_BYTES);
    private DocumentReader in;
    private DocumentReader.End end = DocumentReader.End.FULL;
    private int nextBucket;
    private int nextMeasurement;
    private long offset;
    private @Nullable IOException fault;

    /**
     * @param capacity size of the chunks of measurements
     * @param label names the input in messages
     */
    BucketReader(DocumentReader in, TimeSeries series, int capacity, String label, Buckets to) {
        this.in = in;
        this.capacity = capacity;
        this.label = label;
        this.to = to;
        unpacker = new BucketUnpacker(series);
    }

    /** Continues with another block of an archive. */
    BucketReader continueWith(DocumentReader block) {
        in = block;
        end = DocumentReader.End.FULL;
        return this;
    }

    @Override
    public DocumentReader.End fill(Chunk chunk, long firstOrdinal) throws IOException {
        long ordinal = firstOrdinal;
        chunk.restart(capacity, ordinal, offset);
        while (take(chunk)) {
            if (nextBucket < buckets.count()) {
                try {
                    unpackNext();
                } catch (ColumnException e) {
                    if (chunk.count() > 0) {
                        return DocumentReader.End.FULL; // the next call finds the fault again
                    }
                    refuse(ordinal++, e);
                    chunk.restart(capacity, ordinal, offset);
                }
            } else if (end != DocumentReader.End.FULL) {
                return end;
            } else if (!readBuckets(chunk.count() > 0)) {
                return DocumentReader.End.FULL;
            }
        }
        return DocumentReader.End.FULL;
    }

    /** Adds the measurements of the last bucket; false if the chunk is full. */
    private boolean take(Chunk chunk) {
        while (nextMeasurement < measurements.length()) {
            int size = Bytes.intAt(measurements.array(), nextMeasurement);
            if (chunk.count() > 0 && size > capacity - chunk.length()) {
                return false;
            }
            int at = chunk.length();
            System.arraycopy(measurements.array(), nextMeasurement, chunk.add(size), at, size);
            nextMeasurement += size;
            offset += size;
        }
        return true;
    }

    private void unpackNext() throws ColumnException {
        nextMeasurement = 0;
        measurements.shrink(BUCKET_BYTES);
        try {
            unpacker.unpack(buckets.array(), buckets.start(nextBucket), measurements);
        } catch (ColumnException e) {
            measurements.clear();
            throw e;
        }
        nextBucket++;
    }

    private void refuse(long ordinal, ColumnException e) throws IOException {
        long at = buckets.offset(nextBucket);
        String found = String.valueOf(e.getMessage());
        to.refused(buckets, nextBucket, ordinal, new BsonException(label, at, "a bucket of a time series", found, e));
        nextBucket++;
    }

    /** Reads the next buckets; false if that fails and measurements were read before. */
    private boolean readBuckets(boolean any) throws IOException {
        IOException earlier = fault;
        if (earlier != null) {
            throw earlier;
        }
        nextBucket = 0;
        try {
            end = in.fill(buckets, 0);
        } catch (IOException e) {
            if (!any) {
                throw e;
            }
            fault = e;
            return false;
        }
        to.read(buckets);
        return true;
    }
}
