package io.pgstress.operation.load;

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
    private final byte[] bytes = new byte[PORTION];

    FileLines(Reader reader) {
        this.reader = reader;
    }

    /** Number of lines that begin within these bytes; the first byte begins one. */
    long count(long from, long to) throws IOException {
        return find(from, to, new byte[0])[0];
    }

    /** The last line, counted from 1, with this first field; 0 if there is none. */
    long lastOf(String field, long from, long to) throws IOException {
        return find(from, to, (field + '\t').getBytes(StandardCharsets.UTF_8))[1];
    }

    /** The number of lines, and the last one with this prefix, which contains no line end. */
    private long[] find(long from, long to, byte[] begin) throws IOException {
        long lines = 0;
        long last = 0;
        int matching = -1; // matched bytes of the prefix; -1: no match
        boolean begins = true;
        for (long look = from; look < to; ) {
            int length = (int) Math.min(reader.read(bytes, look), to - look);
            if (length == 0) {
                break;
            }
            for (int i = 0; i < length; i++) {
                if (begins) {
                    lines++;
                    matching = 0;
                }
                if (matching >= 0 && matching < begin.length) {
                    matching = bytes[i] == begin[matching] ? matching + 1 : -1;
                    last = matching == begin.length ? lines : last;
                }
                begins = bytes[i] == '\n';
            }
            look += length;
        }
        return new long[] {lines, last};
    }
}
