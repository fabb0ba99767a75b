package io.pgstress.operation;

/**
 * The ids with an acknowledged update, a byte each, which any client sets and none clears: clients need no order among
 * themselves. Read when all have ended.
 */
public final class UpdatedIds {
    /** Of operations that do not note them. */
    public static final UpdatedIds NONE = new UpdatedIds(0);

    private final byte[] places;

    /** @param size how many ids there are */
    public UpdatedIds(int size) {
        this.places = new byte[size];
    }

    /** An update of the id at this place was acknowledged. */
    public void at(int place) {
        places[place] = 1;
    }

    public void clear() {
        java.util.Arrays.fill(places, (byte) 0);
    }

    public boolean isNoted() {
        return places.length > 0;
    }

    /** How many ids were updated at least once. */
    public long count() {
        long count = 0;
        for (byte place : places) {
            count += place;
        }
        return count;
    }
}
