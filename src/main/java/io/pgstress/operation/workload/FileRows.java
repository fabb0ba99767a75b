package io.pgstress.operation.workload;

import io.pgstress.operation.workload.RowFormat.RecordEnds;
import io.pgstress.target.driver.ServerErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows that one client sends from files. */
final class FileRows implements LoadRows {
    private final List<RowFile> files;
    private final byte[] bytes = new byte[RowFile.PORTION];
    private final EndMark mark = new EndMark();
    private RowFile file;
    private long marked;
    private long start;
    private long at;
    private long end;

    /** @param files one for each table, or one for all tables */
    FileRows(List<RowFile> files) {
        this.files = files;
        this.file = files.get(0);
    }

    @Override
    public void begin(int table, int copy) {
        file = files.get(files.size() == 1 ? 0 : table);
        try {
            start = file.startOf(copy, bytes);
            end = file.startOf(copy + 1, bytes);
            at = start;
            marked = 0;
            mark.begin(file.format());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int next() throws SQLException {
        if (at >= end) {
            return 0;
        }
        try {
            int length = (int) Math.min(file.read(bytes, at), end - at);
            int behind = mark.endIn(bytes, length);
            if (behind >= 0 && at + behind < file.size()) {
                marked = at + behind;
                throw new SQLException("a line \\. ends the data of COPY: no row after it would be loaded", "22P04");
            }
            at += length;
            return length;
        } catch (IOException e) {
            throw new SQLException("the input cannot be read: " + e, "58030", e);
        }
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public SQLException placed(SQLException e, boolean ofIndexes) {
        if (marked == 0 && !RefusedRows.areToBlame(e)) {
            return e;
        }
        try {
            return ofIndexes ? placed(e, file.begin(), file.size()) : placed(e, start, end);
        } catch (IOException unreadable) {
            e.addSuppressed(unreadable);
            return e;
        }
    }

    private SQLException placed(SQLException e, long from, long to) throws IOException {
        FileLines lines = file.lines();
        if (marked > 0) {
            return RefusedRows.withLine(e, file.name(), lines.count(0, marked));
        }
        long before = lines.count(0, from);
        long count = RefusedRows.line(e);
        long line = count == 0 ? 0 : lines.ofServer(count, from, to);
        String key = RefusedRows.key(e);
        if (line == 0 && !key.isEmpty()) {
            line = lines.lastOf(key, from, to);
        }
        return line > 0
                ? RefusedRows.withLine(e, file.name(), before + line)
                : RefusedRows.withLine(e, file.name(), before + 1, before + lines.count(from, to));
    }

    /**
     * Finds the line {@code \.}, which ends the data of COPY: servers silently ignore everything after it (in CSV before
     * PostgreSQL 18). Within quotes, it is data. Scans the bytes of a COPY portion by portion, from the start of a row. Not
     * thread-safe.
     */
    static final class EndMark {
        /** State within a row: -1 in any other row, else the number of matched bytes of the mark. */
        private static final int NO_MARK = -1;

        private static final int WHOLE = 2;

        private RecordEnds ends = RowFormat.TEXT.ends();
        private int found;

        /** Resets the state for a new COPY. */
        void begin(RowFormat format) {
            ends = format.ends();
            found = 0;
        }

        /** The offset in these bytes at which the end mark's line ends; -1 if there is none. */
        int endIn(byte[] bytes, int length) {
            for (int i = 0; i < length; i++) {
                byte next = bytes[i];
                if (ends.endsAt(next)) {
                    if (found == WHOLE) {
                        return i + 1;
                    }
                    found = 0;
                } else if (found != NO_MARK && !(found == WHOLE && next == '\r')) {
                    found = found < WHOLE && next == (found == 0 ? '\\' : '.') ? found + 1 : NO_MARK;
                }
            }
            return -1;
        }
    }

    /** Interprets a server's errors about rows of a file. Stateless. */
    static final class RefusedRows {
        /** SQLSTATE classes: data, constraint, check option, raised by a function, and internal (Citus, for errors of a worker). */
        private static final Set<String> CLASSES = Set.of("22", "23", "44", "P0", "XX");

        /** Works in any language, because it relies only on word order; line numbers of a shard are not those of the file. */
        private static final Pattern LINE = Pattern.compile("^COPY pgstress_load_\\d+, \\S+ (\\d+)(?:, \\S+ (\\w+):)?");

        private static final Pattern KEY = Pattern.compile("\\(id\\)=\\((-?\\d+)\\)");

        private RefusedRows() {}

        /** Whether the rows caused the error, not the session, the server or its tables. */
        static boolean areToBlame(SQLException e) {
            return ServerErrors.sessionIsAlive(e)
                    && CLASSES.contains(ServerErrors.stateOf(e).substring(0, 2));
        }

        /** The line within the COPY, from 1; 0 if the server does not report it. */
        static long line(SQLException e) {
            Matcher line = LINE.matcher(ServerErrors.whereOf(e));
            return line.find() ? Long.parseLong(line.group(1)) : 0;
        }

        /** The duplicate id; empty if the error is not a duplicate key. */
        static String key(SQLException e) {
            Matcher key = KEY.matcher(ServerErrors.detailOf(e));
            return key.find() ? key.group(1) : "";
        }

        /** The same error with its line number. */
        static SQLException withLine(SQLException e, String file, long line) {
            Matcher where = LINE.matcher(ServerErrors.whereOf(e));
            String column = where.find() && where.group(2) != null ? " (column " + where.group(2) + ")" : "";
            return new SQLException(file + ":" + line + ": " + what(e) + column, e.getSQLState(), e);
        }

        /** The same error with a range of lines, if the server does not report the line. */
        static SQLException withLine(SQLException e, String file, long first, long last) {
            return new SQLException(
                    String.format(
                            Locale.ROOT,
                            "%s:%d: %s; the server does not report the line, which is one of %d to %d",
                            file,
                            first,
                            what(e),
                            first,
                            last),
                    e.getSQLState(),
                    e);
        }

        private static String what(SQLException e) {
            String key = key(e);
            return ServerErrors.sampleOf(e) + (key.isEmpty() ? "" : ", id " + key);
        }
    }
}
