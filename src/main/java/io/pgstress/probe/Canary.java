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
import io.pgstress.verdict.ClientTurns.RunQueue;
import io.pgstress.verdict.LongTimes.Suspect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for bytes on threads of the clients' kind, as clients wait for answers, and records how late a thread runs after a byte
 * was due. This is the part of a client's latency not caused by the server: waiting for a core or, on a virtual thread, for a carrier. A
 * sleeping thread would not do: a virtual thread woken by a timer runs only when the carriers are otherwise idle.
 */
public final class Canary implements Probe {
    private static final Path TASKS = Path.of("/proc/self/task");

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
    private Map<String, RunQueue> queuesBefore = Map.of();
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
        standstills.clear();
        turnWaits = threads.turnWaits();
        queuesBefore = Files.isDirectory(TASKS) ? queues(any -> true) : Map.of();
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
        Map<String, RunQueue> queues = queuesBefore.isEmpty() ? Map.of() : queues(threads::isOurs);
        for (Map.Entry<String, RunQueue> thread : queues.entrySet()) {
            RunQueue before = queuesBefore.getOrDefault(thread.getKey(), new RunQueue(0, 0));
            nanos += thread.getValue().nanos() - before.nanos();
            turns += thread.getValue().turns() - before.turns();
        }
        return turns == 0 ? null : new RunQueue(nanos, turns);
    }

    /** What the threads of this process with such names have waited for a core, by their number; empty if the kernel does not tell. */
    private static Map<String, RunQueue> queues(Predicate<String> hasName) {
        Map<String, RunQueue> queues = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                read(task, hasName)
                        .ifPresent(found -> queues.put(task.getFileName().toString(), found));
            }
        } catch (IOException e) {
            return Map.of();
        }
        return queues;
    }

    private static Optional<RunQueue> read(Path task, Predicate<String> hasName) {
        try {
            if (!hasName.test(Files.readString(task.resolve("comm")).strip())) {
                return Optional.empty();
            }
            // time on a core, time of waiting for one, number of turns: Documentation/scheduler/sched-stats.rst
            String[] times = Files.readString(task.resolve("schedstat")).strip().split(" ", -1);
            return Optional.of(new RunQueue(Long.parseLong(times[1]), Long.parseLong(times[2])));
        } catch (IOException e) {
            return Optional.empty(); // it ended, or the kernel keeps no such statistics
        }
    }

    /** How much of the latencies is the clients' own waiting, according to event loops, the system and the probes. */
    synchronized ClientTurns turns(Findings findings) {
        return ClientTurns.of(turnWaits, queue, findings.endedInTime(), late, findings.meanMicros());
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
