package io.pgstress.target.driver;

import io.pgstress.target.loop.Readiness;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's blocking socket. The JDK's own becomes non-blocking for good with its first timed connect or read, and pgjdbc does
 * both while it connects (connect timeout, answer about TLS): from then on a platform thread needs two more system calls for
 * each answer, a failed read and a poll. A channel's socket blocks again after each timeout. For virtual threads both are
 * non-blocking; those of an event loop wait by it: {@link ChannelStreams}.
 */
final class ChannelSocket extends SocketImpl {
    private final Socket socket;
    private final ChannelStreams streams;

    /** @param counter counts the socket's bytes */
    ChannelSocket(ByteCounter counter) throws IOException {
        this(SocketChannel.open(), counter);
    }

    private ChannelSocket(SocketChannel channel, ByteCounter counter) {
        this(channel, channel.socket(), counter);
    }

    /** @param socket reads from and writes to the channel while it blocks */
    ChannelSocket(SocketChannel channel, Socket socket, ByteCounter counter) {
        this.socket = socket;
        this.streams = new ChannelStreams(channel, socket, counter);
    }

    @Override
    protected void create(boolean stream) {
        // set already
    }

    @Override
    protected void connect(String host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(InetAddress host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(SocketAddress to, int timeout) throws IOException {
        streams.connect(to, timeout);
        address = socket.getInetAddress();
        port = socket.getPort();
        localport = socket.getLocalPort();
    }

    @Override
    protected void bind(InetAddress host, int toPort) throws IOException {
        socket.bind(new InetSocketAddress(host, toPort));
        localport = socket.getLocalPort();
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("a client's socket does not listen");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("a client's socket does not accept");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return streams.in();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return streams.out();
    }

    @Override
    protected int available() throws IOException {
        return socket.getInputStream().available();
    }

    @Override
    protected void close() throws IOException {
        try {
            socket.close();
        } finally {
            streams.closed();
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        socket.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        socket.sendUrgentData(data);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        switch (option) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.TCP_NODELAY -> socket.setTcpNoDelay((Boolean) value);
            case SocketOptions.SO_KEEPALIVE -> socket.setKeepAlive((Boolean) value);
            case SocketOptions.SO_SNDBUF -> socket.setSendBufferSize((Integer) value);
            case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
            case SocketOptions.SO_LINGER -> {
                int seconds = value instanceof Integer given ? given : -1; // false: off
                socket.setSoLinger(seconds >= 0, Math.max(0, seconds));
            }
            default -> throw new SocketException("not an option of a client's socket: " + option);
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        return switch (option) {
            case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
            case SocketOptions.TCP_NODELAY -> socket.getTcpNoDelay();
            case SocketOptions.SO_KEEPALIVE -> socket.getKeepAlive();
            case SocketOptions.SO_SNDBUF -> socket.getSendBufferSize();
            case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
            case SocketOptions.SO_LINGER -> socket.getSoLinger();
            case SocketOptions.SO_BINDADDR -> socket.getLocalAddress();
            default -> throw new SocketException("not an option of a client's socket: " + option);
        };
    }

    /**
     * The streams of a channel: those of its socket, until a thread of an event loop uses one of them; from then on any thread waits
     * for the channel by a loop. A thread that has sent something always waits for its turn, even if the answer is there already: threads
     * whose answers arrived earlier run first, as in pgbench. The rest of an answer is taken without a wait. One thread at a time, as for
     * the driver's connection.
     */
    private static final class ChannelStreams {
        /** A thread that never has to wait, because its answer is long, yields to the others of its loop after this many reads. */
        private static final int MAX_WITHOUT_WAIT = 16;

        /** Changes only while it connects. */
        private SocketChannel channel;

        private final Socket socket;
        private final ByteCounter.OfSocket bytes;
        private volatile @Nullable Readiness readiness;

        /** Whether something was sent since the last read. */
        private boolean isAnswerDue;

        /**
         * @param socket the channel's
         * @param counter counts their bytes
         */
        ChannelStreams(SocketChannel channel, Socket socket, ByteCounter counter) {
            this.channel = channel;
            this.socket = socket;
            this.bytes = counter.newSocket();
        }

        /**
         * Connects as {@link Socket#connect(SocketAddress, int)} does. A thread of a loop waits by the loop: waits of the JDK's own would
         * start its poller, for which the JVM's exit then waits 300 ms.
         */
        void connect(SocketAddress to, int millis) throws IOException {
            if (socket instanceof UnixSocket unix) {
                unix.connect(to, millis);
                channel = unix.channel();
                return;
            }
            Readiness ready = readiness();
            if (ready == null) {
                socket.connect(to, millis);
                return;
            }
            if (to instanceof InetSocketAddress inet && inet.isUnresolved()) {
                throw new UnknownHostException(inet.getHostName());
            }
            if (!channel.connect(to)) {
                if (!ready.await(SelectionKey.OP_CONNECT, TimeUnit.MILLISECONDS.toNanos(millis))) {
                    throw new SocketTimeoutException("Connect timed out");
                }
                channel.finishConnect();
            }
        }

        /** To be called once the channel is closed. */
        void closed() {
            bytes.close();
            Readiness found = readiness;
            if (found != null) {
                found.closed();
            }
        }

        /** Null while the channel blocks. */
        private @Nullable Readiness readiness() throws IOException {
            Readiness found = readiness;
            if (found == null) {
                found = Readiness.onCurrentLoop(channel);
                if (found != null) {
                    readiness = found;
                }
            }
            return found;
        }

        InputStream in() throws IOException {
            InputStream blocking = socket.getInputStream();
            return new InputStream() {
                private final LastBuffer last = new LastBuffer();
                private int withoutWait;

                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] b, int off, int len) throws IOException {
                    Readiness ready = readiness();
                    int n = ready == null ? blocking.read(b, off, len) : read(ready, last.over(b, off, len));
                    bytes.in(Math.max(0, n));
                    return n;
                }

                private int read(Readiness ready, ByteBuffer to) throws IOException {
                    if (isAnswerDue) {
                        isAnswerDue = false;
                        await(ready);
                    } else if (++withoutWait > MAX_WITHOUT_WAIT) {
                        withoutWait = 0;
                        ready.yieldToOthers();
                    }
                    int n;
                    while ((n = channel.read(to)) == 0 && to.hasRemaining()) {
                        await(ready);
                    }
                    return n;
                }

                private void await(Readiness ready) throws IOException {
                    withoutWait = 0;
                    long limit = TimeUnit.MILLISECONDS.toNanos(socket.getSoTimeout());
                    if (!ready.await(SelectionKey.OP_READ, limit)) {
                        throw new SocketTimeoutException("Read timed out");
                    }
                }

                @Override
                public int available() throws IOException {
                    return blocking.available();
                }
            };
        }

        OutputStream out() throws IOException {
            OutputStream blocking = socket.getOutputStream();
            return new OutputStream() {
                private final LastBuffer last = new LastBuffer();

                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] b, int off, int len) throws IOException {
                    Readiness ready = readiness();
                    if (ready == null) {
                        blocking.write(b, off, len);
                    } else {
                        write(ready, last.over(b, off, len));
                    }
                    bytes.out(len);
                }

                private void write(Readiness ready, ByteBuffer from) throws IOException {
                    isAnswerDue = true;
                    while (from.hasRemaining()) {
                        if (channel.write(from) == 0) {
                            ready.await(SelectionKey.OP_WRITE, 0);
                        }
                    }
                }
            };
        }

        /** A buffer over a part of an array: the last one if the array is the same, as the driver's own always is. */
        private static final class LastBuffer {
            private byte[] array = {};
            private ByteBuffer buffer = ByteBuffer.wrap(array);

            ByteBuffer over(byte[] b, int off, int len) {
                if (array != b) {
                    array = b;
                    buffer = ByteBuffer.wrap(b);
                }
                return buffer.clear().position(off).limit(off + len);
            }
        }
    }
}
