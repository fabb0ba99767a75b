package io.pgstress.testing;

import io.pgstress.testing.wire.Message;
import io.pgstress.testing.wire.Startup;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** One client of a {@link TransactionPooler}. */
final class PoolerClient {
    private final TransactionPooler pooler;
    private final Socket socket;
    private final int number;
    private Map<String, String> startup = Map.of();
    /** By the client's name of a statement: the Parse message with the pooler's name. */
    private final Map<String, Message> parsed = new HashMap<>();
    /** For each pending Parse, whether the pooler inserted it. */
    private final Queue<Boolean> own = new ArrayDeque<>();

    private PooledSession session;
    private DataInputStream in;
    private DataOutputStream out;

    PoolerClient(TransactionPooler pooler, Socket socket, int number) {
        this.pooler = pooler;
        this.socket = socket;
        this.number = number;
    }

    /** Serves the client until it leaves. */
    void serve() throws IOException, InterruptedException {
        try {
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            Startup first = Startup.read(in, out);
            if (!first.isCancel()) {
                startup = first.parameters();
                answerStartup();
                relay();
            }
        } finally {
            if (session != null) {
                pooler.end(session);
            }
        }
    }

    private void answerStartup() throws IOException, InterruptedException {
        if (pooler.refusesOptions() && startup.containsKey("options")) {
            Message.fatal("08P01", "unsupported startup parameter: options").write(out);
            out.flush();
            throw new IOException("refused");
        }
        take();
        Message.of('R', 0).write(out);
        for (Message parameter : session.parameters) {
            parameter.write(out);
        }
        Message.of('K', 1_000_000_000 + number, number).write(out);
        Message.of('Z', 'I').write(out);
        giveBack();
        out.flush();
    }

    private void take() throws IOException, InterruptedException {
        if (session == null) {
            session = pooler.take(startup.get("user"), startup.get("database"));
        }
    }

    private void giveBack() {
        if (!pooler.keepsSessions()) {
            pooler.giveBack(session);
            session = null;
        }
    }

    private void relay() throws IOException, InterruptedException {
        while (true) {
            Message message = Message.read(in);
            if (message.type() == 'X') {
                return;
            }
            take();
            (pooler.rewritesNames() ? renamed(message) : message).write(session.out);
            if ("QSFcf".indexOf(message.type()) >= 0) {
                session.out.flush();
                answer();
            }
        }
    }

    /** Forwards the server's messages until it is the client's turn. */
    private void answer() throws IOException {
        Message answer;
        do {
            answer = Message.read(session.in);
            boolean isOwn = answer.type() == '1' && Boolean.TRUE.equals(own.poll());
            if (!isOwn) {
                answer.write(out);
            }
        } while (answer.type() != 'Z' && answer.type() != 'G');
        if (answer.type() == 'Z') {
            own.clear();
            if (answer.body()[0] == 'I') {
                giveBack();
            }
        }
        out.flush();
    }

    /** The message with the pooler's name of the statement, which the session knows afterwards. */
    private Message renamed(Message message) throws IOException {
        return switch (message.type()) {
            case 'P' -> parse(message);
            case 'B' -> use(message, message.behind(0));
            case 'D', 'C' -> message.body()[0] == 'S' ? use(message, 1) : message;
            default -> message;
        };
    }

    private Message parse(Message message) {
        own.add(false);
        String name = message.text(0);
        if (name.isEmpty()) {
            return message;
        }
        Message renamed = message.with(0, "POOLER_" + number + "_" + name);
        parsed.put(name, renamed);
        session.names.add(renamed.text(0));
        return renamed;
    }

    private Message use(Message message, int at) throws IOException {
        Message parse = parsed.get(message.text(at));
        if (parse == null) {
            return message;
        }
        if (session.names.add(parse.text(0))) {
            parse.write(session.out);
            own.add(true);
        }
        return message.with(at, parse.text(0));
    }
}
