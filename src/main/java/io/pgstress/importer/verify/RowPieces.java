package io.pgstress.importer.verify;

import io.pgstress.target.driver.CopyReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the {@code data} of large rows back by pieces. The server makes the text of a row once and cuts it. A cluster may send the pieces
 * of several rows in turn, those of one row in their order. Belongs to one thread.
 */
final class RowPieces {
    /**
     * Whether a row is large, by the bytes that it takes in the table, compressed as they may be, which costs the server nothing to
     * tell: text of one that is not has 50 MB at most (lz4 at its best, 255 to 1, of control characters, 6 bytes each).
     */
    static final String ARE_NEEDED = "pg_column_size(data) > 32768";

    private static final int PIECE = 4 << 20;
    private static final int COLUMNS = 3;

    private final Map<ByteBuffer, RowHash> begun = new HashMap<>();

    /** What the hashes of a query's large rows add to a sum in which their {@code data} was taken for null. */
    long added(Connection connection, String query) throws SQLException {
        // each "offset 0" keeps the server from making the text anew for each use of it
        String pieces = "select _id, substring(b from 1 + i * " + PIECE + " for " + PIECE + "), i = (n - 1) / " + PIECE
                + " from (" + query + ") r"
                + " cross join lateral (select b, octet_length(b) as n from (select jsonb_send(data) as b offset 0) t offset 0) s"
                + " cross join lateral generate_series(0, (n - 1) / " + PIECE + ") i where " + ARE_NEEDED;
        long sum = 0;
        try (CopyReader copy = CopyReader.open(connection, "copy (" + pieces + ") to stdout with (format binary)")) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, COLUMNS);
                if (key >= 0) {
                    sum += piece(message, key);
                }
            }
        }
        return sum;
    }

    /** Hashes a piece; what its row adds if that was the last, else 0. */
    private long piece(byte[] message, int keyAt) {
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
            return 0;
        }
        begun.remove(key);
        return hash.end(message, from, to) - hash.withoutData();
    }
}
