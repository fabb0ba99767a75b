package io.pgstress.extra.baseline;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server that answers the statements of a load at once. A PostgreSQL behind it gives the first answers to each statement of a
 * connection; from then on, a statement gets the latest of them again, whatever its parameters are, and PostgreSQL does not see it. So
 * the answers have the right shape and size, but are of other rows, and nothing is changed. Connections that observe
 * the server reach PostgreSQL with each statement. It refuses encryption. One thread per core
 * serves all connections.
 */
public final class InstantServer implements AutoCloseable {
    /** By then, the driver prepares its statements and the server has its final plans. */
    private static final int ANSWERS_OF_SERVER = 12;

    /** Begins the name of the connections that observe the server. */
    private static final String CONTROL = "pgstress ";

    /** A peer that reads nothing for so long is given up. */
    private static final long MAX_WAIT_NANOS = 10_000_000_000L;

    /** PostgreSQL's limit of a message. */
    private static final int MAX_LENGTH = 1 << 30;

    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int CANCEL_REQUEST = 80_877_102;

    private final InetSocketAddress server;
    private final ServerSocketChannel listener;
    private final List<Loop> loops = new ArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Starts listening.
     *
     * @param at where; port 0: a free port
     * @param server a PostgreSQL
     * @throws IOException if it cannot listen there
     */
    public InstantServer(InetSocketAddress at, InetSocketAddress server) throws IOException {
        this.server = server;
        listener = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                .bind(at, 1024);
        listener.configureBlocking(false);
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            loops.add(new Loop());
        }
        listener.register(loops.get(0).selector, SelectionKey.OP_ACCEPT);
        for (Loop loop : loops) {
            Thread thread = new Thread(loop::run, "instant server");
            thread.setDaemon(true);
            thread.start();
        }
    }

    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        loops.forEach(loop -> loop.selector.wakeup());
    }

    /** The connections of one thread. */
    private final class Loop {
        private final Selector selector = Selector.open();
        private final Queue<SocketChannel> fresh = new ConcurrentLinkedQueue<>();

        Loop() throws IOException {}

        void run() {
            try (selector) {
                while (!closed) {
                    selector.select();
                    for (SelectionKey key : selector.selectedKeys()) {
                        serve(key);
                    }
                    selector.selectedKeys().clear();
                    for (SocketChannel client = fresh.poll(); client != null; client = fresh.poll()) {
                        open(client);
                    }
                }
                for (SelectionKey key : selector.keys()) {
                    key.channel().close();
                }
            } catch (IOException e) {
                throw new IllegalStateException("the selector failed", e);
            }
        }

        private void open(SocketChannel client) throws IOException {
            try {
                new Connection(client, selector);
            } catch (IOException | RuntimeException e) {
                client.close(); // it has disconnected
            }
        }

        private void accept() {
            try {
                SocketChannel client = listener.accept();
                if (client != null) {
                    Loop next = loops.get(accepted.getAndIncrement() % loops.size());
                    next.fresh.add(client);
                    next.selector.wakeup();
                }
            } catch (IOException e) {
                Thread.onSpinWait(); // the client has gone, or the listener was closed: others are served all the same
            }
        }

        private void serve(SelectionKey key) throws IOException {
            if (!(key.attachment() instanceof Side side)) {
                accept();
                return;
            }
            try {
                side.read();
            } catch (IOException | RuntimeException e) {
                side.connection.close(); // one side has disconnected, or does not speak this protocol
            }
        }
    }

    /** One of the two channels of a connection, with the bytes that were received and not handled. */
    private static final class Side {
        private final Connection connection;
        private final SocketChannel channel;
        private ByteBuffer received = ByteBuffer.allocate(1 << 14).flip();

        Side(Connection connection, SocketChannel channel, Selector selector) throws IOException {
            this.connection = connection;
            this.channel = channel;
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void read() throws IOException {
            received.compact();
            if (!received.hasRemaining()) {
                received = ByteBuffer.allocate(2 * received.capacity()).put(received.flip());
            }
            int read = channel.read(received);
            received.flip();
            if (read < 0) {
                throw new IOException("disconnected");
            }
            connection.receivedFrom(this);
        }

        /** Sends all bytes, and waits for the other side if its buffers are full, which only bulk data do. */
        void send(ByteBuffer bytes) throws IOException {
            long end = System.nanoTime() + MAX_WAIT_NANOS;
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) > 0) {
                    end = System.nanoTime() + MAX_WAIT_NANOS;
                } else if (connection.isClosed() || System.nanoTime() > end) {
                    throw new IOException("the other side does not read");
                }
            }
        }
    }

    /** What a connection knows about a batch of messages. */
    private static final class Known {
        private int answers;
        private byte[] latest = {};
    }

    /** A client, and its session on the server. Belongs to its loop's thread. */
    private final class Connection {
        private final Selector selector;
        private final Side client;
        private @Nullable Side real;
        private boolean isOfLoad;
        private final Map<Long, Known> batches = new HashMap<>();

        /** Whether the server has to answer before the next batch is looked at. */
        private boolean isWaiting;

        /** The batch that the server is answering; null if its answer cannot be used again. */
        private @Nullable Known asked;

        private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

        Connection(SocketChannel channel, Selector selector) throws IOException {
            this.selector = selector;
            client = new Side(this, channel, selector);
        }

        void receivedFrom(Side side) throws IOException {
            if (side == real) {
                answered(side.received);
                return;
            }
            if (real == null && !start()) {
                return;
            }
            handleBatches();
        }

        /** The first message, which has no type. */
        private boolean start() throws IOException {
            ByteBuffer in = client.received;
            while (in.remaining() >= 8 && in.remaining() >= length(in, in.position(), 8)) {
                int length = in.getInt(in.position());
                int code = in.getInt(in.position() + 4);
                if (code == SSL_REQUEST || code == GSS_REQUEST) {
                    in.position(in.position() + length);
                    client.send(ByteBuffer.wrap(new byte[] {'N'}));
                    continue;
                }
                ByteBuffer startup = in.slice(in.position(), length);
                in.position(in.position() + length);
                Side opened = new Side(this, SocketChannel.open(server), selector);
                opened.send(startup.duplicate());
                if (code == CANCEL_REQUEST) {
                    opened.channel.close();
                    throw new IOException("a request to cancel has no answer");
                }
                real = opened;
                String parameters = StandardCharsets.UTF_8.decode(startup).toString();
                isOfLoad = !parameters.contains("\0application_name\0" + CONTROL);
                isWaiting = true;
                return true;
            }
            return false;
        }

        private void handleBatches() throws IOException {
            ByteBuffer in = client.received;
            Side server = Objects.requireNonNull(real);
            while (in.hasRemaining()) {
                if (isWaiting) { // passwords, data of COPY
                    asked = null;
                    server.send(in);
                    return;
                }
                int end = endOfBatch(in);
                if (end < 0) {
                    return;
                }
                ByteBuffer batch = in.slice(in.position(), end - in.position());
                in.position(end);
                Known known = isOfLoad ? batches.computeIfAbsent(shape(batch), shape -> new Known()) : null;
                if (known != null && known.answers >= ANSWERS_OF_SERVER) {
                    client.send(ByteBuffer.wrap(known.latest));
                } else {
                    asked = known;
                    answer.reset();
                    isWaiting = true;
                    server.send(batch);
                }
            }
        }

        /** Where the messages end that the server answers together; -1 if they are not complete. */
        private static int endOfBatch(ByteBuffer in) throws IOException {
            int at = in.position();
            while (in.limit() - at >= 5) {
                byte type = in.get(at);
                int next = at + 1 + length(in, at + 1, 4);
                if (next > in.limit()) {
                    return -1;
                }
                if (type == 'Q' || type == 'S' || type == 'H' || type == 'X' || type == 'F') {
                    return next;
                }
                at = next;
            }
            return -1;
        }

        /** Passes on an answer, and remembers it when it is complete. */
        private void answered(ByteBuffer in) throws IOException {
            int at = in.position();
            boolean isReady = false;
            while (in.limit() - at >= 5 && in.limit() - at >= 1 + length(in, at + 1, 4)) {
                isReady = in.get(at) == 'Z';
                at += 1 + in.getInt(at + 1);
            }
            ByteBuffer whole = in.slice(in.position(), at - in.position());
            in.position(at);
            if (isWaiting && asked != null) {
                byte[] bytes = new byte[whole.remaining()];
                whole.duplicate().get(bytes);
                answer.writeBytes(bytes);
            }
            client.send(whole);
            if (isReady && isWaiting) {
                isWaiting = false;
                Known known = asked;
                if (known != null) {
                    known.answers++;
                    known.latest = answer.toByteArray();
                }
                asked = null;
                handleBatches();
            }
        }

        boolean isClosed() {
            return closed;
        }

        private void close() throws IOException {
            client.channel.close();
            if (real != null) {
                real.channel.close();
            }
        }
    }

    private static int length(ByteBuffer in, int at, int least) throws IOException {
        int length = in.getInt(at);
        if (length < least || length > MAX_LENGTH) {
            throw new IOException("a message of " + length + " bytes");
        }
        return length;
    }

    /**
     * A hash of a batch that does not depend on parameters: the types of its messages with their names and texts. All numbers and
     * quoted literals in a text count as the same, because plain statements contain their parameters.
     */
    private static long shape(ByteBuffer batch) {
        long hash = 17;
        int at = 0;
        while (at < batch.limit()) {
            byte type = batch.get(at);
            int end = at + 1 + batch.getInt(at + 1);
            hash = 31 * hash + type;
            int from = at + 5;
            int strings = type == 'B' ? 2 : type == 'E' ? 1 : Integer.MAX_VALUE; // then, parameters or a number of rows
            boolean wasDigit = false;
            boolean isQuoted = false;
            for (int i = from; i < end && strings > 0; i++) {
                byte b = batch.get(i);
                boolean isText = type == 'Q' || (type == 'P' && strings == Integer.MAX_VALUE - 1);
                boolean isDigit = isText && b >= '0' && b <= '9';
                isQuoted ^= isText && b == '\'';
                boolean isSkipped = isText && isQuoted && b != '\'' && b != 0;
                if (!isSkipped && (!isDigit || !wasDigit)) {
                    hash = 1_000_003 * hash + (isDigit ? '0' : b);
                }
                wasDigit = isDigit;
                strings -= b == 0 ? 1 : 0;
            }
            at = end;
        }
        return hash;
    }
}
