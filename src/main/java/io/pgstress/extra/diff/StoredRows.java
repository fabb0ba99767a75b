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
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows back and hashes them, in bounded memory: small rows are read as a whole first, large ones in pieces afterwards.
 */
public final class StoredRows {
    private static final int COLUMNS = 3;
    private static final int KEY_COLUMNS = 2;

    private StoredRows() {}

    /** Receives the hashes of rows. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives a row.
         *
         * @param key see {@link RowHash#ofKey()}
         * @param row see {@link RowHash#of}
         */
        void row(long key, long row);
    }

    /** Hashes a query's rows {@code (_id, data)}. */
    public static void read(Connection connection, String query, Sink sink) throws SQLException {
        RowHash hash = new RowHash();
        boolean large = false;
        String small = "select _id, case when " + RowPieces.ARE_NEEDED + " then null else data end, case when "
                + RowPieces.ARE_NEEDED + " then true end from (" + query + ") r";
        try (CopyReader copy = open(connection, small)) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, COLUMNS);
                if (key < 0) {
                    continue;
                }
                int isLarge = RowHash.endOf(message, RowHash.endOf(message, key));
                if (RowHash.length(message, isLarge) > 0) {
                    large = true;
                } else {
                    long row = hash.of(message, key, false);
                    sink.row(hash.ofKey(), row);
                }
            }
        }
        if (large) {
            new RowPieces().read(connection, query, sink);
        }
    }

    /** Receives rows as text. */
    @FunctionalInterface
    public interface TextSink {
        /**
         * Receives a row.
         *
         * @param key see {@link RowHash#ofKey()}
         * @param text its text
         */
        void row(long key, @Nullable String text);
    }

    /**
     * Finds rows by the hashes of their keys, without reading their {@code data}.
     *
     * @param query a query of {@code _id} and its text
     * @param wanted the hashes of the keys to find, see {@link RowHash#ofKey()}
     * @param found receives the text of each key found
     */
    public static void find(Connection connection, String query, LongPredicate wanted, Consumer<String> found)
            throws SQLException {
        each(connection, query, (key, message, text) -> {
            if (wanted.test(key)) {
                found.accept(String.valueOf(text(message, text)));
            }
        });
    }

    /** Reads the rows of a query of {@code _id} and a text. */
    public static void texts(Connection connection, String query, TextSink found) throws SQLException {
        each(connection, query, (key, message, text) -> found.row(key, text(message, text)));
    }

    /** Receives a row's message, with the hash of its key and the index of the length of its text. */
    @FunctionalInterface
    private interface MessageSink {
        void row(long key, byte[] message, int text);
    }

    private static void each(Connection connection, String query, MessageSink sink) throws SQLException {
        RowHash hash = new RowHash();
        try (CopyReader copy = open(connection, query)) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, KEY_COLUMNS);
                if (key >= 0) {
                    sink.row(hash.ofKey(message, key), message, RowHash.endOf(message, key));
                }
            }
        }
    }

    private static @Nullable String text(byte[] message, int at) {
        int length = RowHash.length(message, at);
        return length < 0 ? null : new String(message, at + Integer.BYTES, length, StandardCharsets.UTF_8);
    }

    private static CopyReader open(Connection connection, String query) throws SQLException {
        return CopyReader.open(connection, "copy (" + query + ") to stdout with (format binary)");
    }

    /**
     * Reads the {@code data} of large rows back in pieces. The server creates the text of a row once and splits it. A cluster may
     * interleave the pieces of several rows, but keeps those of one row in order. Used by one thread.
     */
    static final class RowPieces {
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
            String pieces =
                    "select _id, substring(b from 1 + i * " + PIECE + " for " + PIECE + "), i = (n - 1) / " + PIECE
                            + " from (" + query + ") r"
                            + " cross join lateral (select b, octet_length(b) as n from (select jsonb_send(data) as b offset 0) t offset 0) s"
                            + " cross join lateral generate_series(0, (n - 1) / " + PIECE + ") i where " + ARE_NEEDED;
            try (CopyReader copy =
                    CopyReader.open(connection, "copy (" + pieces + ") to stdout with (format binary)")) {
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
}
