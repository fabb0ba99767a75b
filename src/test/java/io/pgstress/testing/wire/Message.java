package io.pgstress.testing.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message of the PostgreSQL protocol, version 3: its type and the bytes after its length. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Message(char type, byte[] body) {
    /** Reads one; blocks until it is complete. */
    public static Message read(DataInputStream in) throws IOException {
        char type = (char) in.readUnsignedByte();
        byte[] body = new byte[in.readInt() - 4];
        in.readFully(body);
        return new Message(type, body);
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeByte(type);
        out.writeInt(body.length + 4);
        out.write(body);
    }

    /** A message with these numbers, bytes and zero-terminated texts as its body. */
    public static Message of(char type, Object... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (Object part : parts) {
                if (part instanceof Integer number) {
                    out.writeInt(number);
                } else if (part instanceof byte[] raw) {
                    out.write(raw);
                } else if (part instanceof Character single) {
                    out.writeByte(single);
                } else {
                    out.write((part + "\0").getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Message(type, bytes.toByteArray());
    }

    /** A FATAL error as sent by poolers: without a location in the server's source. */
    public static Message fatal(String state, String text) {
        return of('E', 'S', "FATAL", 'C', state, 'M', text, (char) 0);
    }

    /** The text from this position to the next zero byte. */
    public String text(int from) {
        return new String(body, from, end(from) - from, StandardCharsets.UTF_8);
    }

    /** The zero-terminated text with this number, from 0; the first one begins after this many bytes. */
    public String text(int skip, int place) {
        int from = skip;
        for (int i = 0; i < place; i++) {
            from = behind(from);
        }
        return text(from);
    }

    /** The name of the statement (S) or portal (P) that a Describe or Close is about, with that letter before it. */
    public String subject() {
        return (char) body[0] + text(1);
    }

    /** The integer at this position of the body. */
    public int integer(int offset) {
        return ByteBuffer.wrap(body).getInt(offset);
    }

    /** The byte at this position of the body. */
    public byte at(int offset) {
        return body[offset];
    }

    /** The position after the zero byte that ends the text at this position. */
    public int behind(int from) {
        return end(from) + 1;
    }

    private int end(int from) {
        int end = from;
        while (body[end] != 0) {
            end++;
        }
        return end;
    }

    /** A copy with another text at this position. */
    public Message with(int from, String text) {
        return of(type, Arrays.copyOf(body, from), text, Arrays.copyOfRange(body, behind(from), body.length));
    }
}
