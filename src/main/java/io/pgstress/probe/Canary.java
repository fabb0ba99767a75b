package io.pgstress.probe;

import io.pgstress.machine.ThreadTimes;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Spans;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.Load;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.loop.LoadThreads;
import io.pgstress.target.loop.Readiness;
import io.pgstress.verdict.ClientTurns;
import io.pgstress.verdict.ClientTurns.RunQueue;
import io.pgstress.verdict.LongTimes.Suspect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

    /** Longer periods in which nothing of this process ran are standstills. */
    private static final long STANDSTILL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A process that had more of a core than this did not stand still. */
    private static final double MAX_STANDSTILL_CORES = 0.1;

    private final RunContext run;
    private final LoadThreads threads;
    private final List<Pipe> pipes = new ArrayList<>();
    private final Spans pauses = new Spans();
    private final Thread ticker = new Thread(this::tick, "canary");
    private volatile boolean closed;
    private final Spans standstills = new Spans();
    private boolean isMeasuring;
    private LatencyHistogram late = new LatencyHistogram();
    private long @Nullable [] turnWaits;
    private Map<String, ThreadTimes> threadsBefore = Map.of();
    private @Nullable RunQueue queue;

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
        CpuMeter last = CpuMeter.ofProcess();
        try {
            while (true) {
                due += NANOS; // missed probes are sent late: each counts with its whole delay
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                CpuMeter now = CpuMeter.ofProcess();
                heartbeat(last, now);
                last = now;
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

    /** Notices that the whole process, and not just this thread, did not run for a time: it was stopped, or got no core. */
    private void heartbeat(CpuMeter last, CpuMeter now) {
        long gap = now.nanoTime() - last.nanoTime() - NANOS;
        if (gap > STANDSTILL_NANOS && now.cpuSecondsSince(last) < MAX_STANDSTILL_CORES * now.secondsSince(last)) {
            Timeline timeline = run.timeline();
            standstills.add(timeline.sinceStart(now.nanoTime() - gap), timeline.sinceStart(now.nanoTime()));
        }
    }

    private void read(Pipe pipe) {
        ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
        try (Pipe.SourceChannel source = pipe.source();
                Readiness loop = Readiness.onCurrentLoop(source)) {
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
        Timeline timeline = run.timeline();
        // after a standstill, this is called late: the standstill may be part of the measurement
        long start = timeline.sinceStart(timeline.measureStart());
        pauses.dropUntil(start);
        standstills.dropUntil(start);
        turnWaits = threads.turnWaits();
        threadsBefore = ThreadTimes.read(ThreadTimes.TASKS, any -> true);
    }

    /** Pauses are recorded until the end of the drain. */
    @Override
    public synchronized void measureEnds() {
        isMeasuring = false;
        long[] before = turnWaits;
        long[] now = threads.turnWaits();
        if (before != null && now != null) {
            Arrays.setAll(before, n -> now[n] - before[n]);
        }
        queue = queue();
    }

    /** The threads of clients, or event loops, in the queues of the operating system since the start of the measurement; null if unknown. */
    private @Nullable RunQueue queue() {
        long nanos = 0;
        long turns = 0;
        if (!threadsBefore.isEmpty()) {
            Map<String, ThreadTimes> ours = ThreadTimes.read(ThreadTimes.TASKS, threads::isOurs);
            for (Map.Entry<String, ThreadTimes> thread : ours.entrySet()) {
                ThreadTimes before = threadsBefore.getOrDefault(thread.getKey(), new ThreadTimes(0, 0, 0));
                nanos += thread.getValue().waitNanos() - before.waitNanos();
                turns += thread.getValue().turns() - before.turns();
            }
        }
        return turns == 0 ? null : new RunQueue(nanos, turns);
    }

    /** How much of the latencies is the clients' own waiting, according to event loops, the system and the probes. */
    synchronized ClientTurns turns(Findings findings) {
        return ClientTurns.of(
                turnWaits,
                queue,
                findings.recorded().endedInTime(),
                run.spec().load() instanceof Load.Open,
                late,
                findings.recorded().meanMicros(),
                findings.recorded().leastMicros());
    }

    @Override
    public void contribute(Findings findings) {
        close();
        findings.evidence().turns(turns(findings));
        suspects(pauses, Suspect.Kind.CLIENT, findings);
        suspects(standstills, Suspect.Kind.STANDSTILL, findings);
    }

    private static void suspects(Spans spans, Suspect.Kind kind, Findings findings) {
        spans.all().forEach(s -> findings.suspect(new Suspect(kind, s.from() / 1e9, s.to() / 1e9)));
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
