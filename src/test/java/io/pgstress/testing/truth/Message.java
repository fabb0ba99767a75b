package io.pgstress.testing.truth;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A message of the PostgreSQL protocol, version 3: its first byte, and what follows the length. */
final class Message {
    private static final int LENGTH_BYTES = 4;

    private final char type;
    private final byte[] body;

    private Message(char type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    char type() {
        return type;
    }

    /** Reads one; blocks until it is complete. */
    static Message read(DataInputStream in) throws IOException {
        char type = (char) in.readUnsignedByte();
        byte[] body = new byte[in.readInt() - LENGTH_BYTES];
        in.readFully(body);
        return new Message(type, body);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(type);
        out.writeInt(body.length + LENGTH_BYTES);
        out.write(body);
    }

    /** The zero-terminated string at a place in the order of such strings, from 0, behind this many bytes. */
    String text(int skip, int place) {
        int start = skip;
        for (int i = 0; ; i++) {
            int end = start;
            while (body[end] != 0) {
                end++;
            }
            if (i == place) {
                return new String(body, start, end - start, StandardCharsets.UTF_8);
            }
            start = end + 1;
        }
    }

    /** The name of the statement (S) or portal (P) that a Describe or Close is about, with that letter before it. */
    String subject() {
        return (char) body[0] + text(1, 0);
    }

    /** The integer at this place of the body. */
    int integer(int offset) {
        return ByteBuffer.wrap(body).getInt(offset);
    }

    /** The byte at this place of the body. */
    byte at(int offset) {
        return body[offset];
    }
}
