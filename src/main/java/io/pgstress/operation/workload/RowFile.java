package io.pgstress.operation.workload;

import io.pgstress.operation.workload.RowFormat.RecordEnds;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows, split at the ends of rows into COPYs of about equal size: a row belongs to the COPY in whose range of bytes
 * it begins. A CSV file is read once to find which ranges begin within quotes. Shared by all clients; immutable.
 */
final class RowFile implements AutoCloseable {
    static final int PORTION = 1 << 16;

    private static final int SCAN_PORTION = 1 << 20;

    private final String name;
    private final RowFormat format;
    private final FileChannel channel;
    private final long size;
    private final long begin;
    private final double rowBytes;
    private final long copyBytes;
    /** The COPYs whose range of bytes begins after a byte within quotes. */
    private final BitSet quoted;

    /** @throws InvalidPlanException if it cannot be read, contains no complete row or ends within quotes */
    RowFile(Path file, RowFormat format, int copyRows) {
        this.name = file.toString();
        this.format = format;
        @Nullable FileChannel opened = null;
        try {
            opened = FileChannel.open(file, StandardOpenOption.READ);
            channel = opened;
            size = channel.size();
            byte[] first = new byte[PORTION];
            int length = read(first, 0);
            RecordEnds ends = format.ends();
            int rows = 0;
            int start = format.hasHeader() ? -1 : 0;
            int whole = 0;
            for (int i = 0; i < length; i++) {
                if (ends.endsAt(first[i])) {
                    rows += start < 0 ? 0 : 1;
                    start = start < 0 ? i + 1 : start;
                    whole = i + 1;
                }
            }
            boolean isOneRow = length == size && start >= 0 && start < size; // ended by the end of the file
            if (rows == 0 && !isOneRow) {
                throw new InvalidPlanException("--input: " + name + problem(size, length < size)
                        + "; it needs one line per row, in " + format.label());
            }
            begin = start;
            rowBytes = rows > 0 ? (double) (whole - start) / rows : size - start;
            copyBytes = Math.max(1, (long) (rowBytes * copyRows));
            quoted = format.isCsv() ? quoted() : new BitSet();
        } catch (IOException e) {
            close(opened);
            throw new InvalidPlanException("--input: " + file + " cannot be read: " + Forms.unreadable(e)
                    + "; name a file of rows, or leave out --input to generate them");
        } catch (InvalidPlanException e) {
            close(opened);
            throw e;
        }
    }

    private static String problem(long size, boolean isLonger) {
        if (size == 0) {
            return " is empty";
        }
        return isLonger ? " has no line within its first " + PORTION + " bytes" : " has a header but no rows";
    }

    /** Reads the whole file. */
    private BitSet quoted() throws IOException {
        BitSet found = new BitSet();
        byte[] bytes = new byte[SCAN_PORTION];
        int quote = format.quote();
        boolean isQuoted = false;
        long opened = 0;
        long mark = begin + copyBytes - 1; // the last byte before the range of the COPY
        int copy = 1;
        int length;
        for (long at = begin; at < size; at += length) {
            length = read(bytes, at);
            if (length == 0) {
                throw new IOException("it became shorter");
            }
            for (int i = 0; i < length; i++) {
                if (at + i == mark) {
                    found.set(copy++, isQuoted);
                    mark += copyBytes;
                }
                if (bytes[i] == quote) {
                    isQuoted = !isQuoted;
                    opened = at + i;
                }
            }
        }
        if (isQuoted) {
            throw new InvalidPlanException("--input: " + name + ":" + lines(0, opened + 1)
                    + ": the quoted field that begins here does not end");
        }
        return found;
    }

    /** Reads bytes from a position; returns their number, 0 at the end. Used by all clients. */
    int read(byte[] to, long from) throws IOException {
        return Math.max(0, channel.read(ByteBuffer.wrap(to), from));
    }

