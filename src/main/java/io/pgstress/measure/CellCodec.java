package io.pgstress.measure;

import io.pgstress.measure.Cell.StatementCell;
import io.pgstress.measure.LatencyHistogram.SparseCounts;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a {@link Cell} to bytes and back. Numbers have 7 bits per byte, lowest first; a set high bit says that another byte
 * follows. Histograms are {@link SparseCounts}, after their length; a length of 0 means that there is none.
 */
public final class CellCodec {
    private static final int MAX_ERRORS = 10_000;
    private static final int BITS = 7;

    private CellCodec() {}

    public static byte[] encode(Cell cell) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        write(out, cell.statements.length);
        for (int i = 0; i < cell.outcomes.length; i++) {
            write(out, cell.outcomes[i]);
            write(out, cell.carried[i]);
        }
        write(out, cell.rows);
        write(out, cell.carriedRows);
        write(out, cell.carriedNanos);
        write(out, cell.retries);
        write(out, cell.late);
        write(out, cell.errors);
        write(out, cell.retried);
        for (LatencyHistogram times : cell.times) {
            write(out, times);
        }
        for (StatementCell statement : cell.statements) {
            write(out, statement.calls);
            write(out, statement.rows);
            write(out, statement.times);
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, Map<String, Cell.ErrorTally> errors) {
        write(out, errors.size());
        for (Map.Entry<String, Cell.ErrorTally> error : errors.entrySet()) {
            write(out, error.getKey().getBytes(StandardCharsets.UTF_8));
            write(out, error.getValue().count());
            write(out, error.getValue().messages().size());
            error.getValue().messages().forEach((text, message) -> {
                write(out, text.getBytes(StandardCharsets.UTF_8));
                write(out, message.count());
                write(out, message.continued());
                write(out, message.sample().getBytes(StandardCharsets.UTF_8));
            });
        }
    }

    private static void write(ByteArrayOutputStream out, @Nullable LatencyHistogram histogram) {
        write(out, histogram == null ? new byte[0] : histogram.counts());
    }

    private static void write(ByteArrayOutputStream out, byte[] bytes) {
        write(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void write(ByteArrayOutputStream out, long number) {
        long rest = number;
        while ((rest & ~0x7fL) != 0) {
            out.write(((int) rest & 0x7f) | 0x80);
            rest >>>= BITS;
        }
        out.write((int) rest);
    }

    /** @throws IllegalArgumentException if the bytes are not exactly one encoded cell */
    public static Cell decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            Cell cell = read(in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes too many after a cell");
            }
            return cell;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a cell ends too early, after " + bytes.length + " bytes", e);
        }
    }

    private static Cell read(ByteBuffer in) {
        Cell cell = new Cell(size(in, OperationShape.MAX_STATEMENTS));
        for (int i = 0; i < cell.outcomes.length; i++) {
            cell.outcomes[i] = number(in);
            cell.carried[i] = number(in);
        }
        cell.rows = number(in);
        cell.carriedRows = number(in);
        cell.carriedNanos = number(in);
        cell.retries = number(in);
        cell.late = number(in);
        errors(in, cell.errors);
        errors(in, cell.retried);
        for (int i = 0; i < cell.times.length; i++) {
            cell.times[i] = histogram(in);
        }
        for (StatementCell statement : cell.statements) {
            statement.calls = number(in);
            statement.rows = number(in);
            statement.times = histogram(in);
        }
        return cell;
    }

    private static void errors(ByteBuffer in, Map<String, Cell.ErrorTally> into) {
        for (int left = size(in, MAX_ERRORS); left > 0; left--) {
            String state = text(in);
            long count = number(in);
            Map<String, Cell.MessageTally> messages = new LinkedHashMap<>();
            for (int more = size(in, Cell.ErrorTally.MAX_MESSAGES); more > 0; more--) {
                messages.put(text(in), new Cell.MessageTally(number(in), number(in), text(in)));
            }
            into.put(state, new Cell.ErrorTally(count, messages));
        }
    }

    private static @Nullable LatencyHistogram histogram(ByteBuffer in) {
        byte[] bytes = bytes(in);
        return bytes.length == 0 ? null : LatencyHistogram.received(bytes);
    }

    private static String text(ByteBuffer in) {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[size(in, in.remaining())];
        in.get(bytes);
        return bytes;
    }

    private static int size(ByteBuffer in, int max) {
        long size = number(in);
        if (size > max) {
            throw new IllegalArgumentException("a size of " + size + " in a cell, at most " + max + " is possible");
        }
        return (int) size;
    }

    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += BITS) {
            byte next = in.get();
            number |= (next & 0x7fL) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (number < 0) {
            throw new IllegalArgumentException("a negative number in a cell");
        }
        return number;
    }

    /**
     * What one operation on one node added to an interval since the last increment, encoded by {@link CellCodec}. Adding all
     * increments of an interval gives the interval exactly.
     *
     * @param cell the encoded cell; not copied, do not change it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record CellIncrement(int node, int operation, byte[] cell) {}
}
