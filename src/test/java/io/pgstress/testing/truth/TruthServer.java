package io.pgstress.testing.truth;

import io.pgstress.testing.wire.Listener;
import io.pgstress.testing.wire.Startup;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that answers one statement, {@link #STATEMENT}, after times that a test chooses, and records what it did. A real
 * server behind it answers everything else and never sees that statement. It refuses encryption. A marked statement in one batch with
 * others, as in a transaction of pgjdbc's, is refused (0A000).
 */
public final class TruthServer implements AutoCloseable {
    /** The statement that it answers itself. It must not be surrounded by other text. */
    public static final String STATEMENT = "select 'ground truth'";

    private final Listener listener = new Listener("truth-server", this::serve);
    private final int realPort;
    private final Answers answers;
    private final Map<Long, ClientConnection> byKey = new ConcurrentHashMap<>();
    private volatile ServiceLog log = new ServiceLog((number, since) -> 0);

    /** @param realPort port of a PostgreSQL on loopback */
    public TruthServer(int realPort) {
        this(realPort, false);
    }

    /** @param hasCore whether one thread may use a core all the time, which makes it punctual */
    public TruthServer(int realPort, boolean hasCore) {
        this.realPort = realPort;
        answers = new Answers(hasCore);
    }

    public int port() {
        return listener.port();
    }

    /** Starts a new record and answers after these times from now on. Call it while no statement is in flight. */
    public void answerAfter(ServiceTime times) {
        log = new ServiceLog(times);
    }

    /** The statements answered since the last {@link #answerAfter}, in order of receipt. */
    public List<Served> served() {
        return log.served();
    }

    void answerLater(ClientConnection client, Reply reply, long received) {
        ServiceLog current = log;
        int number = current.receive(received);
        answers.add(new Answers.Answer(current.due(number), client, reply, current, number));
    }

    void keyed(int process, int secret, ClientConnection client) {
        byKey.put(key(process, secret), client);
    }

    private static long key(int process, int secret) {
        return (long) process << Integer.SIZE | Integer.toUnsignedLong(secret);
    }

    private void serve(Socket client) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        Startup first = Startup.read(in, client.getOutputStream());
        if (first.isCancel()) {
            cancel(first.body());
            return;
        }
        try (Socket real = Listener.connect(realPort)) {
            new ClientConnection(this, client, in, real).serve(first.body());
        }
    }

    /** Cancels a marked statement here, and any other at the real server. */
    private void cancel(byte[] request) throws IOException {
        ByteBuffer body = ByteBuffer.wrap(request);
        ClientConnection client = byKey.get(key(body.getInt(4), body.getInt(8)));
        if (client != null && answers.cancel(client)) {
            client.cancelled();
            return;
        }
        try (Socket real = Listener.connect(realPort)) {
            DataOutputStream out = new DataOutputStream(real.getOutputStream());
            out.writeInt(request.length + 4);
            out.write(request);
            out.flush();
            real.getInputStream().readAllBytes(); // it closes after receiving the request
        }
    }

    boolean poll(ClientConnection client) {
        return answers.poll(client);
    }

    void forget(ClientConnection client) {
        answers.forget(client);
    }

    void daemon(Runnable task) {
        listener.daemon(task);
    }

    @Override
    public void close() {
        listener.close();
        answers.close();
    }
}
