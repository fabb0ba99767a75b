package io.pgstress.testing.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The first message of a connection, which has no type: a startup, or a request to cancel. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Startup(byte[] body) {
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int CANCEL_REQUEST = 80_877_102;

    /** Reads it; requests to encrypt are answered with no. */
    public static Startup read(DataInputStream in, OutputStream out) throws IOException {
        while (true) {
            byte[] body = new byte[in.readInt() - 4];
            in.readFully(body);
            Startup startup = new Startup(body);
            if (startup.code() != SSL_REQUEST && startup.code() != GSS_REQUEST) {
                return startup;
            }
            out.write('N');
            out.flush();
        }
    }

    private int code() {
        return ByteBuffer.wrap(body).getInt();
    }

    public boolean isCancel() {
        return code() == CANCEL_REQUEST;
    }

    /** The parameters that the client sent, by name. */
    public Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>();
        Message message = new Message('-', body);
        for (int at = 4; body[at] != 0; ) {
            int value = message.behind(at);
            parameters.put(message.text(at), message.text(value));
            at = message.behind(value);
        }
        return parameters;
    }
}
