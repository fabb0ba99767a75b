package io.pgstress.operation;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The set of ids with an acknowledged update, one byte per id. Clients only ever set bytes, so they need no
 * synchronization; read it after all clients have ended.
 */
public final class UpdatedIds {
    /** For operations that do not record updated ids. */
    public static final UpdatedIds NONE = new UpdatedIds(0);

    private final byte[] places;

    /** @param size the number of ids */
    public UpdatedIds(int size) {
        this.places = new byte[size];
    }

    /** Records an acknowledged update of the id at this position. */
    public void at(int place) {
        places[place] = 1;
    }

    public void clear() {
        Arrays.fill(places, (byte) 0);
    }

    public boolean isNoted() {
        return places.length > 0;
    }

    /** The positions of the updated ids, a bit each; for another host. */
    public byte[] bits() {
        BitSet set = new BitSet(places.length);
        for (int place = 0; place < places.length; place++) {
            set.set(place, places[place] != 0);
        }
        return set.toByteArray();
    }

    /**
     * Adds the ids that another host updated.
     *
     * @param bits as of {@link #bits}; positions beyond the number of ids are left out
     */
    public void add(byte[] bits) {
        BitSet.valueOf(bits).stream().filter(place -> place < places.length).forEach(this::at);
    }

    /** Number of ids updated at least once. */
    public long count() {
        long count = 0;
        for (byte place : places) {
            count += place;
        }
        return count;
    }
}
