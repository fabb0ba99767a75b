package io.pgstress.probe;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Spans;
import io.pgstress.measure.Timeline;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.loop.LoadThreads;
import io.pgstress.target.loop.Readiness;
import io.pgstress.verdict.ClientTurns;
import io.pgstress.verdict.LongTimes.Suspect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for bytes on threads of the clients' kind, as clients wait for answers, and records how late a thread runs after a byte
 * was due. This is the part of a client's latency not caused by the server: waiting for a core or, on a virtual thread, for a carrier. A
 * sleeping thread would not do: a virtual thread woken by a timer runs only when the carriers are otherwise idle.
 */
public final class Canary implements Probe {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The due time and the send time. */
    private static final int PROBE_BYTES = 2 * Long.BYTES;

    /** Delays above this are kept with their time. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RunContext run;
    private final LoadThreads threads;
    private final List<Pipe> pipes = new ArrayList<>();
    private final Spans pauses = new Spans();
    private final Thread ticker = new Thread(this::tick, "canary");
    private volatile boolean closed;
    private boolean isMeasuring;
    private LatencyHistogram late = new LatencyHistogram();
    private long @Nullable [] turnWaitsBefore;
    private long @Nullable [] turnWaits;

    /** @param threads of the clients */
    public Canary(RunContext run, LoadThreads threads) {
        this.run = run;
        this.threads = threads;
        ticker.setDaemon(true);
    }

    /** Starts one reader on each scheduler of the clients' threads. */
    @Override
    public void start() {
        try {
            for (int i = 0; i < threads.schedulers(); i++) {
                Pipe pipe = Pipe.open();
                pipes.add(pipe);
                threads.newThread(() -> read(pipe)).start();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no pipe could be opened", e);
        }
        ticker.start();
    }

    private void tick() {
        ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
        long due = System.nanoTime();
        try {
            while (true) {
                due += NANOS; // missed probes are sent late: each counts with its whole delay
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
     * Records that a probe was read.
     *
     * @param sent when its bytes became readable: later than due because the sending thread slept, which delays no client
     *     unless the whole process stood still
     */
    private synchronized void note(long due, long sent, long now) {
        if (isMeasuring) {
            late.record(now - (sent - due > LONG_NANOS ? due : sent));
        }
        if (!closed && now - due > LONG_NANOS) {
            Timeline timeline = run.timeline();
            pauses.add(timeline.sinceStart(due), timeline.sinceStart(now));
        }
    }

    @Override
    public synchronized void measureStarts() {
        isMeasuring = true;
        late = new LatencyHistogram();
        pauses.clear();
        turnWaitsBefore = threads.turnWaits();
    }

    /** Pauses are recorded until the end of the drain. */
    @Override
    public synchronized void measureEnds() {
        isMeasuring = false;
        turnWaits = threads.turnWaits();
    }

    /** How late the clients' threads ran, according to the probes and the event loops. */
    synchronized ClientTurns turns(Findings findings) {
        return ClientTurns.of(turnWaits, turnWaitsBefore, findings.endedInTime(), late, findings.typical());
    }

    @Override
    public void contribute(Findings findings) {
        close();
        findings.evidence().turns(turns(findings));
        pauses.all().forEach(s -> findings.suspect(new Suspect(Suspect.Kind.CLIENT, s.from() / 1e9, s.to() / 1e9)));
    }

    /** Ends the probe and its readers; the records remain. May be called repeatedly. */
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
