package io.pgstress.dataset;

import io.pgstress.dataset.KeyLoader.KeyRows;
import io.pgstress.dataset.PackedKeys.KeyText;
import io.pgstress.plan.KeyType;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** The ids of a table to draw from, in key order. Immutable and thread-safe. */
public interface Keys {
    /** The number of ids, at least 1. */
    long size();

    /** Whether they are integers, which can be summed here as on the server. */
    boolean areNumbers();

    /** The id at this index if they are numbers, otherwise 0. */
    long number(long index);

    /** The id at this index as the server writes it. */
    default String text(long index) {
        return Long.toString(number(index));
    }

    /** Differs, almost certainly, if any id or their order does. */
    long checksum();

    /** Sets the parameter to the id at this index, 0 to size - 1, with the type of the key. */
    void bind(SqlStatement statement, int parameter, long index) throws SQLException;

    /** Sets a parameter to an id of an integer type. */
    static void bindNumber(SqlStatement statement, int parameter, long id, KeyType type) throws SQLException {
        if (type == KeyType.INT) {
            statement.setInt(parameter, (int) id);
        } else {
            statement.setLong(parameter, id);
        }
    }

    /** All integers from {@code first} on, so that no list of ids is needed. Immutable and thread-safe. */
    record DenseKeys(long first, long size, KeyType type) implements Keys {
        /** No ids. */
        static final Keys NONE = new DenseKeys(0, 0, KeyType.INT);

        @Override
        public boolean areNumbers() {
            return true;
        }

        @Override
        public long number(long index) {
            return first + index;
        }

        @Override
        public long checksum() {
            return 31 * first + size;
        }

        @Override
        public void bind(SqlStatement statement, int parameter, long index) throws SQLException {
            Keys.bindNumber(statement, parameter, first + index, type);
        }
    }

    /**
     * Integers with few gaps: one bit for each number between the least and the greatest, and the place of every 64th id. Numbers
     * that are missing are never drawn. Immutable and thread-safe.
     */
    final class BitmapKeys implements Keys {
        private static final int MARK = Long.SIZE;

        private final long first;
        private final long[] words;
        private final KeyType type;
        private final long size;
        private final long checksum;
        /** The bit of every {@value #MARK}th id. */
        private final long[] marks;

        private BitmapKeys(long first, long[] words, KeyType type) {
            this.first = first;
            this.words = words;
            this.type = type;
            long count = 0;
            for (long word : words) {
                count += Long.bitCount(word);
            }
            this.size = count;
            this.marks = new long[(int) ((count + MARK - 1) / MARK)];
            this.checksum = index();
        }

        /** Sets the marks; returns the checksum. */
        private long index() {
            long sum = 31 * first + size;
            long seen = 0;
            for (int w = 0; w < words.length; w++) {
                sum = 31 * sum + words[w];
                int here = Long.bitCount(words[w]);
                long next = (seen + MARK - 1) / MARK * MARK;
                if (next < seen + here) {
                    marks[(int) (next / MARK)] = (long) w * Long.SIZE + place(words[w], (int) (next - seen));
                }
                seen += here;
            }
            return sum;
        }

        /** The place of a word's bit number {@code n} among those that are set, from 0. */
        private static int place(long word, int n) {
            long rest = word;
            for (int i = 0; i < n; i++) {
                rest &= rest - 1;
            }
            return Long.numberOfTrailingZeros(rest);
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public boolean areNumbers() {
            return true;
        }

        @Override
        public long number(long index) {
            long mark = marks[(int) (index / MARK)];
            int w = (int) (mark / Long.SIZE);
            long word = words[w] & -1L << mark;
            int further = (int) (index % MARK);
            for (int here = Long.bitCount(word); further >= here; here = Long.bitCount(word)) {
                further -= here;
                word = words[++w];
            }
            return first + (long) w * Long.SIZE + place(word, further);
        }

        @Override
        public long checksum() {
            return checksum;
        }

        @Override
        public void bind(SqlStatement statement, int parameter, long index) throws SQLException {
            Keys.bindNumber(statement, parameter, number(index), type);
        }

        /** Collects ids in any order. Not thread-safe. */
        static final class Builder implements KeyRows.Sink {
            private final long first;
            private final long span;
            private final KeyType type;
            private final long[] words;

            /** @param span how many numbers from {@code first} on may be ids; below 2^37 */
            Builder(long first, long span, KeyType type) {
                this.first = first;
                this.span = span;
                this.type = type;
                this.words = new long[(int) ((span + Long.SIZE - 1) / Long.SIZE)];
            }

            /** Leaves out ids outside the span, which were inserted since it was read. */
            @Override
            public boolean add(byte[] row, int from, int to) {
                long place = KeyText.number(row, from, to) - first;
                if (place >= 0 && place < span) {
                    words[(int) (place / Long.SIZE)] |= 1L << place;
                }
                return true;
            }

            @Override
            public boolean needsOrder() {
                return false;
            }

            @Override
            public Keys keys() {
                return new BitmapKeys(first, words, type);
            }
        }
    }
}
