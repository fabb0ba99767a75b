package io.pgstress.fleet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Accepts only peers with a trusted certificate. Each handshake has a thread and ends after some time, however many bytes the peer
 * sends meanwhile, so that a stranger does not hold up the hosts that follow it. Strangers are logged and closed here, where the
 * reason is known; JGroups would log that their socket is closed.
 */
final class TlsServerSocket extends ServerSocket {
    /** More than the hosts of a fleet that usually start at the same moment; further ones wait for the end of a handshake. */
    private static final int MAX_HANDSHAKES = 64;

    private final SSLContext tls;
    private final int timeoutMillis;
    private final Semaphore free = new Semaphore(MAX_HANDSHAKES);
    private final Set<Socket> shakingHands = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(daemons("tls-handshake"));
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(daemons("tls-limit"));
    private boolean isListening;

    /** A peer with its handshake behind it, or why there are no more. */
    private record Arrival(
            @Nullable Socket socket, @Nullable IOException failure) {}

    /** @param timeoutMillis how long a handshake may take as a whole */
    TlsServerSocket(SSLContext tls, int timeoutMillis) throws IOException {
        this.tls = tls;
        this.timeoutMillis = timeoutMillis;
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** The next peer whose handshake has succeeded. */
    @Override
    public Socket accept() throws IOException {
        listen();
        try {
            Arrival next = arrivals.take();
            if (next.socket() != null) {
                return next.socket();
            }
            if (isClosed()) {
                arrivals.add(next); // for whoever else waits
            }
            throw next.failure() == null ? new SocketException("Socket closed") : next.failure();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private synchronized void listen() {
        if (!isListening && !isClosed()) {
            isListening = true;
            threads.execute(this::acceptAll);
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                free.acquire();
                Socket raw = super.accept();
                shakingHands.add(raw);
                threads.execute(() -> shakeHands(raw));
            }
        } catch (IOException e) {
            free.release();
            synchronized (this) {
                isListening = false;
            }
            arrivals.add(new Arrival(null, e)); // such as too many open files; accept() begins again
        } catch (InterruptedException | RejectedExecutionException e) {
            shakingHands.forEach(TlsServerSocket::end); // closed meanwhile
        }
    }

    private void shakeHands(Socket raw) {
        Future<?> limit = null;
        try {
            ScheduledFuture<?> end = clock.schedule(() -> end(raw), timeoutMillis, TimeUnit.MILLISECONDS);
            limit = end;
            SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(raw, null, true);
            secure.setUseClientMode(false);
            secure.setNeedClientAuth(true);
            secure.startHandshake();
            if (!end.cancel(false)) {
                throw new SocketException("Socket closed");
            }
            arrivals.add(new Arrival(secure, null));
        } catch (IOException e) {
            boolean isLate = limit != null && limit.isDone() && !limit.isCancelled();
            if (isLate) {
                EngineLog.refused(
                        raw, new SocketTimeoutException("the TLS handshake took longer than " + timeoutMillis + " ms"));
            } else if (!isClosed()) {
                EngineLog.refused(raw, e);
            }
            end(raw);
        } catch (RejectedExecutionException e) {
            end(raw); // closed meanwhile
        } finally {
            if (limit != null) {
                limit.cancel(false);
            }
            shakingHands.remove(raw);
            free.release();
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            EngineLog.refused(socket, e);
        }
    }

    @Override
    public void close() throws IOException {
        super.close();
        threads.shutdownNow();
        clock.shutdownNow();
        shakingHands.forEach(TlsServerSocket::end);
        for (Arrival left = arrivals.poll(); left != null; left = arrivals.poll()) {
            if (left.socket() != null) {
                end(left.socket());
            }
        }
        arrivals.add(new Arrival(null, null));
    }
}
