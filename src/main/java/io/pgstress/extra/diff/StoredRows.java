package io.pgstress.extra.diff;

import io.pgstress.importer.RowHash;
import io.pgstress.target.driver.CopyStream.CopyReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows back and hashes them, in bounded memory: small rows are read as a whole first, large ones in pieces afterwards. Used by
 * one thread.
 */
final class StoredRows {
    /**
     * Condition for a large row, by its stored, possibly compressed size, which the server knows without reading it. The text
     * of any other row has at most 50 MB (lz4's best ratio of 255 to 1, for control characters of 6 bytes each).
     */
    private static final String IS_LARGE = "pg_column_size(data) > 32768";

    private static final int PIECE = 4 << 20;
    private static final int COLUMNS = 3;
    private static final int KEY_COLUMNS = 2;

    /** Receives a message with a row, and the index of its key in it. */
    @FunctionalInterface
    private interface MessageSink {
        void row(byte[] message, int key);
    }

    private final Connection connection;
    private final RowHash hash = new RowHash();
    private boolean hasLarge;

    StoredRows(Connection connection) {
        this.connection = connection;
    }

    private void each(String query, int columns, MessageSink sink) throws SQLException {
        try (CopyReader copy = CopyReader.open(connection, "copy (" + query + ") to stdout with (format binary)")) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, columns);
                if (key >= 0) {
                    sink.row(message, key);
                }
            }
        }
    }

    /** Hashes a query's rows {@code (_id, data)}; see {@link RowHash}. */
    void hash(String query, RowHashes into) throws SQLException {
        hasLarge = false;
        String small = "select _id, case when " + IS_LARGE + " then null else data end, case when " + IS_LARGE
                + " then true end from (" + query + ") r";
        each(small, COLUMNS, (message, key) -> {
            int isLarge = RowHash.endOf(message, RowHash.endOf(message, key));
            if (RowHash.length(message, isLarge) > 0) {
                hasLarge = true;
            } else {
                long row = hash.of(message, key, false);
                into.add(hash.ofKey(), row);
            }
        });
        if (hasLarge) {
            hashPieces(query, into);
        }
    }

    /**
     * Hashes the {@code data} of large rows in pieces. The server creates the text of a row once and splits it. A cluster may
     * interleave the pieces of several rows, but keeps those of one row in order.
     */
    private void hashPieces(String query, RowHashes into) throws SQLException {
        // each "offset 0" keeps the server from recomputing the text for each use
        String pieces = "select _id, substring(b from 1 + i * " + PIECE + " for " + PIECE + "), i = (n - 1) / " + PIECE
                + " from (" + query + ") r"
                + " cross join lateral (select b, octet_length(b) as n from (select jsonb_send(data) as b offset 0) t offset 0) s"
                + " cross join lateral generate_series(0, (n - 1) / " + PIECE + ") i where " + IS_LARGE;
        Map<ByteBuffer, RowHash> begun = new HashMap<>();
        each(pieces, COLUMNS, (message, keyAt) -> {
            int keyEnd = RowHash.endOf(message, keyAt);
            int from = keyEnd + Integer.BYTES;
            int to = RowHash.endOf(message, keyEnd);
            ByteBuffer key = ByteBuffer.wrap(Arrays.copyOfRange(message, keyAt, keyEnd));
            RowHash ofRow = begun.get(key);
            if (ofRow == null) {
                ofRow = new RowHash();
                ofRow.begin(message, keyAt, false);
                begun.put(key, ofRow);
                from++; // jsonb's version
            }
            boolean isLast = message[to + Integer.BYTES] != 0;
            if (isLast) {
                begun.remove(key);
                long row = ofRow.end(message, from, to);
                into.add(ofRow.ofKey(), row);
            } else {
                ofRow.more(message, from, to);
            }
        });
    }

    /**
     * Finds rows by the hashes of their keys, without reading their {@code data}.
     *
     * @param query a query of {@code _id} and its text
     * @param wanted the hashes of the keys to find, see {@link RowHash#ofKey()}
     * @param found receives the text of each key found
     */
    void find(String query, LongPredicate wanted, Consumer<String> found) throws SQLException {
        each(query, KEY_COLUMNS, (message, key) -> {
            if (wanted.test(hash.ofKey(message, key))) {
                found.accept(String.valueOf(text(message, key)));
            }
        });
    }

    /** Reads the rows of a query of {@code _id} and a text, which is passed on with the hash of the key. */
    void texts(String query, BiConsumer<Long, @Nullable String> found) throws SQLException {
        each(query, KEY_COLUMNS, (message, key) -> found.accept(hash.ofKey(message, key), text(message, key)));
    }

    /** The text after the key. */
    private static @Nullable String text(byte[] message, int key) {
        int at = RowHash.endOf(message, key);
        int length = RowHash.length(message, at);
        return length < 0 ? null : new String(message, at + Integer.BYTES, length, StandardCharsets.UTF_8);
    }
}
