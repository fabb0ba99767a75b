package io.pgstress.testing.truth;

import io.pgstress.testing.wire.Listener;
import io.pgstress.testing.wire.Message;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A client's connection and the one to the real server behind it. Messages up to a Sync belong together: they are answered here
 * if they concern the marked statement, and are forwarded to the real server otherwise.
 */
final class ClientConnection implements AutoCloseable {
    private final TruthServer server;
    private final Socket client;
    private final Socket real;
    private final DataInputStream fromClient;
    private final DataOutputStream toReal;
    private final DataOutputStream toClient;
    private final List<Message> batch = new ArrayList<>();
    private final MarkedStatements marked = new MarkedStatements();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile byte transactionStatus = 'I';

    ClientConnection(TruthServer server, Socket client, DataInputStream fromClient, Socket real) throws IOException {
        this.server = server;
        this.client = client;
        this.real = real;
        this.fromClient = fromClient;
        this.toReal = new DataOutputStream(new BufferedOutputStream(real.getOutputStream()));
        this.toClient = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
    }

    /** Serves the client until it disconnects. The startup message has been read but not forwarded. */
    void serve(byte[] startup) throws IOException, InterruptedException {
        toReal.writeInt(startup.length + 4);
        toReal.write(startup);
        toReal.flush();
        server.daemon(this::relayAnswers);
        if (server.poll(this)) {
            closed.await();
        }
        while (closed.getCount() > 0) {
            read();
        }
    }

    private void read() throws IOException {
        Message message = Message.read(fromClient);
        long received = System.nanoTime();
        switch (message.type()) {
            case 'Q' -> query(message, received);
            case 'S', 'H' -> end(message, received);
            case 'P', 'B', 'D', 'E', 'C' -> batch.add(message);
            default -> forward(List.of(message)); // passwords, COPY, Terminate
        }
    }

    /** Reads all messages that have arrived; closes the connection if that fails. */
    void readIfSent() {
        try {
            while (fromClient.available() > 0) {
                read();
            }
        } catch (IOException e) {
            close(); // it has disconnected
        }
    }

    private void query(Message message, long received) throws IOException {
        if (!MarkedStatements.isMarked(message.text(0, 0))) {
            forward(List.of(message));
            return;
        }
        Reply answer = new Reply().rowDescription().row().ready(transactionStatus);
        server.answerLater(this, answer, received);
    }

    /** A Sync, or a Flush: the messages before it belong together. */
    private void end(Message last, long received) throws IOException {
        switch (marked.of(batch)) {
            case NONE -> {
                batch.add(last);
                forward(batch);
            }
            case ALL -> {
                Reply reply = MarkedStatements.answer(batch);
                if (last.type() == 'S') {
                    reply.ready(transactionStatus);
                }
                if (batch.stream().anyMatch(m -> m.type() == 'E')) {
                    server.answerLater(this, reply, received);
                } else {
                    send(reply);
                }
            }
            case SOME ->
                send(new Reply()
                        .error("0A000", "marked and other statements before one Sync")
                        .ready(transactionStatus));
        }
        batch.clear();
    }

    private void forward(List<Message> messages) throws IOException {
        for (Message message : messages) {
            message.write(toReal);
        }
        toReal.flush();
    }

    /** Sends to the client, unless it has disconnected. */
    void send(Reply reply) {
        synchronized (toClient) {
            try {
                toClient.write(reply.bytes());
                toClient.flush();
            } catch (IOException e) {
                close();
            }
        }
    }

    /** Cancels the marked statement that the client is waiting for. */
    void cancelled() {
        send(new Reply()
                .error("57014", "canceling statement due to user request")
                .ready(transactionStatus));
    }

    private void relayAnswers() {
        try (DataInputStream fromReal = new DataInputStream(new BufferedInputStream(real.getInputStream()))) {
            while (true) {
                Message message = Message.read(fromReal);
                if (message.type() == 'Z') {
                    transactionStatus = message.at(0);
                } else if (message.type() == 'K') {
                    server.keyed(message.integer(0), message.integer(4), this);
                }
                synchronized (toClient) {
                    message.write(toClient);
                    if (fromReal.available() == 0) {
                        toClient.flush();
                    }
                }
            }
        } catch (IOException e) {
            close(); // one side has disconnected, so the other is closed too
        }
    }

    @Override
    public void close() {
        server.forget(this);
        closed.countDown();
        Listener.close(client);
        Listener.close(real);
    }
}