    /** The position of the first row of a COPY; the end of the file for the number of COPYs. */
    long startOf(int copy, byte[] buffer) throws IOException {
        long from = begin + copy * copyBytes;
        if (copy == 0 || from >= size) {
            return Math.min(from, size);
        }
        RecordEnds ends = format.ends();
        ends.begin(quoted.get(copy));
        for (long look = from - 1; look < size; look += buffer.length) {
            int length = read(buffer, look);
            for (int i = 0; i < length; i++) {
                if (ends.endsAt(buffer[i])) {
                    return look + i + 1;
                }
            }
        }
        return size;
    }

    String name() {
        return name;
    }

    RowFormat format() {
        return format;
    }

    /** Length in bytes. */
    long size() {
        return size;
    }

    /** The position of the first row. */
    long begin() {
        return begin;
    }

    int copies() {
        return (int) ((size - begin + copyBytes - 1) / copyBytes);
    }

    /** Mean length of a row in bytes, estimated from the start of the file. */
    double meanRowBytes() {
        return rowBytes;
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Number of lines that begin within these bytes; the first byte begins one. Reads them all, as do the next two methods. */
    long lines(long from, long to) throws IOException {
        Bytes bytes = new Bytes(from, to);
        long lines = 0;
        boolean begins = true;
        for (int next = bytes.next(); next >= 0; next = bytes.next()) {
            lines += begins ? 1 : 0;
            begins = next == '\n';
        }
        return lines;
    }

    /** The line, counted from 1, on which the last row with this first field begins; 0 if there is none. */
    long lastLineOf(String field, long from, long to) throws IOException {
        long plain = lastWith(field + format.delimiter(), from, to);
        String quote = format.isCsv() ? String.valueOf((char) format.quote()) : "";
        return Math.max(plain, quote.isEmpty() ? 0 : lastWith(quote + field + quote + format.delimiter(), from, to));
    }

    private long lastWith(String prefix, long from, long to) throws IOException {
        byte[] begin = prefix.getBytes(StandardCharsets.UTF_8);
        Bytes bytes = new Bytes(from, to);
        RecordEnds ends = format.ends();
        long line = 1;
        long ofRow = 1;
        long last = 0;
        int matching = 0; // matched bytes of the prefix; -1: no match
        for (int next = bytes.next(); next >= 0; next = bytes.next()) {
            if (matching >= 0 && matching < begin.length) {
                matching = next == begin[matching] ? matching + 1 : -1;
                last = matching == begin.length ? ofRow : last;
            }
            line += next == '\n' ? 1 : 0;
            if (ends.endsAt(next)) {
                matching = 0;
                ofRow = line;
            }
        }
        return last;
    }

    /**
     * The line, counted from 1, on which a row begins that the server names by its own count. The server counts a row as one
     * line, and one more for each byte within quotes that equals the last byte of its first line end, if that was a newline
     * alone, or else a carriage return.
     */
    long lineOfServer(long count, long from, long to) throws IOException {
        Bytes bytes = new Bytes(from, to);
        RecordEnds ends = format.ends();
        long line = 1;
        long ofRow = 1;
        long counted = 1;
        int before = 0;
        int counts = '\r';
        boolean isFirst = true;
        for (int next = bytes.next(); next >= 0 && counted <= count; next = bytes.next()) {
            boolean isEnd = ends.endsAt(next);
            line += next == '\n' ? 1 : 0;
            counted += ends.isQuoted() && next == counts ? 1 : 0;
            if (isEnd) {
                if (counted >= count) {
                    return ofRow;
                }
                counts = isFirst && before != '\r' ? '\n' : counts;
                isFirst = false;
                counted++;
                ofRow = line;
            }
            before = next;
        }
        return ofRow;
    }

    /** The bytes of a part of the file, one by one. */
    private final class Bytes {
        private final byte[] portion = new byte[PORTION];
        private final long end;
        private long position;
        private int at;
        private int length;

        Bytes(long from, long to) {
            position = from;
            end = to;
        }

        /** The next byte, from 0 to 255; -1 at the end. */
        int next() throws IOException {
            if (at == length) {
                length = position >= end ? 0 : (int) Math.min(read(portion, position), end - position);
                position += length;
                at = 0;
                if (length == 0) {
                    return -1;
                }
            }
            return portion[at++] & 0xFF;
        }
    }
}
