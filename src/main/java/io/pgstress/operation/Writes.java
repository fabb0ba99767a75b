package io.pgstress.operation;

import io.pgstress.plan.TableName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * What the clients of one operation write into one table with one kind of statement.
 *
 * @param table the table as written in SQL
 * @param exclusive whether only this run writes to the table, so that unacknowledged rows are errors too
 * @param ids whether the tallies contain the sum of the ids, from an integer column {@code _id}
 * @param touched the updated ids; {@link UpdatedIds#NONE} if they are not recorded
 */
public record Writes(
        String operation,
        Kind kind,
        String table,
        boolean exclusive,
        boolean ids,
        WriteTallies tallies,
        UpdatedIds touched)
        implements TableCheck {
    @Override
    public List<WriteTallies> acknowledged() {
        return List.of(tallies);
    }

    /** What a statement does to rows. */
    public enum Kind {
        INSERT,
        DELETE,
        UPDATE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Writes to the copy table, which this run uses exclusively. */
    public static Writes copy(String operation, Kind kind, TableName copy, boolean ids, WriteTallies tallies) {
        return new Writes(operation, kind, copy.quoted(), true, ids, tallies, UpdatedIds.NONE);
    }

    /** Writes to a table that others may write to as well. */
    public static Writes shared(String operation, Kind kind, String table, WriteTallies tallies) {
        return new Writes(operation, kind, table, false, false, tallies, UpdatedIds.NONE);
    }

    /** Updates of the table under load, whose ids are recorded. */
    public static Writes updates(String operation, TableName table, WriteTallies tallies, UpdatedIds touched) {
        return new Writes(operation, Kind.UPDATE, table.quoted(), false, false, tallies, touched);
    }

    /**
     * The set of ids with an acknowledged update, one bit per id. Any thread may add ids; read it after all clients have ended.
     */
    public static final class UpdatedIds {
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
         * @param bits as of {@link #bits}; positions beyond the number of ids are ignored
         */
        public void add(byte[] bits) {
            BitSet.valueOf(bits).stream().filter(place -> place < size).forEach(this::at);
        }

        /** Number of ids updated at least once. */
        public long count() {
            return Arrays.stream(words).map(Long::bitCount).sum();
        }
    }
}
