package io.pgstress.operation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The set of ids with an acknowledged update, one bit per id. Any thread may add ids; read it after all clients have ended.
 */
public final class UpdatedIds {
    /** For operations that do not record updated ids. */
    public static final UpdatedIds NONE = new UpdatedIds(0);

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long size;
    private final long[] words;

    /** @param size the number of ids, below 2^37 */
    public UpdatedIds(long size) {
        this.size = size;
        this.words = new long[(int) ((size + Long.SIZE - 1) / Long.SIZE)];
    }

    /** Records an acknowledged update of the id at this position. */
    public void at(long place) {
        int word = (int) (place / Long.SIZE);
        long bit = 1L << place;
        if ((words[word] & bit) == 0) {
            WORD.getAndBitwiseOr(words, word, bit);
        }
    }

    public void clear() {
        Arrays.fill(words, 0);
    }

    public boolean isNoted() {
        return size > 0;
    }

    /** The positions of the updated ids, a bit each; for another host. */
    public byte[] bits() {
        return BitSet.valueOf(words).toByteArray();
    }

    /**
     * Adds the ids that another host updated.
     *
     * @param bits as of {@link #bits}; positions beyond the number of ids are left out
     */
    public void add(byte[] bits) {
        BitSet.valueOf(bits).stream().filter(place -> place < size).forEach(this::at);
    }

    /** Number of ids updated at least once. */
    public long count() {
        return Arrays.stream(words).map(Long::bitCount).sum();
    }
}
