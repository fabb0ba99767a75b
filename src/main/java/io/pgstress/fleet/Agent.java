package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.GroupListener;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.Wire.Envelope;
import io.pgstress.fleet.Wire.WireException;
import io.pgstress.measure.NanoClock;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.loop.Daemons;
import io.pgstress.target.loop.LoadThreads;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for commands and performs their work, one after another. Thread-safe. */
public final class Agent implements GroupListener, AutoCloseable {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The command has lost an agent that stood still for this long. */
    private static final long MAX_STILL_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** A test that this agent works for. */
    private record Job(Member command, long test, HostRun run, Thread thread) {}

    private final HostGroup group;
    private final Wire wire;
    private final Worker worker;
    private final Consumer<String> log;
    private final Set<Member> refused = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Job job;
    private volatile boolean isClosed;

    /**
     * @param version of this program
     * @param log receives a line for each event
     * @throws IllegalArgumentException if an address to join is malformed or unknown
     */
    public Agent(GroupSettings settings, String version, Worker worker, Consumer<String> log) throws IOException {
        this.group = new HostGroup(settings, this);
        this.wire = new Wire(version);
        this.worker = worker;
        this.log = log;
    }

    /** Joins the group; from now on commands find this agent. */
    public void open() throws IOException {
        group.join();
        Daemons.start("agent-reports", this::report);
        Daemons.start("agent-watch", this::watch);
    }

    /** Sends reports; a command that does not read may hold it up. */
    private void report() {
        while (!isClosed) {
            LockSupport.parkNanos(REPORT_NANOS);
            guarded(current -> current.run().report());
        }
    }

    /** Ends the load if the command is silent, or this process stood still so long that the command has lost it. */
    private void watch() {
        long last = System.nanoTime();
        while (!isClosed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            long still = now - last;
            last = now;
            guarded(current -> check(current, still));
        }
    }

    private void guarded(Consumer<Job> action) {
        Job current = job;
        if (current != null) {
            try {
                action.accept(current);
            } catch (RuntimeException e) {
                giveUp(current, e.toString());
            }
        }
    }

    private void check(Job current, long stillNanos) {
        if (stillNanos > MAX_STILL_NANOS) {
            giveUp(current, String.format(Locale.ROOT, "this process stood still for %.1f s", stillNanos / 1e9));
        } else if (current.run().isCommandSilent()) {
            lostCommand(current, "has been silent for 8 s");
        }
    }

    private void giveUp(Job current, String reason) {
        log.accept("the load for " + current.command() + " ends: " + reason);
        current.run().stop(StopCause.ABANDONED, true);
        send(current.command(), current.test(), new Message.Refused(reason));
    }

    private void lostCommand(Job current, String why) {
        log.accept("lost the command: " + current.command() + " " + why + "; the load ends");
        current.run().stop(StopCause.COMMAND_LOST, true);
    }

    @Override
    public void joined(Member member) {}

    @Override
    public void left(Member member) {
        refused.remove(member);
        Job current = job;
        if (current != null && current.command().equals(member)) {
            lostCommand(current, "has ended, or hosts could not reach each other");
        }
    }

    @Override
    public void received(Member from, byte[] bytes) {
        Envelope envelope;
        try {
            envelope = wire.decode(bytes);
        } catch (WireException e) {
            if (refused.add(from)) {
                log.accept("refused messages of " + from + ": " + e.getMessage());
            }
            send(from, 0, new Message.Refused(String.valueOf(e.getMessage())));
            return;
        }
        Message message = envelope.message();
        Job current = job;
        if (message instanceof Message.Call call) {
            group.seek(call.join());
            send(from, envelope.test(), new Message.Hello(busyWith(current)));
        } else if (message instanceof Message.Work work) {
            begin(from, envelope.test(), work);
        } else if (current != null
                && current.test() == envelope.test()
                && current.command().equals(from)) {
            current.run().received(message);
        }
    }

    private static String busyWith(@Nullable Job current) {
        return current == null ? "" : current.command().toString();
    }

    private synchronized void begin(Member command, long test, Message.Work work) {
        Job current = job;
        if (current != null) {
            send(command, test, new Message.Refused("works for " + busyWith(current)));
            return;
        }
        HostRun run = new HostRun(work, worker::probes, message -> send(command, test, message), NanoClock.SYSTEM);
        Thread thread = new Thread(() -> perform(work, run, command, test), "agent-run");
        job = new Job(command, test, run, thread);
        log.accept("works for " + command + " as host " + (work.host() + 1) + " of " + work.hosts());
        thread.start();
    }

    private void perform(Message.Work work, HostRun run, Member command, long test) {
        try {
            worker.perform(work, run);
            log.accept("done for " + command);
        } catch (InterruptedException e) {
            log.accept("interrupted");
        } catch (RuntimeException | Error e) {
            String reason = String.valueOf(e.getMessage() == null ? e : e.getMessage());
            log.accept("ended for " + command + ": " + reason);
            send(command, test, new Message.Refused(reason));
        } finally {
            job = null;
        }
    }

    private void send(Member to, long test, Message message) {
        group.send(to, wire.encode(test, message));
    }

    /** Ends the current load without waiting for its operations, and leaves the group. */
    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        Job current = job;
        if (current != null) {
            current.run().beginNoMore();
            send(current.command(), current.test(), new Message.Refused("the agent was stopped"));
            current.run().stop(StopCause.INTERRUPTED, true);
            current.thread().join(TimeUnit.SECONDS.toMillis(5));
        }
        group.close();
    }

    /** Performs an agent's part of a test. */
    @FunctionalInterface
    public interface Worker {
        /**
         * Opens the servers, runs the load as {@code run} directs, and hands the result to it.
         *
         * @throws RuntimeException if the work cannot be done; its message is one line for the user of the command
         */
        void perform(Message.Work work, HostRun run) throws InterruptedException;

        /** Creates the probes of this host. */
        default List<Probe> probes(RunContext run, LoadThreads threads) {
            return List.of();
        }
    }
}
