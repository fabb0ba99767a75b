package io.pgstress.extra.diff;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of one side's rows, each with the hash of its key, in parts by the most significant byte of the latter. They are kept
 * in memory as long as there is room, and otherwise in a temporary file of 16 bytes per row. Add all, then read the {@link
 * #part}s. Used by one thread at a time.
 */
final class RowHashes implements Closeable {
    static final int PARTS = 256;
    private static final int PART_SHIFT = Long.SIZE - Byte.SIZE;
    private static final int FIRST_PAIRS = 16;
    /** Pairs for which a part has room even if there is no memory left, so that a segment of the file is about 4 MiB. */
    private static final int MIN_PAIRS = 1024;

    private final PairMemory memory;
    /** Pairs of hashes, those of key and row alternating, by part. */
    private final long[][] held = new long[PARTS][2 * FIRST_PAIRS];
    /** The number of pairs by part. */
    private final int[] used = new int[PARTS];

    private long taken;
    private long count;
    private @Nullable PairFile file;

    RowHashes(PairMemory memory) {
        this.memory = memory;
    }

    /**
     * Adds a row.
     *
     * @throws UncheckedIOException if the temporary file cannot be written
     */
    void add(long key, long row) {
        int part = (int) (key >>> PART_SHIFT);
        if (2 * used[part] == held[part].length) {
            makeRoom(part);
        }
        int at = 2 * used[part]++;
        held[part][at] = key;
        held[part][at + 1] = row;
        count++;
    }

    private void makeRoom(int part) {
        int more = used[part];
        boolean isSmall = more < MIN_PAIRS;
        if (isSmall || (file == null && more < 1 << 28 && memory.take(more))) {
            taken += isSmall ? 0 : more;
            held[part] = Arrays.copyOf(held[part], 2 * held[part].length);
            return;
        }
        try {
            if (file == null) {
                file = new PairFile();
            }
            file.write(held, used);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Arrays.fill(used, 0);
    }

    /** The number of segments that were written to the file. */
    int segments() {
        return file == null ? 0 : file.segments.size();
    }

    /** The number of rows. */
    long count() {
        return count;
    }

    /**
     * The hashes of keys and rows, alternating, of the keys whose hash has this most significant byte: in ascending unsigned order
     * of the keys' hashes, and for equal ones as they were added.
     */
    long[] part(int part) throws IOException {
        long[] written = file == null ? new long[0] : file.read(part);
        long[] pairs = Arrays.copyOf(written, written.length + 2 * used[part]);
        System.arraycopy(held[part], 0, pairs, written.length, 2 * used[part]);
        return sorted(pairs);
    }

    /** The pairs of one part, whose keys have the same sign, in the order of their keys. */
    private static long[] sorted(long[] pairs) {
        long[] keys = new long[pairs.length / 2];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = pairs[2 * i];
        }
        Arrays.sort(keys);
        int[] placed = new int[keys.length];
        long[] sorted = new long[pairs.length];
        for (int i = 0; i < pairs.length; i += 2) {
            int first = firstOf(pairs[i], keys);
            int at = 2 * (first + placed[first]++);
            sorted[at] = pairs[i];
            sorted[at + 1] = pairs[i + 1];
        }
        return sorted;
    }

    private static int firstOf(long key, long[] sorted) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Frees the memory and deletes the file. */
    @Override
    public void close() throws IOException {
        Arrays.fill(held, new long[0]);
        Arrays.fill(used, 0);
        memory.give(taken);
        taken = 0;
        if (file != null) {
            file.close();
        }
    }

    /** A temporary file of pairs, in segments that are each ordered by part. Deleted when it is closed. Used by one thread. */
    private static final class PairFile implements Closeable {
        private static final int PAIR = 2 * Long.BYTES;

        private final FileChannel channel;
        /** For each segment, the positions in the file at which the parts begin, and the end. */
        private final List<long[]> segments = new ArrayList<>();

        private long length;

        PairFile() throws IOException {
            Path file = Files.createTempFile("pgstress-diff", null);
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }

        /** Appends the pairs of all parts as a segment. */
        void write(long[][] pairs, int[] counts) throws IOException {
            long[] starts = new long[PARTS + 1];
            for (int part = 0; part < PARTS; part++) {
                starts[part] = length;
                ByteBuffer bytes = ByteBuffer.allocate(PAIR * counts[part]);
                bytes.asLongBuffer().put(pairs[part], 0, 2 * counts[part]);
                while (bytes.hasRemaining()) {
                    length += channel.write(bytes, length);
                }
            }
            starts[PARTS] = length;
            segments.add(starts);
        }

        /** The pairs of a part, in the order in which they were written. */
        long[] read(int part) throws IOException {
            long total = 0;
            for (long[] starts : segments) {
                total += starts[part + 1] - starts[part];
            }
            long[] pairs = new long[Math.toIntExact(total / Long.BYTES)];
            int filled = 0;
            for (long[] starts : segments) {
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(starts[part + 1] - starts[part]));
                while (bytes.hasRemaining()) {
                    if (channel.read(bytes, starts[part] + bytes.position()) < 0) {
                        throw new EOFException("a temporary file of the comparison was truncated");
                    }
                }
                int longs = bytes.flip().limit() / Long.BYTES;
                bytes.asLongBuffer().get(pairs, filled, longs);
                filled += longs;
            }
            return pairs;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** The memory that all {@link RowHashes} of a comparison may take together, counted in pairs. Thread-safe. */
    static final class PairMemory {
        /** One of so many bytes of the heap is for a pair of 16 bytes; sorting takes more for a part. */
        private static final int HEAP_BYTES_PER_PAIR = 128;

        private static final long MAX_PAIRS = 1 << 24;

        private final AtomicLong free;

        /** @param pairs the number of pairs */
        PairMemory(long pairs) {
            free = new AtomicLong(pairs);
        }

        /** An eighth of the heap, at most 256 MiB. */
        static PairMemory ofHeap() {
            return new PairMemory(Math.min(MAX_PAIRS, Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_PAIR));
        }

        /** Takes room for more pairs, if there is enough. */
        boolean take(int pairs) {
            return free.getAndUpdate(left -> left >= pairs ? left - pairs : left) >= pairs;
        }

        /** Gives room back. */
        void give(long pairs) {
            free.addAndGet(pairs);
        }
    }
}
