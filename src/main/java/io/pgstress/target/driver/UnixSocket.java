package io.pgstress.target.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A socket over the channel of a Unix socket, for which the JDK has none. It connects to its file, whatever address it is given. The
 * channel blocks, except while reads have a time limit; then a selector waits. Options of TCP have no effect. One thread at a time;
 * any thread may close.
 */
final class UnixSocket extends Socket {
    private static final long MIN_PAUSE_NANOS = 1_000_000;
    private static final long MAX_PAUSE_NANOS = 64_000_000;

    private volatile SocketChannel channel;
    private final Path file;
    private volatile @Nullable SelectionKey timed;
    private int timeoutMillis;
    private boolean isClosed;

    UnixSocket(Path file) throws IOException {
        super((SocketImpl) null);
        this.file = file;
        this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /** The channel, which may be another one after connecting. */
    SocketChannel channel() {
        return channel;
    }

    /** No server accepts connections at the file. */
    static final class NoServerException extends IOException {
        private static final long serialVersionUID = 1L;

        NoServerException(String message, IOException cause) {
            super(message, cause);
        }
    }

    /**
     * Connects, and tries again while the server's queue of connections is full. The system call of a blocking channel would wait
     * for the queue without limit; that of another one, as in a virtual thread, fails at once.
     *
     * @param timeout time limit in milliseconds; 0: none
     */
    @Override
    public void connect(SocketAddress address, int timeout) throws IOException {
        long start = System.nanoTime();
        for (long pause = MIN_PAUSE_NANOS; !isConnectedNow(); pause = Math.min(2 * pause, MAX_PAUSE_NANOS)) {
            if (timeout > 0 && System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(timeout)) {
                close();
                throw new SocketTimeoutException("Connect timed out");
            }
            LockSupport.parkNanos(this, pause);
            if (Thread.currentThread().isInterrupted()) {
                close();
                throw new SocketException("Closed by interrupt");
            }
            renew();
        }
    }

    /** Tries to connect; false if the server's queue is full. */
    private boolean isConnectedNow() throws IOException {
        SocketChannel tried = channel;
        try {
            tried.configureBlocking(false);
            boolean connected = tried.connect(UnixDomainSocketAddress.of(file));
            if (connected) {
                tried.configureBlocking(true);
            }
            return connected;
        } catch (SocketException e) {
            if (isQueueFull(e)) {
                return false;
            }
            throw new NoServerException(reason(String.valueOf(e.getMessage())), e);
        }
    }

    /** Whether it is EAGAIN, which has no class of its own, like ENOENT; its text depends on the locale. */
    private boolean isQueueFull(SocketException e) {
        return e.getClass() == SocketException.class && Files.exists(file);
    }

    /** Replaces the channel, because one that did not connect takes no second attempt. */
    private synchronized void renew() throws IOException {
        channel.close();
        if (isClosed) {
            throw new SocketException("Socket closed");
        }
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    private String reason(String failure) {
        if (failure.contains("ermission")) {
            return "no permission to connect to " + file;
        }
        return "no server listens at " + file
                + (Files.exists(file)
                        ? ": " + failure
                        : ": there is no such file; see the server's unix_socket_directories and port");
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] b, int off, int len) throws IOException {
                ByteBuffer to = ByteBuffer.wrap(b, off, len);
                SelectionKey key = timed;
                return key == null ? channel.read(to) : UnixSocket.this.read(to, key);
            }
        };
    }

    private int read(ByteBuffer to, SelectionKey key) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        int n;
        while ((n = channel.read(to)) == 0 && to.hasRemaining()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            await(key, SelectionKey.OP_READ, 1 + TimeUnit.NANOSECONDS.toMillis(left));
        }
        return n;
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] b, int off, int len) throws IOException {
                ByteBuffer from = ByteBuffer.wrap(b, off, len);
                while (from.hasRemaining()) {
                    SelectionKey key = timed;
                    if (channel.write(from) == 0 && key != null) {
                        await(key, SelectionKey.OP_WRITE, 0);
                    }
                }
            }
        };
    }

    /** @param millis the time limit; 0: none */
    private void await(SelectionKey key, int operation, long millis) throws IOException {
        try {
            key.interestOps(operation);
            key.selector().select(millis);
            key.selector().selectedKeys().clear();
        } catch (CancelledKeyException | ClosedSelectorException e) {
            throw new IOException("Socket closed", e);
        }
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw new SocketException("Closed by interrupt");
        }
    }

    @Override
    public synchronized void setSoTimeout(int millis) throws SocketException {
        timeoutMillis = millis;
        try {
            SelectionKey key = timed;
            if (millis > 0 && key == null) {
                channel.configureBlocking(false); // fails if it is closed
                timed = channel.register(Selector.open(), 0);
            } else if (millis == 0 && key != null) {
                timed = null;
                key.selector().close();
                if (!channel.isRegistered()) { // with an event loop
                    channel.configureBlocking(true);
                }
            }
        } catch (IOException e) {
            throw (SocketException) new SocketException("the time limit cannot be set: " + e.getMessage()).initCause(e);
        }
    }

    @Override
    public synchronized int getSoTimeout() {
        return timeoutMillis;
    }

    @Override
    public synchronized void setSendBufferSize(int size) throws SocketException {
        try {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, size);
        } catch (IOException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    @Override
    public void setTcpNoDelay(boolean on) {
        // there are no packets to delay
    }

    @Override
    public void setKeepAlive(boolean on) {
        // the kernel knows at once when the other end is closed
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        channel.close();
        SelectionKey key = timed;
        if (key != null) {
            key.selector().close(); // wakes the thread that waits
        }
    }
}
