package io.pgstress.importer;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A pipe or standard input, opened and read by a thread of its own. An interrupt ends neither the opening of a named pipe that nobody
 * writes (open(2)) nor a read of standard input, so whoever reads this waits for that thread instead, and can be interrupted. The thread
 * is abandoned then; it does not keep the process from ending. Used by one thread.
 */
public final class AbandonableInput extends InputStream {
    private static final int PIECE = 1 << 16;
    private static final int AHEAD = 4;

    /** Opens the source, however long that takes. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    /** Bytes of the source, or its end if there are none. */
    private record Piece(byte[] bytes, int length, @Nullable IOException failure) {}

    private final BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(AHEAD);
    private final BlockingQueue<byte[]> used = new ArrayBlockingQueue<>(AHEAD);
    private final Source source;
    private @Nullable Thread thread;
    private Piece current = new Piece(new byte[PIECE], 0, null);
    private int at;
    private boolean hasEnded;

    /** Opens nothing before the first read. */
    public AbandonableInput(Source source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (at == current.length() && !next()) {
            return -1;
        }
        int read = Math.min(count, current.length() - at);
        System.arraycopy(current.bytes(), at, target, from, read);
        at += read;
        return read;
    }

    @Override
    public int available() {
        return current.length() - at;
    }

    private boolean next() throws IOException {
        if (hasEnded) {
            return false;
        }
        if (thread == null) {
            thread = new Thread(this::readAll, "input");
            thread.setDaemon(true);
            thread.start();
        }
        boolean unused = used.offer(current.bytes());
        current = new Piece(new byte[0], 0, null);
        at = 0;
        try {
            current = pieces.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while waiting for input").initCause(e);
        }
        if (current.failure() != null) {
            hasEnded = true;
            throw new IOException(current.failure().getMessage(), current.failure());
        }
        hasEnded = current.length() == 0;
        return !hasEnded;
    }

    private void readAll() {
        try {
            try (InputStream in = source.open()) {
                int read;
                do {
                    byte[] free = used.poll();
                    byte[] bytes = free == null ? new byte[PIECE] : free;
                    read = Math.max(0, in.read(bytes, 0, bytes.length));
                    pieces.put(new Piece(bytes, read, null));
                } while (read > 0);
            } catch (IOException e) {
                pieces.put(new Piece(new byte[0], 0, e));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody reads it any more
        }
    }

    @Override
    public void close() {
        hasEnded = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
