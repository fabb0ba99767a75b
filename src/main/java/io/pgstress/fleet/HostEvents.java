package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.HostReports.Acknowledged;
import io.pgstress.fleet.Message.Handlers;
import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.IntervalExtras;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.loop.Daemons;
import io.pgstress.text.TextException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What happens to the hosts of a test, and what follows from it: they send messages, leave, or are silent. Thread-safe. */
final class HostEvents implements AutoCloseable {
    /** What the command has prepared: the run, and what hosts add to it. */
    private record Started(RunContext run, HostRecords records) {}

    private final RemoteHosts hosts;
    private final NanoClock clock;
    private final FleetPauses pauses;
    private final Heartbeats heartbeats;
    private final Handlers<RemoteHost> handlers = new Handlers<RemoteHost>()
            .on(Message.Ping.class, this::ping)
            .on(Message.Ready.class, RemoteHost::ready)
            .on(Message.Refused.class, this::refused)
            .on(Message.Progress.class, (host, progress) -> started().records().progress(host, progress))
            .on(
                    Message.Increment.class,
                    (host, increment) -> started().records().increment(host, increment))
            .on(Message.Usage.class, (host, usage) -> started().records().usage(host, usage))
            .on(Message.Paused.class, this::paused)
            .on(Message.Stopping.class, this::stopping)
            .on(Message.Ended.class, this::ended);
    private volatile @Nullable Started started;
    private volatile boolean isEnding;

    HostEvents(RemoteHosts hosts, NanoClock clock, FleetPauses pauses) {
        this.hosts = hosts;
        this.clock = clock;
        this.pauses = pauses;
        this.heartbeats = new Heartbeats(hosts, clock, this::lost, this::unwatched);
    }

    /** Begins to watch the hosts. */
    void begin(RunContext run) {
        run.extras().hosts(hosts.all().stream().map(RemoteHost::name).toList());
        HostRecords records = new HostRecords(run.timeline(), run.extras(), Acknowledged.of(run.operations()));
        started = new Started(run, records);
        heartbeats.start();
    }

    /** The command's run. */
    RunContext run() {
        return started().run();
    }

    /** @throws IllegalArgumentException if no host has been given work yet */
    private Started started() {
        Started known = started;
        if (known == null) {
            throw new IllegalArgumentException("a record before the run has begun");
        }
        return known;
    }

    private void unwatched(RuntimeException e) {
        started().run().signals().stop().now(StopCause.CLIENT_FAILED, "the hosts cannot be watched: " + e);
    }

    private static long pausedNanos(@Nullable Started known, long until) {
        return known == null ? 0 : known.run().signals().pause().nanosUntil(until);
    }

    /** Goes on without a host. */
    void lost(RemoteHost host, String why) {
        Started known = started;
        if (!host.lost(why, pausedNanos(known, host.heard()))) {
            return;
        }
        hosts.send(host, new Message.Stop(0, true));
        if (known != null) {
            if (!isEnding && !isReportedByConnect(host)) {
                known.run()
                        .warn(RemarkCode.HOST_IS_LOST
                                .with("host", host.name())
                                .with("why", why)
                                .remark());
            }
            known.records().lost(host);
            if (hosts.areAllLost()) {
                known.run().signals().stop().now(StopCause.HOSTS_LOST);
            }
        }
        pauses.resetIfAllPaused();
    }

    /** A host that cannot begin ends the command, whose message says why. */
    private static boolean isReportedByConnect(RemoteHost host) {
        return host.hasRefused() && host.ready() == null;
    }

    /** A member has left the group. */
    void left(Member member) {
        RemoteHost host = hosts.of(member);
        if (host != null) {
            lost(host, "its process ended, or hosts could not reach each other");
        }
    }

    /** Handles a message of an agent; returns at once. */
    void received(Member from, Message message) {
        RemoteHost host = hosts.of(from);
        if (host != null && host.isActive()) {
            heartbeats.handle(host, () -> handle(host, message));
        }
    }

    private void handle(RemoteHost host, Message message) {
        try {
            handlers.handle(host, message);
        } catch (IllegalArgumentException | TextException e) {
            lost(host, "sent something that cannot be used: " + e.getMessage());
        }
    }

    private void ping(RemoteHost host, Message.Ping ping) {
        hosts.send(host, new Message.Pong(ping.number(), clock.nanoTime()));
    }

    private void refused(RemoteHost host, Message.Refused refused) {
        host.refused();
        lost(host, refused.reason());
    }

    private void paused(RemoteHost host, Message.Paused paused) {
        started().records().wrote(host, paused.writes());
        pauses.paused(host);
    }

    private void stopping(RemoteHost host, Message.Stopping stopping) {
        StopCause cause = StopCause.valueOf(stopping.cause());
        started().run().signals().stop().now(cause, stopping.details() + " (host " + host.name() + ")");
    }

    private void ended(RemoteHost host, Message.Ended ended) {
        started().records().ended(host, ended);
        pauses.resetIfAllPaused();
    }

    /** When a host was lost, in seconds from the start of the measurement, without pauses. */
    double lostAtSeconds(RemoteHost host) {
        Started known = started;
        return known == null
                ? 0
                : (host.lostAt()
                                + pausedNanos(known, clock.nanoTime())
                                - known.run().timeline().measureStart())
                        / 1e9;
    }

    /** From now on, what happens is no news for the user. */
    void end() {
        isEnding = true;
    }

    @Override
    public void close() {
        heartbeats.close();
    }

    /** Adds what the hosts have recorded to the command's run. Thread-safe. */
    record HostRecords(Timeline timeline, IntervalExtras extras, Acknowledged acknowledged) {

