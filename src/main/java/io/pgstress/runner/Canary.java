package io.pgstress.runner;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Spans;
import io.pgstress.target.loop.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Waits for bytes on a thread of the same kind as the clients', as they wait for answers, and notes how long after a byte was due it
 * runs: so much a client's times may hold that is no server's, the wait for a core or, on a virtual thread, for a carrier. A
 * thread that slept would not do: a virtual thread whose time is up runs only once the carriers have nothing else to do.
 */
final class Canary implements AutoCloseable {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** When it was due and when it was sent. */
    private static final int PROBE_BYTES = 2 * Long.BYTES;

    /** A thread that runs later is kept with its time. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<Pipe> pipes = new ArrayList<>();
    private final Thread ticker;
    private volatile boolean closed;
    private LatencyHistogram late = new LatencyHistogram();
    private final Spans pauses = new Spans();
    private final LongUnaryOperator sinceStart;

    /**
     * @param factory makes threads like the clients'
     * @param readers how many, in turn, have one on each of the factory's schedulers
     * @param sinceStart from the clock's nanoseconds to those since the start of the load
     */
    Canary(ThreadFactory factory, int readers, LongUnaryOperator sinceStart) throws IOException {
        this.sinceStart = sinceStart;
        for (int i = 0; i < readers; i++) {
            Pipe pipe = Pipe.open();
            pipes.add(pipe);
            factory.newThread(() -> read(pipe)).start();
        }
        ticker = new Thread(this::tick, "canary");
        ticker.setDaemon(true);
        ticker.start();
    }

    private void tick() {
        ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
        long due = System.nanoTime();
        try {
            while (true) {
                due += NANOS; // what is missed, as all stood still, is made up for: each counts with all of its wait
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                for (Pipe pipe : pipes) {
                    pipe.sink()
                            .write(bytes.clear()
                                    .putLong(due)
                                    .putLong(System.nanoTime())
                                    .flip());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            broke(e);
        }
    }

    private void read(Pipe pipe) {
        ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
        try (Pipe.SourceChannel source = pipe.source()) {
            Readiness loop = Readiness.onCurrentLoop(source);
            int read;
            while ((read = source.read(bytes)) >= 0) {
                if (read == 0 && loop != null) {
                    loop.await(SelectionKey.OP_READ, 0);
                } else if (!bytes.hasRemaining()) {
                    long now = System.nanoTime();
                    bytes.flip();
                    note(bytes.getLong(), bytes.getLong(), now);
                    bytes.clear();
                }
            }
        } catch (IOException e) {
            broke(e);
        }
    }

    private void broke(IOException e) {
        if (!closed) {
            throw new UncheckedIOException("the canary's pipe broke", e);
        }
    }

    /**
     * A probe was read.
     *
     * @param sent when its bytes became readable: later than due by the sleep of the thread that sends them, which is no wait of a client's,
     *     unless all stood still
     */
    private synchronized void note(long due, long sent, long now) {
        if (!closed) {
            late.record(now - (sent - due > LONG_NANOS ? due : sent));
            if (now - due > LONG_NANOS) {
                pauses.add(sinceStart.applyAsLong(due), sinceStart.applyAsLong(now));
            }
        }
    }

    /** Forgets what was before the measurement. */
    synchronized void measureStarts() {
        late = new LatencyHistogram();
        pauses.clear();
    }

    /** How late the threads ran, of each probe; to be asked once it has ended. */
    synchronized LatencyHistogram late() {
        return late;
    }

    /** The longest times for which a thread that could go on did not, in nanoseconds since the start of the load. */
    List<Spans.Span> pauses() {
        return pauses.all();
    }

    /** Ends it, and so its readers; what it noted stays. May be called again. */
    @Override
    public void close() {
        closed = true;
        ticker.interrupt();
        try {
            for (Pipe pipe : pipes) {
                pipe.sink().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a pipe of the canary did not close", e);
        }
    }
}
