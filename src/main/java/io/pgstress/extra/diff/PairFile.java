package io.pgstress.extra.diff;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A temporary file of pairs, in segments that are each ordered by part. Deleted when it is closed. Used by one thread. */
final class PairFile implements Closeable {
    private static final int PAIR = 2 * Long.BYTES;

    private final FileChannel channel;
    /** For each segment, the index of the first pair of each part in it, and the end. */
    private final List<int[]> segments = new ArrayList<>();

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private long length;

    PairFile() throws IOException {
        Path file = Files.createTempFile("pgstress-diff", null);
        channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Appends pairs that are ordered by part. */
    void write(long[] pairs, int[] starts) throws IOException {
        segments.add(starts);
        for (int from = 0; from < pairs.length; ) {
            int longs = Math.min(pairs.length - from, buffer.capacity() / Long.BYTES);
            buffer.clear().limit(longs * Long.BYTES);
            buffer.asLongBuffer().put(pairs, from, longs);
            while (buffer.hasRemaining()) {
                length += channel.write(buffer, length);
            }
            from += longs;
        }
    }

    /** The pairs of a part, in the order in which they were written. */
    long[] read(int part) throws IOException {
        int total = 0;
        for (int[] starts : segments) {
            total = Math.addExact(total, starts[part + 1] - starts[part]);
        }
        long[] pairs = new long[2 * total];
        int at = 0;
        long segment = 0;
        for (int[] starts : segments) {
            int count = starts[part + 1] - starts[part];
            read(segment + (long) PAIR * starts[part], pairs, at, 2 * count);
            at += 2 * count;
            segment += (long) PAIR * starts[PairSort.PARTS];
        }
        return pairs;
    }

    private void read(long position, long[] to, int at, int count) throws IOException {
        long next = position;
        for (int done = 0; done < count; ) {
            int longs = Math.min(count - done, buffer.capacity() / Long.BYTES);
            buffer.clear().limit(longs * Long.BYTES);
            while (buffer.hasRemaining()) {
                int read = channel.read(buffer, next);
                if (read < 0) {
                    throw new EOFException("a temporary file of the comparison was truncated");
                }
                next += read;
            }
            buffer.flip();
            buffer.asLongBuffer().get(to, at + done, longs);
            done += longs;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
