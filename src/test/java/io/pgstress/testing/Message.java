package io.pgstress.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message of the PostgreSQL protocol, version 3: a type and what follows its length. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Message(char type, byte[] body) {
    static Message read(DataInputStream in) throws IOException {
        char type = (char) in.readUnsignedByte();
        return new Message(type, in.readNBytes(in.readInt() - 4));
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(type);
        out.writeInt(body.length + 4);
        out.write(body);
    }

    static Message of(char type, Object... parts) {
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

    /** A FATAL error as poolers send it: without the place in a server's source. */
    static Message fatal(String state, String text) {
        return of('E', 'S', "FATAL", 'C', state, 'M', text, (char) 0);
    }

    /** The text from a place up to the next zero byte. */
    String text(int from) {
        return new String(body, from, end(from) - from, StandardCharsets.UTF_8);
    }

    /** Behind the zero byte that ends the text from there. */
    int behind(int from) {
        return end(from) + 1;
    }

    private int end(int from) {
        int end = from;
        while (body[end] != 0) {
            end++;
        }
        return end;
    }

    /** The same with another text at a place. */
    Message with(int from, String text) {
        return of(type, Arrays.copyOf(body, from), text, Arrays.copyOfRange(body, behind(from), body.length));
    }
}
