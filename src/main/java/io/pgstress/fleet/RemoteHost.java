package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.measure.Cell;
import io.pgstress.measure.CellCodec;
import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.result.RunResult;
import io.pgstress.runner.IntervalExtras;
import io.pgstress.text.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An agent in a test, as the command knows it. Written by the group's thread; all threads may read. */
final class RemoteHost {
    /** Intervals that a host may be ahead of those known. */
    private static final int MAX_AHEAD = 10_000;

    private final Member member;
    private final String name;
    private final Message.Work work;
    private final int clients;
    private @Nullable Cell measured;
    private final Map<StatementKey, Long> reportedCalls = new HashMap<>();
    private volatile long heard;
    private volatile long handledThen;
    private volatile @Nullable Long leased;
    private volatile long sequence;
    private long received;
    private volatile Message.@Nullable Ready ready;
    private volatile Message.@Nullable Progress progress;
    private volatile Message.@Nullable Ended ended;
    private volatile @Nullable RunResult result;
    private volatile boolean isPaused;
    private volatile @Nullable String lost;
    private volatile long lostAt;
    private volatile long notSent;
    private volatile boolean hasRefused;

    /** @param name unique in the test */
    RemoteHost(Member member, String name, Message.Work work, int clients) {
        this.member = member;
        this.name = name;
        this.work = work;
        this.clients = clients;
    }

    Member member() {
        return member;
    }

    /** Its name in reports. */
    String name() {
        return name;
    }

    Message.Work work() {
        return work;
    }

    int clients() {
        return clients;
    }

    /** @param handled total time so far in which messages were handled, while others waited */
    void heard(long now, long handled) {
        heard = now;
        handledThen = handled;
    }

    /** How long nothing has come from it, apart from the time in which its messages may have waited. */
    long silence(long now, long handled) {
        return now - heard - (handled - handledThen);
    }

    long heard() {
        return heard;
    }

    /** From when its last {@linkplain Message.Lease lease} counts; null: it has had none. */
    @Nullable
    Long leased() {
        return leased;
    }

    private synchronized long leasedFrom(long from) {
        Long before = leased;
        long latest = before == null ? from : Math.max(before, from);
        leased = latest;
        return latest;
    }

    void ready(Message.Ready message) {
        ready = message;
    }

    /** Null until its clients have connected. */
    Message.@Nullable Ready ready() {
        return ready;
    }

    void progress(Message.Progress message) {
        progress = message;
    }

    /** How far it has come; null before the load. */
    Message.@Nullable Progress progress() {
        return progress;
    }

    /** Whether its warm-up has reached what it is for. */
    boolean isWarm() {
        Message.Progress last = progress;
        return last != null && last.isWarm();
    }

    /**
     * Adds what it recorded to the run, once, even if the message arrives twice.
     *
     * @throws IllegalArgumentException if it does not fit the run
     */
    synchronized void add(Message.Increment increment, Timeline timeline, IntervalExtras extras) {
        if (increment.sequence() < sequence) {
            return;
        }
        sequence = increment.sequence() + 1;
        received++;
        IntervalData interval = interval(timeline, increment.phase(), increment.index());
        for (CellIncrement part : increment.cells()) {
            Cell cell = CellCodec.decode(part.cell());
            interval.add(part.node(), part.operation(), cell);
            int statements =
                    timeline.shapes().get(part.operation()).statements().size();
            for (int s = 0; s < statements; s++) {
                long calls = cell.statement(s).calls();
                reportedCalls.merge(new StatementKey(part.node(), part.operation(), s), calls, Long::sum);
            }
            extras.hostOk(interval, name, cell.completed(Outcome.OK));
            if (increment.phase() != Phase.WARMUP) {
                Cell sum = measured == null ? Cell.empty() : measured;
                sum.include(cell, Time.TOTAL);
                measured = sum;
            }
        }
    }

    /** @throws IllegalArgumentException if the number is beyond what the run can have reached */
    static IntervalData interval(Timeline timeline, Phase phase, int index) {
        if (index > timeline.intervals(phase).size() + MAX_AHEAD) {
            throw new IllegalArgumentException("interval " + index + " of the " + phase.label());
        }
        return timeline.interval(phase, index);
    }

