package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.CopyStream.CopyReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Finds the ids to draw, so that reads find rows: all ids of the table, or a Bernoulli sample, in which every row has the same
 * chance whatever gaps the ids have. Integers without gaps need not be read. Others are read with one COPY.
 */
final class KeyLoader {
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
        if (range.isDense() && (sample == 0 || sample >= range.rows())) {
            return new DenseKeys(range.first(), range.rows(), range.type());
        }
        long limit = sample == 0 ? maxBytes / BYTES_PER_ID : sample;
        double share = Math.min(1, (double) limit / range.rows());
        while (true) {
            double expected = share * range.rows();
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

    private String sql(double share, long seed, KeyRows.Sink sink) {
        return "copy (select _id from " + table.quoted() + (share < 1 ? sample(share, seed) : "")
                + (sink.needsOrder() ? " order by _id" : "") + ") to stdout";
    }

    private static String sample(double share, long seed) {
        return String.format(Locale.ROOT, " tablesample bernoulli (%.6f) repeatable (%d)", 100 * share, seed);
    }
}
