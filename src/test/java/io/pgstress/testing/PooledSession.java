package io.pgstress.testing;

import io.pgstress.testing.wire.Listener;
import io.pgstress.testing.wire.Message;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A session of the server that a {@link TransactionPooler} lends to its clients. */
final class PooledSession {
    final Socket socket;
    final DataInputStream in;
    final DataOutputStream out;
    /** Statements prepared in this session, by the pooler's own names. */
    final Set<String> names = new HashSet<>();
    /** What the server reported while connecting. */
    final List<Message> parameters = new ArrayList<>();

    PooledSession(int port, String user, String database) throws IOException {
        socket = Listener.connect(port);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        byte[] startup = Message.of('-', 196608, "user", user, "database", database, (char) 0)
                .body();
        out.writeInt(startup.length + 4);
        out.write(startup);
        out.flush();
        Message message;
        do {
            message = Message.read(in);
            if (message.type() == 'S') {
                parameters.add(message);
            }
        } while (message.type() != 'Z' && message.type() != 'E');
    }
}
