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
 * The hashes of one side's rows, each with the hash of its key. They are kept in memory as long as there is room, and otherwise in
 * a temporary file of 16 bytes per row. Add all, then read the {@link #part}s. Used by one thread at a time.
 */
final class RowHashes implements Closeable {
    private static final int FIRST_PAIRS = 1 << 12;

    private final PairMemory memory;
    private long[] held = new long[2 * FIRST_PAIRS];
    private int used;
    private int taken;
    private long count;
    private @Nullable PairFile file;
    private int @Nullable [] starts;

    RowHashes(PairMemory memory) {
        this.memory = memory;
    }

    /**
     * Adds a row.
     *
     * @throws UncheckedIOException if the temporary file cannot be written
     */
    void add(long key, long row) {
        if (2 * used == held.length) {
            makeRoom();
        }
        held[2 * used] = key;
        held[2 * used + 1] = row;
        used++;
        count++;
    }

    private void makeRoom() {
        int more = used;
        if (file == null && more < 1 << 28 && memory.take(more)) {
            taken += more;
            held = Arrays.copyOf(held, 2 * held.length);
            return;
        }
        try {
            spill();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void spill() throws IOException {
        if (file == null) {
            file = new PairFile();
        }
        long[] ordered = new long[2 * used];
        file.write(ordered, PairSort.partition(held, used, ordered));
        used = 0;
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
        if (file != null) {
            if (used > 0) {
                spill();
                free();
            }
            long[] pairs = file.read(part);
            return PairSort.sort(pairs, pairs.length / 2);
        }
        if (starts == null) {
            held = PairSort.sort(held, used);
            starts = PairSort.starts(held, used);
        }
        return Arrays.copyOfRange(held, 2 * starts[part], 2 * starts[part + 1]);
    }

    private void free() {
        held = new long[0];
        used = 0;
        memory.give(taken);
        taken = 0;
    }

    /** Frees the memory and deletes the file. */
    @Override
    public void close() throws IOException {
        free();
        if (file != null) {
            file.close();
        }
    }

    /** A temporary file of pairs, in segments that are each ordered by part. Deleted when it is closed. Used by one thread. */
    static final class PairFile implements Closeable {
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

    /** The memory that all {@link RowHashes} of a comparison may take together, counted in pairs. Thread-safe. */
    static final class PairMemory {
        /** One of so many bytes of the heap is for a pair of 16 bytes; sorting takes the same once more. */
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
            long before = free.get();
            while (before >= pairs) {
                if (free.compareAndSet(before, before - pairs)) {
                    return true;
                }
                before = free.get();
            }
            return false;
        }

        /** Gives room back. */
        void give(int pairs) {
            free.addAndGet(pairs);
        }
    }

    /**
     * Sorts pairs of longs, one after the other in an array, by their first numbers as unsigned: a radix sort by bytes, which keeps
     * the order of pairs with the same first number.
     */
    static final class PairSort {
        static final int PARTS = 256;
        private static final int LAST_SHIFT = Long.SIZE - Byte.SIZE;

        private PairSort() {}

        /** Sorts the first {@code count} pairs; returns the array that has them then: this one, or another of the same length. */
        static long[] sort(long[] pairs, int count) {
            long[] from = pairs;
            long[] to = new long[pairs.length];
            for (int shift = 0; shift <= LAST_SHIFT; shift += Byte.SIZE) {
                int[] starts = starts(from, count, shift);
                if (!isOnePart(starts, count)) {
                    scatter(from, count, shift, starts, to);
                    long[] free = from;
                    from = to;
                    to = free;
                }
            }
            return from;
        }

        /** Copies the pairs, ordered by the first number's most significant byte; returns where each part starts, and the end. */
        static int[] partition(long[] pairs, int count, long[] to) {
            int[] starts = starts(pairs, count, LAST_SHIFT);
            scatter(pairs, count, LAST_SHIFT, starts, to);
            return starts;
        }

        /** The index of the first pair of each part, in sorted pairs, and the end. */
        static int[] starts(long[] sorted, int count) {
            return starts(sorted, count, LAST_SHIFT);
        }

        private static int[] starts(long[] pairs, int count, int shift) {
            int[] starts = new int[PARTS + 1];
            for (int i = 0; i < count; i++) {
                starts[part(pairs[2 * i], shift) + 1]++;
            }
            for (int part = 0; part < PARTS; part++) {
                starts[part + 1] += starts[part];
            }
            return starts;
        }

        private static boolean isOnePart(int[] starts, int count) {
            for (int part = 0; part < PARTS; part++) {
                if (starts[part + 1] != starts[part]) {
                    return starts[part + 1] - starts[part] == count;
                }
            }
            return true;
        }

        private static void scatter(long[] from, int count, int shift, int[] starts, long[] to) {
            int[] next = starts.clone();
            for (int i = 0; i < count; i++) {
                int at = next[part(from[2 * i], shift)]++;
                to[2 * at] = from[2 * i];
                to[2 * at + 1] = from[2 * i + 1];
            }
        }

        private static int part(long key, int shift) {
            return (int) (key >>> shift) & (PARTS - 1);
        }
    }
}
