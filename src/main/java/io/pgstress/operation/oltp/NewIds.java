package io.pgstress.operation.oltp;

import io.pgstress.plan.option.InvalidPlanException;
import org.jspecify.annotations.Nullable;

/**
 * The ids that the clients of all hosts insert, each id once. A host uses the ids with one remainder, so hosts never
 * collide, even if they start from different ids. Immutable.
 *
 * @param base greater than the ids in the tables
 * @param last the greatest id that the column can hold
 * @param shuffle the order of the ids; null: ascending
 */
record NewIds(long base, long last, @Nullable IdShuffle shuffle) {
    /** Returned when no ids are left. */
    static final long NONE = -1;

    private static final long MIN_RANDOM = 1_000_000;

    /** The greatest {@code integer}, and a limit for {@code bigint} from which sums cannot overflow. */
    static long last(boolean isBigint) {
        return isBigint ? 1L << 62 : Integer.MAX_VALUE;
    }

    static NewIds ascending(long greatest, long last) {
        return new NewIds(greatest + 1, last, null);
    }

    /**
     * Ids in random order, spread over half of those that are left. The other half is for the next run, if the tables are not emptied.
     *
     * @throws InvalidPlanException if fewer than a million ids are left for this
     */
    static NewIds random(long greatest, long last, long seed) {
        long base = greatest + 1;
        long size = (last - base) / 2;
        if (size < MIN_RANDOM) {
            throw new InvalidPlanException("id-order: random spreads the ids over half of those that are left, and"
                    + " sbtest has ids up to " + greatest + " of " + last
                    + "; empty its tables (truncate), or make id a bigint");
        }
        return new NewIds(base, last, new IdShuffle(size, seed));
    }

    boolean isLong() {
        return last > Integer.MAX_VALUE;
    }

    /**
     * A client's id; {@link #NONE} if it has no more.
     *
     * @param turn how many ids the client has used
     */
    long id(int client, int clients, long turn) {
        long place = client + turn * clients;
        if (shuffle != null) {
            if (place >= shuffle.size()) {
                return NONE;
            }
            place = shuffle.at(place);
        }
        long id = base + place;
        return id > last ? NONE : id;
    }
}
