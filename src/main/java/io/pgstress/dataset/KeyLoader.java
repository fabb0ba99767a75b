package io.pgstress.dataset;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.Keys.BitmapKeys;
import io.pgstress.dataset.Keys.DenseKeys;
import io.pgstress.dataset.PackedKeys.PackedKeysBuilder;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.CopyStream.CopyReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Finds the ids to draw, so that reads find rows: all ids of the table, or a Bernoulli sample, in which every row has the same
 * chance whatever gaps the ids have. Integers without gaps need not be read. Others are read with one COPY.
 */
public final class KeyLoader {
    /** Most ids that are indexed, unless more are requested. */
    static final int MAX_INDEXED = 100_000_000;

    /** Average bytes per id, beyond which fewer ids are indexed. */
    private static final int BYTES_PER_ID = 16;

    /** What is left free when the ids turn out to be too long. */
    private static final double MARGIN = 0.95;

    private final Connection connection;
    private final TableName table;
    private final KeyRange range;
    private final long maxBytes;

    /** @param maxIndexed the most ids of average length that are indexed */
    KeyLoader(Connection connection, TableName table, KeyRange range, int maxIndexed) {
        this.connection = connection;
        this.table = table;
        this.range = range;
        this.maxBytes = (long) BYTES_PER_ID * maxIndexed;
    }

    /**
     * Reads the ids.
     *
     * @param sample about how many ids to draw from; 0: all of them, or as many as can be indexed
     * @param seed seed of the sample
     */
    Keys load(int sample, long seed, KeyProgress progress) throws SQLException {
        if (range.isDense() && (sample == 0 || sample >= range.ids())) {
            return new DenseKeys(range.first(), range.ids(), range.type());
        }
        long limit = sample == 0 ? maxBytes / BYTES_PER_ID : sample;
        double share = Math.min(1, (double) limit / range.ids());
        while (true) {
            double expected = share * range.ids();
            try (KeyRows.Sink sink = sink(expected)) {
                try (CopyReader copy = CopyReader.open(connection, sql(share, seed, sink))) {
                    KeyRows rows = new KeyRows(copy, sink, Math.round(expected), progress);
                    rows.readAll();
                    if (rows.shareAdded() == 1) {
                        return sink.keys();
                    }
                    share *= MARGIN * rows.shareAdded();
                }
            }
        }
    }

    private KeyRows.Sink sink(double expected) {
        return range.fitsBitmap(expected)
                ? new BitmapKeys.Builder(range.first(), range.span(), range.type())
                : new PackedKeysBuilder(range.type(), maxBytes);
    }

    private String sql(double share, long seed, KeyRows.Sink sink) throws SQLException {
        return "copy (select " + (range.key().isUnique() ? "" : "distinct ") + "_id from " + table.quoted()
                + (share < 1 ? sample(connection, share, seed) : "") + (sink.needsOrder() ? " order by _id" : "")
                + ") to stdout";
    }

    /**
     * What follows a table's name in a query for a sample of its rows: the same rows for the same seed. Before PostgreSQL 9.5,
     * which brought TABLESAMPLE, a hash of the id selects them.
     *
     * @param share the share of the rows, 0 to 1
     */
    public static String sample(Connection connection, double share, long seed) throws SQLException {
        return ControlSql.isSince(connection, 9, 5)
                ? String.format(Locale.ROOT, " tablesample bernoulli (%.6f) repeatable (%d)", 100 * share, seed)
                : String.format(
                        Locale.ROOT,
                        " where hashtext(%d || ' ' || _id::text)::bigint + 2147483648 < %d",
                        seed,
                        Math.round(share * (1L << 32)));
    }

    /**
     * How many rows and ids a table has and, if the ids are integers, between which numbers.
     *
     * @param withId number of rows that have an id
     * @param ids number of different ids
     * @param first the least id; 0 if they are not integers
     * @param last the greatest id; 0 if they are not integers
     */
    record KeyRange(long rows, long withId, long ids, long first, long last, TableColumns.Key key) {
        /** Ids in a range of at most this many times their number are kept as a bitmap, in at most a byte each. */
        private static final int MAX_GAPS = 8;

        /** The greatest bitmap's bits. */
        private static final long MAX_SPAN = 1L << 36;

