package io.pgstress.testing.truth;

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

/**
 * A client's connection and the one to the real server behind it. Messages up to a Sync go together: they are answered here
 * where a marked statement is among them, and go to the real server otherwise.
 */
final class ClientConnection implements AutoCloseable {
    private final TruthServer server;
    private final Socket client;
    private final Socket real;
    private final DataInputStream fromClient;
    private final DataOutputStream toReal;
    private final DataOutputStream toClient;
    private final List<Message> batch = new ArrayList<>();
    private final Set<String> marked = new HashSet<>(); // S and a statement's name, P and a portal's
    private volatile byte transactionStatus = 'I';

    ClientConnection(TruthServer server, Socket client, DataInputStream fromClient, Socket real) throws IOException {
        this.server = server;
        this.client = client;
        this.real = real;
        this.fromClient = fromClient;
        this.toReal = new DataOutputStream(new BufferedOutputStream(real.getOutputStream()));
        this.toClient = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
    }

    /** Serves the client until it leaves. The startup message has been read and not been passed on. */
    void serve(byte[] startup) throws IOException {
        toReal.writeInt(startup.length + 4);
        toReal.write(startup);
        toReal.flush();
        server.daemon(this::relayAnswers);
        while (true) {
            Message message = Message.read(fromClient);
            long received = System.nanoTime();
            switch (message.type()) {
                case 'Q' -> query(message, received);
                case 'S', 'H' -> end(message, received);
                case 'P', 'B', 'D', 'E', 'C' -> batch.add(message);
                default -> forward(List.of(message)); // passwords, COPY, Terminate
            }
        }
    }

    private void query(Message message, long received) throws IOException {
        if (!TruthServer.isMarked(message.text(0, 0))) {
            forward(List.of(message));
            return;
        }
        Reply answer = new Reply().rowDescription().row().ready(transactionStatus);
        server.answerLater(this, answer, received);
    }

    /** A Sync, or a Flush: the messages before it belong together. */
    private void end(Message last, long received) throws IOException {
        boolean here = false;
        boolean there = false;
        for (Message message : batch) {
            boolean isMarked = note(message);
            here |= isMarked;
            there |= !isMarked && message.type() != 'C';
        }
        if (!here) {
            batch.add(last);
            forward(batch);
        } else if (there) {
            send(new Reply()
                    .error("0A000", "marked and other statements before one Sync")
                    .ready(transactionStatus));
        } else {
            Reply reply = new Reply();
            batch.forEach(m -> answer(m, reply));
            if (last.type() == 'S') {
                reply.ready(transactionStatus);
            }
            if (batch.stream().anyMatch(m -> m.type() == 'E')) {
                server.answerLater(this, reply, received);
            } else {
                send(reply);
            }
        }
        batch.clear();
    }

    /** Keeps in mind which statements and portals are marked; whether this message is about one. */
    private boolean note(Message message) {
        return switch (message.type()) {
            case 'P' -> remember("S" + message.text(0, 0), TruthServer.isMarked(message.text(0, 1)));
            case 'B' -> remember("P" + message.text(0, 0), marked.contains("S" + message.text(0, 1)));
            case 'E' -> marked.contains("P" + message.text(0, 0));
            case 'D' -> marked.contains(message.subject());
            default -> false; // Close: acknowledged here or there, as the others of its batch are
        };
    }

    private boolean remember(String name, boolean isMarked) {
        if (isMarked) {
            marked.add(name);
        } else {
            marked.remove(name);
        }
        return isMarked;
    }

    private static void answer(Message message, Reply reply) {
        switch (message.type()) {
            case 'P' -> reply.parseComplete();
            case 'B' -> reply.bindComplete();
            case 'C' -> reply.closeComplete();
            case 'E' -> reply.row();
            default -> {
                if (message.at(0) == 'S') {
                    reply.noParameters();
                }
                reply.rowDescription();
            }
        }
    }

    private void forward(List<Message> messages) throws IOException {
        for (Message message : messages) {
            message.write(toReal);
        }
        toReal.flush();
    }

    /** Sends to the client; one that has left needs nothing more. */
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

    /** Breaks off the marked statement that the client waits for. */
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
            close(); // one side has left: so does the other
        }
    }

    @Override
    public void close() {
        TruthServer.close(client);
        TruthServer.close(real);
    }
}
