package io.pgstress.fleet;

import io.pgstress.measure.CellCodec.CellIncrement;
import io.pgstress.measure.Phase;
import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * What the command and its agents tell each other. Times are nanoseconds of the command's monotonic clock. {@link Wire} turns
 * messages into bytes.
 */
public sealed interface Message {
    /**
     * A command looks for agents.
     *
     * @param join where it looks for them: those that it has found look for the others too
     */
    record Call(List<String> join) implements Message {
        public Call {
            join = List.copyOf(join);
        }
    }

    /**
     * An agent answers {@link Call}.
     *
     * @param busyWith the command it works for; empty: it is free
     */
    record Hello(String busyWith) implements Message {
        public Hello {
            Objects.requireNonNull(busyWith);
        }
    }

    /**
     * The agent's part of a test. Its text omits the options, which may hold a password.
     *
     * @param host the agent's number, from 0
     * @param hosts the number of agents
     * @param firstClient number of its first client over all hosts
     * @param allClients number of clients of all hosts
     * @param nodes for each of its servers, the number of the server in the whole run
     * @param sessions the name of its sessions on the servers ({@code application_name}), which no other host or test has
     * @param options values by the option's name
     * @param files contents by the name in the options
     */
    record Work(
            int host,
            int hosts,
            int firstClient,
            int allClients,
            List<Integer> nodes,
            String sessions,
            Map<String, List<String>> options,
            Map<String, String> files)
            implements Message {
        public Work {
            if (host < 0 || host >= hosts) {
                throw new IllegalArgumentException("host " + host + " of " + hosts);
            }
            nodes = List.copyOf(nodes);
            options = Map.copyOf(options);
            files = Map.copyOf(files);
        }

        @Override
        public String toString() {
            return "Work[host=" + host + ", hosts=" + hosts + "]";
        }
    }

    /** The agent cannot do the work, or not continue it. */
    record Refused(String reason) implements Message {
        public Refused {
            Objects.requireNonNull(reason);
        }
    }

    /** Asks for the other's clock. */
    record Ping(long number) implements Message {}

    /** @param nanos the clock of the one who answers */
    record Pong(long number, long nanos) implements Message {}

    /**
     * The agent's clients have connected, and wait for {@link Start}.
     *
     * @param offsetNanos its clock minus the command's
     * @param boundNanos the largest possible error of the offset
     * @param ids number of ids that it draws from
     * @param checksum of these ids
     */
    record Ready(long offsetNanos, long boundNanos, long ids, long checksum) implements Message {}

    /** The load starts at this time. */
    record Start(long origin) implements Message {}

    /**
     * How far an agent has come; sent twice a second.
     *
     * @param ok successful operations so far
     * @param isWarm whether its warm-up is complete
     * @param haveExecuted whether its clients have executed each operation as often as the warm-up requires
     * @param inFlight operations in progress
     * @param backlog scheduled starts that were due but not taken
     * @param writes what the server acknowledged since the last reset, by check
     */
    record Progress(long ok, boolean isWarm, boolean haveExecuted, int inFlight, long backlog, List<WriteSums> writes)
            implements Message {
        public Progress {
            writes = List.copyOf(writes);
        }
    }

    /** The measurement starts this long after the start of the load, pauses excluded. */
    record Measure(long sinceOrigin) implements Message {}

    /**
     * All hosts pause, because the ids are used up.
     *
     * @param number the pause's number in the run, from 1
     */
    record Pause(int number) implements Message {}

    /** The agent's clients have stopped for the pause. */
    record Paused(List<WriteSums> writes) implements Message {
        public Paused {
            writes = List.copyOf(writes);
        }
    }

    /** The pause, which ends in the future. */
    record Resume(long start, long end) implements Message {}

    /**
     * What was added to an interval since the agent's last increment.
     *
     * @param sequence increments of an agent count up from 0, so that one that arrives twice is noticed
     */
    record Increment(long sequence, Phase phase, int index, List<CellIncrement> cells) implements Message {
        public Increment {
            if (sequence < 0 || index < 0) {
                throw new IllegalArgumentException("increment " + sequence + " of interval " + index);
            }
            cells = List.copyOf(cells);
        }
    }

    /** What the agent used in an interval that has ended: traffic of its load's sockets, and CPU time in cores. */
    record Usage(Phase phase, int index, double inMbitPerSecond, double outMbitPerSecond, double cpuCores)
            implements Message {}

    /**
     * The agent's part is done.
     *
     * @param result its result without intervals, as JSON
     * @param offsetNanos its clock minus the command's, now
     * @param boundNanos the largest possible error of the offset
     * @param writes what the server acknowledged since the last reset, by check
     * @param updatedIds the ids it updated, by check
     * @param successes when operations succeeded, by server
     * @param calls of each statement, by server and operation, warm-up included
     * @param increments number of {@link Increment}s that it has sent
     * @param stalls its own possible causes of long operations, from the start of the measurement
     */
    record Ended(
            String result,
            long offsetNanos,
            long boundNanos,
            List<WriteSums> writes,
            List<byte[]> updatedIds,
            List<byte[]> successes,
            List<List<List<Long>>> calls,
            long increments,
            List<Suspect> stalls)
            implements Message {
        public Ended {
            Objects.requireNonNull(result);
            stalls = List.copyOf(stalls);
        }
    }

    /**
     * The agent's part ends early by itself, and so does the test.
     *
     * @param cause a name of {@code StopCause}
     * @param details follow the text of the cause
     */
    record Stopping(String cause, String details) implements Message {
        public Stopping {
            Objects.requireNonNull(cause);
            Objects.requireNonNull(details);
        }
    }

    /**
     * The agent ends its load.
     *
     * @param at when the measurement ends on all hosts, unless it has ended
     * @param isNow whether it gives up operations that have not ended
     */
    record Stop(long at, boolean isNow) implements Message {}

    /** The agent is alive. */
    record Beat() implements Message {}

    /**
     * The command is alive, and the agent may begin operations for {@link #NANOS} from a time at which the command had heard it. The
     * command measures the same time, so it knows when an agent that it has lost begins none any more, even if the agent was
     * stopped and reads this late.
     */
    record Lease(long from) implements Message {
        static final long NANOS = TimeUnit.SECONDS.toNanos(8);
    }

    /**
     * What one side of a test does with each kind of message. Thread-safe once all handlers are known.
     *
     * @param <S> what a message concerns, such as its sender
     */
    public final class Handlers<S> {
        private final Map<Class<? extends Message>, BiConsumer<S, Message>> byKind = new HashMap<>();

        /** Adds the handler of a kind. */
        public <M extends Message> Handlers<S> on(Class<M> kind, BiConsumer<S, M> handler) {
            byKind.put(kind, (subject, message) -> handler.accept(subject, kind.cast(message)));
            return this;
        }

        /** Handles a message; one without a handler is ignored. */
        public void handle(S subject, Message message) {
            BiConsumer<S, Message> handler = byKind.get(message.getClass());
            if (handler != null) {
                handler.accept(subject, message);
            }
        }
    }
}
