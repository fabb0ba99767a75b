package io.pgstress.importer.verify;

import io.pgstress.target.driver.CopyStream.CopyReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the {@code data} of large rows back in pieces. The server creates the text of a row once and splits it. A cluster may
 * interleave the pieces of several rows, but keeps those of one row in order. Used by one thread.
 */
final class RowPieces {
    /**
     * Condition for a large row, by its stored, possibly compressed size, which the server knows without reading it. The text
     * of any other row has at most 50 MB (lz4's best ratio of 255 to 1, for control characters of 6 bytes each).
     */
    static final String ARE_NEEDED = "pg_column_size(data) > 32768";

    private static final int PIECE = 4 << 20;
    private static final int COLUMNS = 3;

    private final Map<ByteBuffer, RowHash> begun = new HashMap<>();

    /** Hashes the query's large rows. */
    void read(Connection connection, String query, StoredRows.Sink sink) throws SQLException {
        // each "offset 0" keeps the server from recomputing the text for each use
        String pieces = "select _id, substring(b from 1 + i * " + PIECE + " for " + PIECE + "), i = (n - 1) / " + PIECE
                + " from (" + query + ") r"
                + " cross join lateral (select b, octet_length(b) as n from (select jsonb_send(data) as b offset 0) t offset 0) s"
                + " cross join lateral generate_series(0, (n - 1) / " + PIECE + ") i where " + ARE_NEEDED;
        try (CopyReader copy = CopyReader.open(connection, "copy (" + pieces + ") to stdout with (format binary)")) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, COLUMNS);
                if (key >= 0) {
                    piece(message, key, sink);
                }
            }
        }
    }

    /** Hashes a piece; after the last piece of a row, passes the row on. */
    private void piece(byte[] message, int keyAt, StoredRows.Sink sink) {
        int keyEnd = RowHash.endOf(message, keyAt);
        int from = keyEnd + Integer.BYTES;
        int to = RowHash.endOf(message, keyEnd);
        ByteBuffer key = ByteBuffer.wrap(Arrays.copyOfRange(message, keyAt, keyEnd));
        RowHash hash = begun.get(key);
        if (hash == null) {
            hash = new RowHash();
            hash.begin(message, keyAt, false);
            begun.put(key, hash);
            from++; // jsonb's version
        }
        boolean last = message[to + Integer.BYTES] != 0;
        if (!last) {
            hash.more(message, from, to);
            return;
        }
        begun.remove(key);
        long row = hash.end(message, from, to);
        sink.row(hash.ofKey(), row);
    }
}
