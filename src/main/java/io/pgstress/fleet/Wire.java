package io.pgstress.fleet;

import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to bytes and back: a line of JSON with the program's version, the kind of message and its test, and a line of JSON
 * with the message. Only the same version is understood. Thread-safe.
 */
public final class Wire {
    private static final Map<String, Class<?>> KINDS = Arrays.stream(Message.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, Function.identity()));
    private static final Pattern VERSION = Pattern.compile("[\\w.+-]{1,100}");

    private final String version;

    /** The first line. */
    private record Head(String version, @Nullable String kind, long test) {}

    /** @param version of this program; letters, digits and {@code . + - _} */
    public Wire(String version) {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("not a version: " + version);
        }
        this.version = version;
    }

    public byte[] encode(long test, Message message) {
        Head head = new Head(version, message.getClass().getSimpleName(), test);
        return (Json.writeLine(head) + "\n" + Json.writeLine(message)).getBytes(StandardCharsets.UTF_8);
    }

    /** @throws WireException if the bytes are something else or from another version, which is then named */
    public Envelope decode(byte[] bytes) throws WireException {
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
        try {
            Head head = Json.read(lines[0], Head.class);
            checkVersion(head);
            Class<?> kind = KINDS.get(String.valueOf(head.kind));
            if (kind == null || lines.length == 1) {
                throw new WireException("a message of unknown kind " + head.kind);
            }
            if (Json.read(lines[1], kind) instanceof Message message) {
                return new Envelope(head.test, message);
            }
            throw new WireException("not a message");
        } catch (TextException e) {
            throw new WireException("not a message: " + e.getMessage());
        }
    }

    private void checkVersion(@Nullable Head head) throws WireException {
        String other = head == null ? "" : String.valueOf(head.version);
        if (!VERSION.matcher(other).matches()) {
            throw new WireException("not a message of this program");
        }
        if (!other.equals(version)) {
            throw new WireException("the other host has version " + other + " of this program, this one " + version);
        }
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
