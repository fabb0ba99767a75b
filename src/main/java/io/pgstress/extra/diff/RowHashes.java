package io.pgstress.extra.diff;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
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
}
