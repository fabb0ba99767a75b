package io.pgstress.testing;

import io.pgstress.testing.wire.Listener;
import io.pgstress.testing.wire.Message;
import io.pgstress.testing.wire.Startup;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** A server that requests a password and rejects every one. */
public final class PasswordRefusal implements AutoCloseable {
    private final Listener listener = new Listener("password-refusal", PasswordRefusal::refuse);

    private static void refuse(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        Startup startup = Startup.read(in, out);
        Message.of('R', 3).write(out);
        Message.read(in);
        String user = startup.parameters().get("user");
        Message.fatal("28P01", "password authentication failed for user \"" + user + "\"")
                .write(out);
        in.read(); // until the client has read that and left
    }

    /** Its URL for the role u, with this password. */
    public String url(String password) {
        return "jdbc:postgresql://127.0.0.1:" + listener.port() + "/x?user=u&password=" + password;
    }

    @Override
    public void close() {
        listener.close();
    }
}
