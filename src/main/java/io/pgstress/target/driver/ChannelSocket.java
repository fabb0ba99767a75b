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
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's blocking TCP socket. The JDK's own becomes non-blocking for good with its first timed connect or read, and pgjdbc does
 * both while it connects (connect timeout, answer about TLS): from then on a platform thread needs two more system calls for
 * each answer, a failed read and a poll. A channel's socket blocks again after each timeout. For virtual threads both are
 * non-blocking.
 *
 * <p>Once a thread of an event loop has used the socket, any thread waits for the channel by a loop. A thread that has sent something
 * always waits for its turn, even if the answer is there already: threads whose answers arrived earlier run first, as in pgbench. The
 * rest of an answer is taken without a wait. One thread at a time, as for the driver's connection; any thread may close.
 */
class ChannelSocket extends SocketImpl {
    /** A thread that never has to wait, because its answer is long, yields to the others of its loop after this many reads. */
    private static final int MAX_WITHOUT_WAIT = 16;

    private final ByteCounter.OfSocket bytes;
    private volatile SocketChannel channel;
    private volatile @Nullable Readiness readiness;
    private @Nullable InputStream blockingIn;
    private @Nullable OutputStream blockingOut;
    /** Time limit of reads; 0: none. */
    private int timeoutMillis;
    /** Whether something was sent since the last read. */
    private boolean isAnswerDue;

    /** @param counter counts the socket's bytes */
    ChannelSocket(SocketChannel channel, ByteCounter counter) {
        this.channel = channel;
        this.bytes = counter.newSocket();
    }

    /** The channel, which may be another one after connecting. */
    final SocketChannel channel() {
        return channel;
    }

    /** Replaces the channel while it connects. */
    final void use(SocketChannel other) {
        channel = other;
    }

    final int timeoutMillis() {
        return timeoutMillis;
    }

    private Socket socket() {
        return channel.socket();
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

    /** A thread of a loop waits by the loop: waits of the JDK's own would start its poller, for which the JVM's exit then waits 300 ms. */
    @Override
    protected void connect(SocketAddress to, int millis) throws IOException {
        Readiness ready = readiness();
        if (ready == null) {
            socket().connect(to, millis);
        } else {
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
        address = socket().getInetAddress();
        port = socket().getPort();
        localport = socket().getLocalPort();
    }

    @Override
    protected void bind(InetAddress host, int toPort) throws IOException {
        socket().bind(new InetSocketAddress(host, toPort));
        localport = socket().getLocalPort();
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("a client's socket does not listen");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("a client's socket does not accept");
    }

    /** Reads while the channel is not with a loop. */
    int read(byte[] b, int off, int len) throws IOException {
        InputStream in = blockingIn;
        if (in == null) {
            in = socket().getInputStream();
            blockingIn = in;
        }
        return in.read(b, off, len);
    }

    /** Writes while the channel is not with a loop. */
    void write(byte[] b, int off, int len) throws IOException {
        OutputStream out = blockingOut;
        if (out == null) {
            out = socket().getOutputStream();
            blockingOut = out;
        }
        out.write(b, off, len);
    }

    @Override
    protected InputStream getInputStream() {
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
                int n = ready == null ? ChannelSocket.this.read(b, off, len) : read(ready, last.over(b, off, len));
                bytes.in(Math.max(0, n));
                return n;
            }

            private int read(Readiness ready, ByteBuffer to) throws IOException {
                boolean waits = isAnswerDue;
                isAnswerDue = false;
                if (!waits && ++withoutWait > MAX_WITHOUT_WAIT) {
                    withoutWait = 0;
                    ready.yieldToOthers();
                }
                while (to.hasRemaining()) {
                    int n = 0;
                    if (waits) {
                        withoutWait = 0;
                        n = ready.receive(to, TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
                    }
                    if (n == 0) {
                        n = channel.read(to);
                    }
                    if (n != 0) {
                        return n;
                    }
                    waits = true;
                }
                return 0;
            }

            @Override
            public int available() throws IOException {
                return ChannelSocket.this.available();
            }
        };
    }

    @Override
    protected OutputStream getOutputStream() {
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
                    ChannelSocket.this.write(b, off, len);
                } else {
                    write(ready, last.over(b, off, len));
                }
                bytes.out(len);
            }

            private void write(Readiness ready, ByteBuffer from) throws IOException {
                boolean isFirst = !isAnswerDue;
                isAnswerDue = true;
                if (isFirst && ready.send(from)) {
                    return;
                }
                ready.flush(); // if a message has several parts, the loop was given the first one
                while (from.hasRemaining()) {
                    if (channel.write(from) == 0) {
                        ready.await(SelectionKey.OP_WRITE, 0);
                    }
                }
            }
        };
    }

    @Override
    protected int available() throws IOException {
        return socket().getInputStream().available();
    }

    @Override
    protected void close() throws IOException {
        Readiness found = readiness;
        try {
            if (found == null) {
                channel.close();
                found = readiness; // a client may have begun to wait by a loop meanwhile
            }
            if (found != null) {
                found.close();
            }
        } finally {
            bytes.close();
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        Readiness found = readiness;
        if (found != null) {
            found.flush();
        }
        channel.shutdownOutput();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        socket().sendUrgentData(data);
    }

    /** Called when the time limit of reads has changed. */
    void limitReads(int millis) throws SocketException {
        socket().setSoTimeout(millis);
    }

    /** An option that the channel does not have, as a Unix socket those of TCP, has no effect. */
    @Override
    public void setOption(int number, Object value) throws SocketException {
        if (number == SocketOptions.SO_TIMEOUT) {
            timeoutMillis = (Integer) value;
            limitReads(timeoutMillis);
            return;
        }
        SocketOption<?> option = option(number);
        try {
            if (channel.supportedOptions().contains(option)) {
                set(option, value.equals(false) && option.type() == Integer.class ? -1 : value); // no lingering
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private <T> void set(SocketOption<T> option, Object value) throws IOException {
        channel.setOption(option, option.type().cast(value));
    }

    @Override
    public Object getOption(int number) throws SocketException {
        try {
            if (number == SocketOptions.SO_TIMEOUT) {
                return timeoutMillis;
            }
            if (number == SocketOptions.SO_BINDADDR) {
                return socket().getLocalAddress();
            }
            SocketOption<?> option = option(number);
            return channel.supportedOptions().contains(option) ? channel.getOption(option) : false;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static SocketOption<?> option(int number) throws SocketException {
        return switch (number) {
            case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
            case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
            case SocketOptions.SO_SNDBUF -> StandardSocketOptions.SO_SNDBUF;
            case SocketOptions.SO_RCVBUF -> StandardSocketOptions.SO_RCVBUF;
            case SocketOptions.SO_LINGER -> StandardSocketOptions.SO_LINGER;
            default -> throw new SocketException("not an option of a client's socket: " + number);
        };
    }

    static SocketException failure(IOException e) {
        return (SocketException) new SocketException(e.getMessage()).initCause(e);
    }

    /** A buffer over a part of an array: the last one if the array is the same, as the driver's own always is. */
    static final class LastBuffer {
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
