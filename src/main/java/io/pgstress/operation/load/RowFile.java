package io.pgstress.operation.load;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Unreadable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;

/**
 * A file of rows in COPY's text format, one per line, split at line ends into COPYs of about equal size. Shared by all
 * clients; each has its own {@link #rows}.
 */
final class RowFile implements AutoCloseable {
    private static final int PORTION = 1 << 16;

    private final String name;
    private final FileChannel channel;
    private final long size;
    private final double rowBytes;
    private final long copyBytes;

    /** @throws InvalidPlanException if it cannot be read or contains no complete line */
    RowFile(Path file, int copyRows) {
        name = file.toString();
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ);
            size = channel.size();
            rowBytes = rowBytes();
        } catch (IOException e) {
            throw new InvalidPlanException("--input: " + file + " cannot be read: " + Unreadable.reason(e)
                    + "; name a file of rows, or leave out --input to generate them");
        }
        if (rowBytes == 0) {
            throw new InvalidPlanException("--input: " + file
                    + (size == 0 ? " is empty" : " has no line within its first " + PORTION + " bytes")
                    + "; it needs one line per row, in COPY's text format");
        }
        copyBytes = Math.max(1, (long) (rowBytes * copyRows));
    }

    /** Mean row length of the lines at the start of the file. */
    private double rowBytes() throws IOException {
        byte[] first = new byte[PORTION];
        int length = read(first, 0);
        int lines = 0;
        int whole = 0;
        for (int i = 0; i < length; i++) {
            if (first[i] == '\n') {
                lines++;
                whole = i + 1;
            }
        }
        if (lines == 0 && length == size) {
            return length; // one line, ended by the end of the file
        }
        return lines == 0 ? 0 : (double) whole / lines;
    }

    private int read(byte[] to, long from) throws IOException {
        return Math.max(0, channel.read(ByteBuffer.wrap(to), from));
    }

    int copies() {
        return (int) ((size + copyBytes - 1) / copyBytes);
    }

    /** Mean length of a row in bytes, estimated from the start of the file. */
    double meanRowBytes() {
        return rowBytes;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows for one client. */
    LoadRows rows() {
        return new OfClient();
    }

    /** One client's rows. A line belongs to the COPY in whose byte range it begins. */
    private final class OfClient implements LoadRows {
        private final byte[] bytes = new byte[PORTION];
        private final EndMark mark = new EndMark();
        private long marked;
        private long start;
        private long at;
        private long end;

        @Override
        public void begin(int copy) {
            try {
                start = lineFrom(copy * copyBytes);
                end = lineFrom(Math.min(size, (copy + 1) * copyBytes));
                at = start;
                marked = 0;
                mark.begin();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The start of the first line at or after this position. */
        private long lineFrom(long from) throws IOException {
            if (from == 0) {
                return 0;
            }
            for (long look = from - 1; look < size; look += bytes.length) {
                int length = read(bytes, look);
                for (int i = 0; i < length; i++) {
                    if (bytes[i] == '\n') {
                        return look + i + 1;
                    }
                }
            }
            return size;
        }

        @Override
        public int next() throws SQLException {
            if (at >= end) {
                return 0;
            }
            try {
                int length = (int) Math.min(read(bytes, at), end - at);
                int behind = mark.endIn(bytes, length);
                if (behind >= 0 && at + behind < size) {
                    marked = at + behind;
                    throw new SQLException(
                            "a line \\. ends the data of COPY: no row after it would be loaded", "22P04");
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
                return ofIndexes ? placed(e, 0, size) : placed(e, start, end);
            } catch (IOException unreadable) {
                e.addSuppressed(unreadable);
                return e;
            }
        }

        private SQLException placed(SQLException e, long from, long to) throws IOException {
            FileLines lines = new FileLines(RowFile.this::read);
            if (marked > 0) {
                return RefusedRows.withLine(e, name, lines.count(0, marked));
            }
            long before = lines.count(0, from);
            long line = RefusedRows.line(e);
            String key = RefusedRows.key(e);
            if (line == 0 && !key.isEmpty()) {
                line = lines.lastOf(key, from, to);
            }
            return line > 0
                    ? RefusedRows.withLine(e, name, before + line)
                    : RefusedRows.withLine(e, name, before + 1, before + lines.count(from, to));
        }
    }
}
