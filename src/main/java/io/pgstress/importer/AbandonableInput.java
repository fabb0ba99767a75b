package io.pgstress.importer;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
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
    private record Piece(ByteBuffer bytes, @Nullable Throwable failure) {}

    private final BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(AHEAD);
    private final BlockingQueue<ByteBuffer> used = new ArrayBlockingQueue<>(AHEAD);
    private final Source source;
    private @Nullable Thread thread;
    private ByteBuffer current = ByteBuffer.allocate(PIECE).flip();
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
        if (!current.hasRemaining() && !next()) {
            return -1;
        }
        int read = Math.min(count, current.remaining());
        current.get(target, from, read);
        return read;
    }

    @Override
    public int available() {
        return current.remaining();
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
        boolean unused = used.offer(current);
        current = ByteBuffer.allocate(0);
        Piece piece;
        try {
            piece = pieces.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while waiting for input").initCause(e);
        }
        Throwable failure = piece.failure();
        if (failure != null) {
            hasEnded = true;
            throw new IOException(failure.getMessage(), failure);
        }
        current = piece.bytes();
        hasEnded = !current.hasRemaining();
        return !hasEnded;
    }

    private void readAll() {
        try {
            try (InputStream in = source.open()) {
                int read;
                do {
                    ByteBuffer free = used.poll();
                    ByteBuffer bytes = free == null || free.capacity() == 0 ? ByteBuffer.allocate(PIECE) : free.clear();
                    read = Math.max(0, in.read(bytes.array(), 0, PIECE));
                    pieces.put(new Piece(bytes.limit(read), null));
                } while (read > 0);
            } catch (IOException | RuntimeException | Error e) {
                pieces.put(new Piece(ByteBuffer.allocate(0), e)); // the reader would wait forever otherwise
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
