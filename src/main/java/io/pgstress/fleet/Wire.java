package io.pgstress.fleet;

import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.Phase;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Converts messages to bytes and back: the length of the program's version and the version, a byte for the type, the test (8
 * bytes), and the message. That is JSON, except for an increment, which is mostly histograms. Only the same version is
 * understood. Thread-safe.
 */
public final class Wire {
    /** Longer messages are refused on both sides. */
    public static final int MAX_BYTES = 64 << 20;

    /** The type's byte is the index here; append only. */
    private static final List<Class<? extends Message>> TYPES = List.of(
            Message.Call.class,
            Message.Hello.class,
            Message.Work.class,
            Message.Refused.class,
            Message.Ping.class,
            Message.Pong.class,
            Message.Ready.class,
            Message.Start.class,
            Message.Progress.class,
            Message.Measure.class,
            Message.Pause.class,
            Message.Paused.class,
            Message.Resume.class,
            Message.Increment.class,
            Message.Ended.class,
            Message.Stopping.class,
            Message.Stop.class,
            Message.Beat.class,
            Message.Usage.class);

    private static final Pattern VERSION = Pattern.compile("[\\w.+-]{1,100}");
    private static final int INCREMENT_HEAD = Long.BYTES + 1 + 2 * Integer.BYTES;
    private static final int CELL_HEAD = 3 * Integer.BYTES;

    private final String version;

    /** @param version of this program; letters, digits and {@code . + - _} */
    public Wire(String version) {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("not a version: " + version);
        }
        this.version = version;
    }

    /** @throws IllegalArgumentException if it has more than {@link #MAX_BYTES} */
    public byte[] encode(long test, Message message) {
        byte[] head = version.getBytes(StandardCharsets.US_ASCII);
        byte[] body = message instanceof Message.Increment increment
                ? body(increment)
                : Json.writeLine(message).getBytes(StandardCharsets.UTF_8);
        long size = 2L + head.length + Long.BYTES + body.length;
        if (size > MAX_BYTES) {
            throw new IllegalArgumentException("a message of " + size + " bytes, at most " + MAX_BYTES + " are sent");
        }
        return ByteBuffer.allocate((int) size)
                .put((byte) head.length)
                .put(head)
                .put((byte) TYPES.indexOf(message.getClass()))
                .putLong(test)
                .put(body)
                .array();
    }

    /** @throws WireException if the bytes are something else or from another version, which is then named */
    public Envelope decode(byte[] bytes) throws WireException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            checkVersion(text(in, in.get()));
            int type = in.get();
            if (type < 0 || type >= TYPES.size()) {
                throw new WireException("a message of unknown type " + type);
            }
            long test = in.getLong();
            Class<? extends Message> kind = TYPES.get(type);
            return new Envelope(
                    test, kind == Message.Increment.class ? increment(in) : Json.read(text(in, in.remaining()), kind));
        } catch (BufferUnderflowException e) {
            throw new WireException("a message that ends too early, after " + bytes.length + " bytes");
        } catch (TextException | IllegalArgumentException e) {
            throw new WireException("not a message: " + e.getMessage());
        }
    }

    private void checkVersion(String other) throws WireException {
        if (!VERSION.matcher(other).matches()) {
            throw new WireException("not a message of this program");
        }
        if (!other.equals(version)) {
            throw new WireException("the other host has version " + other + " of this program, this one " + version);
        }
    }

    private static String text(ByteBuffer in, int length) {
        return new String(bytes(in, length), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static byte[] body(Message.Increment increment) {
        int size = INCREMENT_HEAD;
        for (CellIncrement cell : increment.cells()) {
            size = Math.addExact(size, CELL_HEAD + cell.cell().length);
        }
        ByteBuffer out = ByteBuffer.allocate(size)
                .putLong(increment.sequence())
                .put((byte) increment.phase().ordinal())
                .putInt(increment.index())
                .putInt(increment.cells().size());
        for (CellIncrement cell : increment.cells()) {
            out.putInt(cell.node()).putInt(cell.operation());
            out.putInt(cell.cell().length).put(cell.cell());
        }
        return out.array();
    }

    private static Message.Increment increment(ByteBuffer in) {
        long sequence = in.getLong();
        int phase = in.get();
        if (phase < 0 || phase >= Phase.values().length) {
            throw new IllegalArgumentException("phase " + phase);
        }
        int index = in.getInt();
        int count = in.getInt();
        List<CellIncrement> cells = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cells.add(new CellIncrement(in.getInt(), in.getInt(), bytes(in, in.getInt())));
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException(in.remaining() + " bytes too many after an increment");
        }
        return new Message.Increment(sequence, Phase.values()[phase], index, cells);
    }

    /**
     * A message and the test that it belongs to.
     *
     * @param test the test's random number; 0 if the message belongs to none
     */
    public record Envelope(long test, Message message) {}

    /** Thrown when received bytes are not a message of this program and version. Its message is one line. */
    public static final class WireException extends Exception {
        private static final long serialVersionUID = 1;

        WireException(String message) {
            super(message.lines().findFirst().orElse(""));
        }
    }
}
