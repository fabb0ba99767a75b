package io.pgstress.target.driver;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
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
 * A client's Unix socket, for which the JDK has a channel and no socket. It connects to its file, whatever address it is given. The
 * channel blocks, except while reads have a time limit; then a selector waits. Options of TCP have no effect.
 */
final class UnixSocket extends ChannelSocket {
    private static final long MIN_PAUSE_NANOS = 1_000_000;
    private static final long MAX_PAUSE_NANOS = 64_000_000;

    private final Path file;
    private final LastBuffer lastRead = new LastBuffer();
    private final LastBuffer lastWritten = new LastBuffer();
    private volatile @Nullable SelectionKey timed;
    private boolean isClosed;

    /** @param counter counts the socket's bytes */
    UnixSocket(Path file, ByteCounter counter) throws IOException {
        super(SocketChannel.open(StandardProtocolFamily.UNIX), counter);
        this.file = file;
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
     * @param millis time limit; 0: none
     */
    @Override
    protected void connect(SocketAddress to, int millis) throws IOException {
        long start = System.nanoTime();
        for (long pause = MIN_PAUSE_NANOS; !isConnectedNow(); pause = Math.min(2 * pause, MAX_PAUSE_NANOS)) {
            if (millis > 0 && System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(millis)) {
                close();
                throw new SocketTimeoutException("Connect timed out");
            }
            LockSupport.parkNanos(this, pause);
            closeIfInterrupted();
            renew();
        }
    }

    /** Tries to connect; false if the server's queue is full. */
    private boolean isConnectedNow() throws IOException {
        SocketChannel tried = channel();
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
        channel().close();
        if (isClosed) {
            throw new SocketException("Socket closed");
        }
        use(SocketChannel.open(StandardProtocolFamily.UNIX));
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
    int read(byte[] b, int off, int len) throws IOException {
        ByteBuffer to = lastRead.over(b, off, len);
        SelectionKey key = timed;
        return key == null ? channel().read(to) : read(to, key);
    }

    private int read(ByteBuffer to, SelectionKey key) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis());
        int n;
        while ((n = channel().read(to)) == 0 && to.hasRemaining()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            await(key, SelectionKey.OP_READ, 1 + TimeUnit.NANOSECONDS.toMillis(left));
        }
        return n;
    }

    @Override
    void write(byte[] b, int off, int len) throws IOException {
        ByteBuffer from = lastWritten.over(b, off, len);
        while (from.hasRemaining()) {
            SelectionKey key = timed;
            if (channel().write(from) == 0 && key != null) {
                await(key, SelectionKey.OP_WRITE, 0);
            }
        }
    }

    @Override
    protected int available() {
        return 0;
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
        closeIfInterrupted();
    }

    private void closeIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw new SocketException("Closed by interrupt");
        }
    }

    @Override
    synchronized void limitReads(int millis) throws SocketException {
        try {
            SelectionKey key = timed;
            if (millis > 0 && key == null) {
                channel().configureBlocking(false); // fails if it is closed
                timed = channel().register(Selector.open(), 0);
            } else if (millis == 0 && key != null) {
                timed = null;
                key.selector().close();
                if (!channel().isRegistered()) { // with an event loop
                    channel().configureBlocking(true);
                }
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    protected synchronized void close() throws IOException {
        isClosed = true;
        super.close();
        SelectionKey key = timed;
        if (key != null) {
            key.selector().close(); // wakes the thread that waits
        }
    }
}