    /** A statement of an operation on a server, by their numbers. */
    private record StatementKey(int node, int operation, int statement) {}

    /** Calls of a statement, warm-up included; those of a host that was lost are known up to its last report. */
    synchronized long calls(int node, int operation, int statement) {
        Message.Ended last = ended;
        if (last == null) {
            return reportedCalls.getOrDefault(new StatementKey(node, operation, statement), 0L);
        }
        int local = work.nodes().indexOf(node);
        return local < 0 ? 0 : last.calls().get(local).get(operation).get(statement);
    }

    /** Counts and total times of the measurement, over its servers and operations; null if nothing was recorded. */
    synchronized @Nullable Cell measured() {
        return measured;
    }

    /**
     * Takes its result, unless it was lost before, or has ended.
     *
     * @param adding adds what the message contains to the run
     */
    synchronized void ended(Message.Ended message, Runnable adding) {
        if (isActive()) {
            result = Json.read(message.result(), RunResult.class);
            adding.run();
            ended = message;
        }
    }

    /** Number of messages with records that did not arrive; 0 before it has ended. */
    synchronized long missing() {
        Message.Ended last = ended;
        return last == null ? 0 : last.increments() - received;
    }

    /** Its last message; null before. */
    Message.@Nullable Ended ended() {
        return ended;
    }

    /** Its own result; null until it has ended. */
    @Nullable
    RunResult result() {
        return result;
    }

    void paused(boolean now) {
        isPaused = now;
    }

    boolean isPaused() {
        return isPaused;
    }

    /**
     * Marks it as lost.
     *
     * @param why in words
     * @param pausedNanos total duration of the pauses until it was last heard
     * @return false if it was lost before, or has ended
     */
    synchronized boolean lost(String why, long pausedNanos) {
        if (!isActive()) {
            return false;
        }
        lostAt = heard - pausedNanos;
        lost = why;
        return true;
    }

    /** Why it was lost; null if it was not. */
    @Nullable
    String lost() {
        return lost;
    }

    /** When it was last heard, on the command's clock without pauses: what it did later is missing. */
    long lostAt() {
        return lostAt;
    }

    /** Sets how many operations of an open loop were due to it, and are in no report. */
    void notSent(long operations) {
        notSent = operations;
    }

    long notSent() {
        return notSent;
    }

    void refused() {
        hasRefused = true;
    }

    /** Whether it cannot do the work. */
    boolean hasRefused() {
        return hasRefused;
    }

    /** Whether it takes part. */
    boolean isActive() {
        return ended == null && lost == null;
    }

    /** The hosts of a test, in the order of their numbers, and messages to them. Thread-safe. */
    static final class RemoteHosts {
        private final List<RemoteHost> all;
        private final Map<Member, RemoteHost> byMember;
        private final BiConsumer<Member, Message> send;

        /** @param send sends a message to an agent */
        RemoteHosts(List<RemoteHost> all, BiConsumer<Member, Message> send) {
            this.all = List.copyOf(all);
            this.byMember = all.stream().collect(Collectors.toUnmodifiableMap(RemoteHost::member, Function.identity()));
            this.send = send;
        }

        List<RemoteHost> all() {
            return all;
        }

        /** Those that take part: they have neither ended nor been lost. */
        List<RemoteHost> active() {
            return all.stream().filter(RemoteHost::isActive).toList();
        }

        /** Null if it takes no part in the test. */
        @Nullable
        RemoteHost of(Member member) {
            return byMember.get(member);
        }

        boolean areAllLost() {
            return all.stream().allMatch(host -> host.lost() != null);
        }

        /**
         * Lets a host begin operations for some time from this one. A lease is never shortened: a host that was not heard for a while
         * before the start of the load has a lease from this start.
         */
        void lease(RemoteHost host, long from) {
            send(host, new Message.Lease(host.leasedFrom(from)));
        }

        void send(RemoteHost host, Message message) {
            send.accept(host.member(), message);
        }

        void toActive(Message message) {
            active().forEach(host -> send(host, message));
        }
    }
}