        static KeyRange read(Connection connection, TableName table, TableColumns.Key key) throws SQLException {
            String ends = key.isInteger() ? "min(_id), max(_id)" : "0, 0";
            return ControlSql.first(
                            connection,
                            "select count(*), count(_id), count(" + (key.isUnique() ? "" : "distinct ") + "_id), "
                                    + ends + " from " + table.quoted(),
                            row -> new KeyRange(
                                    row.getLong(1),
                                    row.getLong(2),
                                    row.getLong(3),
                                    row.getLong(4),
                                    row.getLong(5),
                                    key))
                    .orElseThrow();
        }

        /** Whether every number between the least and the greatest is an id. */
        boolean isDense() {
            return key.isInteger() && last - first == ids - 1;
        }

        /** Whether a bitmap holds this many of the ids in at most a byte each. */
        boolean fitsBitmap(double ids) {
            long distance = last - first;
            return key.isInteger() && distance >= 0 && distance < MAX_SPAN && distance < MAX_GAPS * ids;
        }

        /** The size of the range, if a bitmap holds it. */
        long span() {
            return last - first + 1;
        }

        KeyType type() {
            return key.type();
        }
    }

    /** Is told how far the reading of ids has come. */
    @FunctionalInterface
    public interface KeyProgress {
        /** Ignores it. */
        KeyProgress NONE = (read, all) -> {};

        /**
         * Called every few thousand ids; an exception ends the reading.
         *
         * @param read number of ids read so far
         * @param all about how many will be read
         */
        void read(long read, long all);
    }

    /** The ids in the rows of a COPY with one column, in text format. Not thread-safe. */
    static final class KeyRows {
        /** Takes the ids of a table as they are read. Not thread-safe. */
        interface Sink extends AutoCloseable {
            /**
             * Adds an id, given as bytes of its text in UTF-8.
             *
             * @return false if there is no space for it
             */
            boolean add(byte[] text, int from, int to);

            /** Whether ids must be added in key order. */
            boolean needsOrder();

            /** The ids that were added; call it once, at the end. */
            Keys keys();

            /** Releases what was added, if {@link #keys} was not called. */
            @Override
            default void close() {}
        }

        /** Ids between two reports of progress, less one; a power of two less one. */
        private static final int REPORT_MASK = (1 << 14) - 1;

        private final CopyReader copy;
        private final Sink sink;
        private final long expected;
        private final KeyProgress progress;
        private long count;
        private long added;

        KeyRows(CopyReader copy, Sink sink, long expected, KeyProgress progress) {
            this.copy = copy;
            this.sink = sink;
            this.expected = expected;
            this.progress = progress;
        }

        /** The share of the ids for which there was space. Known at the end. */
        double shareAdded() {
            return count == 0 ? 1 : (double) added / count;
        }

        /** Adds ids until there is no space, and reads to the end: the driver cannot end a COPY earlier and keep its connection. */
        void readAll() throws SQLException {
            for (byte[] rows = copy.next(); rows != null; rows = copy.next()) {
                int from = 0;
                for (int i = 0; i < rows.length; i++) {
                    if (rows[i] == '\n') {
                        add(rows, from, i);
                        from = i + 1;
                    }
                }
            }
        }

        private void add(byte[] rows, int from, int to) {
            int end = unescape(rows, from, to);
            if (end < 0) {
                return;
            }
            if (added == count && sink.add(rows, from, end)) {
                added++;
            }
            count++;
            if ((count & REPORT_MASK) == 0) {
                progress.read(count, expected);
            }
        }

        /** Replaces escapes in place; returns the new end, or -1 for SQL's null. */
        private static int unescape(byte[] rows, int from, int to) {
            int at = from;
            while (at < to && rows[at] != '\\') {
                at++;
            }
            if (at == from && to == from + 2 && rows[to - 1] == 'N') {
                return -1;
            }
            int end = at;
            for (; at < to; at++) {
                rows[end++] = rows[at] == '\\' ? escaped(rows[++at]) : rows[at];
            }
            return end;
        }

        private static byte escaped(byte letter) {
            return switch (letter) {
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'v' -> 11;
                default -> letter;
            };
        }
    }
}
