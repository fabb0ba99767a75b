package io.pgstress.target.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.Set;

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
        private static final VarHandle IN = handle("in");
        private static final VarHandle OUT = handle("out");

        private long in;
        private long out;

        private static VarHandle handle(String field) {
            try {
                return MethodHandles.lookup().findVarHandle(OfSocket.class, field, long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        void in(long bytes) {
            IN.setOpaque(this, in + bytes);
        }

        void out(long bytes) {
            OUT.setOpaque(this, out + bytes);
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
            closedIn += (long) OfSocket.IN.getOpaque(socket);
            closedOut += (long) OfSocket.OUT.getOpaque(socket);
        }
    }

    /** Bytes received so far. */
    public synchronized long bytesIn() {
        return closedIn
                + open.stream().mapToLong(s -> (long) OfSocket.IN.getOpaque(s)).sum();
    }

    /** Bytes sent so far. */
    public synchronized long bytesOut() {
        return closedOut
                + open.stream().mapToLong(s -> (long) OfSocket.OUT.getOpaque(s)).sum();
    }
}
