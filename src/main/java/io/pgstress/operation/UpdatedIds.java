package io.pgstress.operation;

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
        java.util.Arrays.fill(places, (byte) 0);
    }

    public boolean isNoted() {
        return places.length > 0;
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
