package io.pgstress.fleet;

import io.pgstress.measure.NanoClock;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.text.TextException;
import org.jspecify.annotations.Nullable;

/** What happens to the hosts of a test, and what follows from it: they send messages, leave, or are silent. Thread-safe. */
final class HostEvents implements AutoCloseable {
    /** What the command has prepared: the run, and what hosts add to it. */
    private record Started(RunContext run, HostRecords records) {}

    private final RemoteHosts hosts;
    private final NanoClock clock;
    private final Halts halts;
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

    HostEvents(RemoteHosts hosts, NanoClock clock, Halts halts) {
        this.hosts = hosts;
        this.clock = clock;
        this.halts = halts;
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
        started().run().course().stop().now(StopCause.CLIENT_FAILED, "the hosts cannot be watched: " + e);
    }

    private static long pausedNanos(@Nullable Started known, long until) {
        return known == null ? 0 : known.run().course().pause().nanosUntil(until);
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
                known.run().warn("host " + host.name() + " was lost: " + why);
            }
            known.records().lost(host);
            if (hosts.areAllLost()) {
                known.run().course().stop().now(StopCause.HOSTS_LOST);
            }
        }
        halts.resetIfAllPaused();
    }

    /** A host that cannot begin ends the command, whose message says why. */
    private static boolean isReportedByConnect(RemoteHost host) {
        return host.hasRefused() && host.ready() == null;
    }

    /** A member has left the group. */
    void left(Member member) {
        RemoteHost host = hosts.of(member);
        if (host != null) {
            lost(host, "its process ended, or it cannot be reached");
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
        halts.paused(host);
    }

    private void stopping(RemoteHost host, Message.Stopping stopping) {
        StopCause cause = StopCause.valueOf(stopping.cause());
        started().run().course().stop().now(cause, stopping.details() + " (host " + host.name() + ")");
    }

    private void ended(RemoteHost host, Message.Ended ended) {
        started().records().ended(host, ended);
        halts.resetIfAllPaused();
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
}
