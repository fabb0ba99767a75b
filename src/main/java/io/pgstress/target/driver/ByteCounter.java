package io.pgstress.target.driver;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of one endpoint's sockets. Each socket counts its own, because clients that add to common counters would take
 * these from each other's core at every operation. Thread-safe.
 */
public final class ByteCounter {
    private final Set<OfSocket> open = new HashSet<>();
    private long closedIn;
    private long closedOut;

    /** The bytes of one socket. One thread at a time may count; any thread may close. */
    final class OfSocket {
        private final AtomicLong in = new AtomicLong();
        private final AtomicLong out = new AtomicLong();

        void in(long bytes) {
            in.setOpaque(in.getPlain() + bytes);
        }

        void out(long bytes) {
            out.setOpaque(out.getPlain() + bytes);
        }

        /** Ends the socket's part. What it counts later is lost. */
        void close() {
            closed(this);
        }
    }

    synchronized OfSocket newSocket() {
        OfSocket socket = new OfSocket();
        open.add(socket);
        return socket;
    }

    private synchronized void closed(OfSocket socket) {
        if (open.remove(socket)) {
            closedIn += socket.in.getOpaque();
            closedOut += socket.out.getOpaque();
        }
    }

    /** Bytes received so far. */
    public synchronized long bytesIn() {
        return closedIn + open.stream().mapToLong(s -> s.in.getOpaque()).sum();
    }

    /** Bytes sent so far. */
    public synchronized long bytesOut() {
        return closedOut + open.stream().mapToLong(s -> s.out.getOpaque()).sum();
    }
}
