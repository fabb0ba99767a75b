package io.pgstress.importer.verify;

import io.pgstress.target.driver.CopyStream.CopyReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
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
}
