package io.pgstress.operation.workload;

import io.pgstress.operation.workload.RowFormat.RecordEnds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Finds lines of a file by reading it; slow, for rare use. Belongs to one thread. */
final class FileLines {
    private static final int PORTION = 1 << 16;

    /** Reads from a position in the file. */
    interface Reader {
        /** Number of bytes read; 0 at the end. */
        int read(byte[] to, long from) throws IOException;
    }

    private final Reader reader;
    private final RowFormat format;

    FileLines(Reader reader, RowFormat format) {
        this.reader = reader;
        this.format = format;
    }

    /** Number of lines that begin within these bytes; the first byte begins one. */
    long count(long from, long to) throws IOException {
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
    long lastOf(String field, long from, long to) throws IOException {
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
    long ofServer(long count, long from, long to) throws IOException {
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
                length = position >= end ? 0 : (int) Math.min(reader.read(portion, position), end - position);
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
