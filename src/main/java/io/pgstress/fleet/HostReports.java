package io.pgstress.fleet;

import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.Operation;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.operation.Writes;
import io.pgstress.operation.Writes.UpdatedIds;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Clients;
import io.pgstress.runner.IntervalExtras;
import io.pgstress.text.Json;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Sends the command what a host's clients have recorded: increments during the load, and the rest at its end. Thread-safe. */
final class HostReports {
    /** Earlier intervals get nothing new, except at the end. */
    private static final int OPEN_INTERVALS = 5;

    private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final List<Phase> LOADED = List.of(Phase.WARMUP, Phase.MEASURE, Phase.DRAIN);

    private final HostLoad load;
    private final Consumer<Message> send;
    private final ReentrantLock sending = new ReentrantLock();
    private boolean isPaused;
    private long sequence;
    private final int[] nextUsage = new int[Phase.values().length];

    /**
     * The load of this host.
     *
     * @param nodes for each server of this host, its number in the whole run
     * @param clients those of this host
     * @param warmupExecutions how often each client executes each operation in the warm-up, at least
     */
    record HostLoad(
            List<Integer> nodes,
            Timeline timeline,
            IntervalExtras extras,
            Acknowledged writes,
            Clients clients,
            int warmupExecutions) {}

    /** @param send sends a message to the command */
    HostReports(HostLoad load, Consumer<Message> send) {
        this.load = load;
        this.send = send;
    }

    /** Sends how far the load has come, and what was recorded since the last time; during a pause, only that the host is alive. */
    void progress(long now, boolean isWarm) {
        sending.lock();
        try {
            if (isPaused) {
                send.accept(new Message.Beat());
                return;
            }
            send.accept(new Message.Progress(
                    load.clients().okSoFar(),
                    isWarm,
                    load.clients().haveExecuted(load.warmupExecutions()),
                    load.clients().inFlight(),
                    load.clients().backlog(now),
                    load.writes().own()));
            int open = (int) Math.max(
                    OPEN_INTERVALS, OPEN_NANOS / load.timeline().measureGrid().endOf(0));
            for (Phase phase : LOADED) {
                List<IntervalData> all = load.timeline().intervals(phase);
                sendNew(all.subList(Math.max(0, all.size() - open), all.size()));
                sendUsage(phase);
            }
        } finally {
            sending.unlock();
        }
    }

    /** All clients have stopped for a pause. Until {@link #resumed}, the command's own figures of written rows hold. */
    void paused() {
        sending.lock();
        try {
            isPaused = true;
            send.accept(new Message.Paused(load.writes().own()));
        } finally {
            sending.unlock();
        }
    }

    void resumed() {
        sending.lock();
        try {
            isPaused = false;
        } finally {
            sending.unlock();
        }
    }

    /**
     * Sends what has not been sent yet, and the result.
     *
     * @param offset the clock's, as estimated after the load; null if unknown
     * @param stalls this host's own possible causes of long operations
     */
    void ended(RunResult result, @Nullable ClockOffset offset, List<Suspect> stalls) {
        sending.lock();
        try {
            for (Phase phase : LOADED) {
                sendNew(load.timeline().intervals(phase));
                sendUsage(phase);
            }
            send.accept(new Message.Ended(
                    Json.writeLine(result.withIntervals(List.of())),
                    offset == null ? 0 : -offset.nanos(),
                    offset == null ? 0 : offset.boundNanos(),
                    load.writes().own(),
                    load.writes().updated().stream().map(ids -> ids.bits()).toList(),
                    successes(),
                    calls(),
                    sequence,
                    stalls));
        } finally {
            sending.unlock();
        }
    }

    private void sendNew(List<IntervalData> intervals) {
        for (IntervalData interval : intervals) {
            List<CellIncrement> cells = interval.takeNew().stream()
                    .map(cell -> new CellIncrement(load.nodes().get(cell.node()), cell.operation(), cell.cell()))
                    .toList();
            if (!cells.isEmpty()) {
                send.accept(new Message.Increment(sequence++, interval.phase(), interval.index(), cells));
            }
        }
    }

    /** Sends what was used in intervals that have ended meanwhile. */
    private void sendUsage(Phase phase) {
        List<IntervalData> all = load.timeline().intervals(phase);
        for (int i = nextUsage[phase.ordinal()]; i < all.size(); i++) {
            IntervalExtras.Usage usage = load.extras().usage(all.get(i));
            if (usage != null) {
                nextUsage[phase.ordinal()] = i + 1;
                send.accept(new Message.Usage(
                        phase, i, usage.inMbitPerSecond(), usage.outMbitPerSecond(), usage.cpuCores()));
            }
        }
    }

    private List<byte[]> successes() {
        return IntStream.range(0, load.nodes().size())
                .mapToObj(node -> load.timeline().successes(node).encode())
                .toList();
    }

    /** Calls by server, operation and statement. */
    private List<List<List<Long>>> calls() {
        int operations = load.timeline().shapes().size();
        return IntStream.range(0, load.nodes().size())
                .mapToObj(node -> IntStream.range(0, operations)
                        .mapToObj(operation -> calls(node, operation))
                        .toList())
                .toList();
    }

    private List<Long> calls(int node, int operation) {
        int statements = load.timeline().shapes().get(operation).statements().size();
        return LongStream.range(0, statements)
                .map(statement -> load.clients().calls(node, operation, (int) statement))
                .boxed()
                .toList();
    }

    /**
     * The acknowledged writes of a run's operations, in an order that is the same on all hosts.
     *
     * @param tallies of all checks
     * @param updated the updated ids of those that record them
     */
    public record Acknowledged(List<WriteTallies> tallies, List<UpdatedIds> updated) {
        public static Acknowledged of(List<Operation> operations) {
            List<TableCheck> checks =
                    operations.stream().flatMap(o -> o.checks().stream()).toList();
            return new Acknowledged(
                    checks.stream().flatMap(c -> c.acknowledged().stream()).toList(),
                    checks.stream()
                            .filter(Writes.class::isInstance)
                            .map(c -> ((Writes) c).touched())
                            .toList());
        }

        /** What this host's clients wrote. */
        public List<WriteSums> own() {
            return tallies.stream().map(WriteTallies::own).toList();
        }

        /** Records that another host was lost. */
        public void lost(int host) {
            tallies.forEach(t -> t.lost(host));
        }

        /** Replaces what is known of another host. Sums that do not match the checks are left out. */
        public void ofHost(int host, List<WriteSums> sums) {
            for (int i = 0; i < Math.min(sums.size(), tallies.size()); i++) {
                tallies.get(i).ofHost(host, sums.get(i));
            }
        }
    }
}
