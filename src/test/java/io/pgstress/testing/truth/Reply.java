package io.pgstress.testing.truth;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The messages of an answer: one row with one text column. */
final class Reply {
    private static final int TEXT_OID = 25;
    private static final byte[] VALUE = "ground truth".getBytes(StandardCharsets.UTF_8);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] bytes() {
        return bytes.toByteArray();
    }

    Reply parseComplete() {
        return add('1', new byte[0]);
    }

    Reply bindComplete() {
        return add('2', new byte[0]);
    }

    Reply closeComplete() {
        return add('3', new byte[0]);
    }

    Reply noParameters() {
        return add('t', new byte[2]);
    }

    /** One column of type text. Its text and binary formats are the same, so the requested format does not matter. */
    Reply rowDescription() {
        byte[] name = "?column?\0".getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(2 + name.length + 18);
        body.putShort((short) 1).put(name).putInt(0).putShort((short) 0);
        body.putInt(TEXT_OID).putShort((short) -1).putInt(-1).putShort((short) 0);
        return add('T', body.array());
    }

    Reply row() {
        ByteBuffer body = ByteBuffer.allocate(6 + VALUE.length);
        body.putShort((short) 1).putInt(VALUE.length).put(VALUE);
        add('D', body.array());
        return add('C', text("SELECT 1\0"));
    }

    Reply ready(byte transactionStatus) {
        return add('Z', new byte[] {transactionStatus});
    }

    Reply error(String state, String message) {
        return add('E', text("SERROR\0VERROR\0C" + state + "\0M" + message + "\0\0"));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Reply add(char type, byte[] body) {
        bytes.write(type);
        bytes.writeBytes(ByteBuffer.allocate(4).putInt(body.length + 4).array());
        bytes.writeBytes(body);
        return this;
    }
}
