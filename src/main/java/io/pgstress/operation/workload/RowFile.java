package io.pgstress.operation.workload;

import io.pgstress.operation.workload.RowFormat.RecordEnds;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
            throw new InvalidPlanException("--input: " + name + ":" + lines().count(0, opened + 1)
                    + ": the quoted field that begins here does not end");
        }
        return found;
    }

    /** Reads bytes from a position; returns their number, 0 at the end. Used by all clients. */
    int read(byte[] to, long from) throws IOException {
        return Math.max(0, channel.read(ByteBuffer.wrap(to), from));
    }

    /** The position of the first row of a COPY; for the number of COPYs, that of the end. */
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

    FileLines lines() {
        return new FileLines(this::read, format);
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
}