        void progress(RemoteHost host, Message.Progress progress) {
            host.progress(progress);
            wrote(host, progress.writes());
        }

        void increment(RemoteHost host, Message.Increment increment) {
            host.add(increment, timeline, extras);
        }

        void usage(RemoteHost host, Message.Usage usage) {
            IntervalData interval = RemoteHost.interval(timeline, usage.phase(), usage.index());
            IntervalExtras.Usage its =
                    new IntervalExtras.Usage(usage.inMbitPerSecond(), usage.outMbitPerSecond(), usage.cpuCores());
            extras.hostUsage(interval, host.name(), its);
        }

        /** Takes what the server has acknowledged to a host. */
        void wrote(RemoteHost host, List<WriteSums> sums) {
            acknowledged.ofHost(host.work().host(), sums);
        }

        /** A lost host may have written more than it has reported. */
        void lost(RemoteHost host) {
            acknowledged.lost(host.work().host());
            extras.hostLost(host.name());
        }

        /** Takes a host's result and the rest of what it recorded, unless it was lost before. */
        void ended(RemoteHost host, Message.Ended ended) {
            host.ended(ended, () -> add(host, ended));
        }

        private void add(RemoteHost host, Message.Ended ended) {
            wrote(host, ended.writes());
            for (int i = 0;
                    i
                            < Math.min(
                                    ended.updatedIds().size(),
                                    acknowledged.updated().size());
                    i++) {
                acknowledged.updated().get(i).add(ended.updatedIds().get(i));
            }
            for (int n = 0; n < ended.successes().size(); n++) {
                timeline.successes(host.work().nodes().get(n))
                        .add(ended.successes().get(n), host.work().host());
            }
        }
    }

    /**
     * Notices hosts that are silent, and tells all hosts that the command is alive. Messages are handled by one thread,
     * {@link #look} is called by another.
     */
    static final class Heartbeats implements AutoCloseable {
        /** A host that is silent for this long is lost. */
        private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

        /**
         * The limit before the load, when the hosts' JVMs load their classes: 64 of them on two cores did not report for 4 s. The group
         * notices lost hosts earlier.
         */
        private static final long MAX_SILENCE_BEFORE_LOAD_NANOS = TimeUnit.SECONDS.toNanos(10);

        /** The agents have lost a command that stood still for this long. */
        private static final long MAX_STILL_NANOS = TimeUnit.SECONDS.toNanos(3);

        private static final long NOTHING = Long.MIN_VALUE;
        private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

        private final RemoteHosts hosts;
        private final NanoClock clock;
        private final BiConsumer<RemoteHost, String> lost;
        private final Consumer<RuntimeException> failed;
        private final AtomicLong handled = new AtomicLong();
        private volatile long handlingSince = NOTHING;
        private volatile @Nullable Thread watcher;
        private long lastLook;
        private long lastBeat;
        private volatile boolean isClosed;

        /**
         * @param lost called with a silent host and the reason, again and again until the host is not active any more
         * @param failed called when the hosts cannot be watched any longer
         */
        Heartbeats(
                RemoteHosts hosts,
                NanoClock clock,
                BiConsumer<RemoteHost, String> lost,
                Consumer<RuntimeException> failed) {
            this.hosts = hosts;
            this.clock = clock;
            this.lost = lost;
            this.failed = failed;
            begin();
        }

        /** All hosts are alive now. */
        private void begin() {
            long now = clock.nanoTime();
            lastLook = now;
            lastBeat = now;
            hosts.all().forEach(host -> host.heard(now, handled(now)));
        }

        /** Watches the hosts until the end, on a thread of its own. */
        void start() {
            begin();
            watcher = Daemons.start("fleet-beats", this::watch);
        }

        private void watch() {
            try {
                while (!isClosed) {
                    LockSupport.parkNanos(TICK_NANOS);
                    look();
                }
            } catch (RuntimeException e) {
                failed.accept(e);
            }
        }

        /** Renews leases when that is due, and looks for silent hosts. */
        void look() {
            long now = clock.nanoTime();
            long still = now - lastLook;
            lastLook = now;
            if (now - lastBeat >= BEAT_NANOS) {
                lastBeat = now;
                for (RemoteHost host : hosts.active()) {
                    hosts.lease(host, now - Math.max(0, host.silence(now, handled(now))));
                }
            }
            for (RemoteHost host : hosts.active()) {
                long limit = host.progress() == null ? MAX_SILENCE_BEFORE_LOAD_NANOS : MAX_SILENCE_NANOS;
                if (host.silence(now, handled(now)) > limit) {
                    lost.accept(
                            host,
                            still > MAX_STILL_NANOS
                                    ? String.format(Locale.ROOT, "the command stood still for %.1f s", still / 1e9)
                                    : "silent for " + TimeUnit.NANOSECONDS.toSeconds(limit) + " s");
                }
            }
        }

        /** Handles a message, which shows that its host is alive. Hosts whose messages wait meanwhile do not count as silent. */
        void handle(RemoteHost host, Runnable handling) {
            long now = clock.nanoTime();
            host.heard(now, handled.get());
            handlingSince = now;
            try {
                handling.run();
            } finally {
                handled.addAndGet(clock.nanoTime() - now);
                handlingSince = NOTHING;
            }
        }

        /** Total time in which messages were handled. */
        private long handled(long now) {
            long since = handlingSince;
            return handled.get() + (since == NOTHING ? 0 : Math.max(0, now - since));
        }

        @Override
        public void close() {
            isClosed = true;
            LockSupport.unpark(watcher);
        }
    }
}
