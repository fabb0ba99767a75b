package io.pgstress.importer.verify;

import io.pgstress.target.driver.CopyReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

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

    /**
     * Finds rows by the hashes of their keys, without reading their {@code data}.
     *
     * @param query a query of {@code _id} and its text
     * @param wanted the hashes of the keys to find, see {@link RowHash#ofKey()}
     * @param found receives the text of each key found
     */
    public static void find(Connection connection, String query, LongPredicate wanted, Consumer<String> found)
            throws SQLException {
        RowHash hash = new RowHash();
        try (CopyReader copy = open(connection, query)) {
            for (byte[] message = copy.next(); message != null; message = copy.next()) {
                int key = RowHash.keyOf(message, KEY_COLUMNS);
                if (key >= 0 && wanted.test(hash.ofKey(message, key))) {
                    int text = RowHash.endOf(message, key);
                    int length = RowHash.length(message, text);
                    found.accept(
                            length < 0
                                    ? "null"
                                    : new String(message, text + Integer.BYTES, length, StandardCharsets.UTF_8));
                }
            }
        }
    }

    private static CopyReader open(Connection connection, String query) throws SQLException {
        return CopyReader.open(connection, "copy (" + query + ") to stdout with (format binary)");
    }
}
