package io.pgstress.dataset;

import io.pgstress.target.driver.CopyStream.CopyReader;
import java.sql.SQLException;

/** The ids in the rows of a COPY with one column, in text format. Not thread-safe. */
final class KeyRows {
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
