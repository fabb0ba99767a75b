package io.pgstress.fleet.wire;

import io.pgstress.measure.CellIncrement;
import io.pgstress.measure.Phase;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the command and its agents tell each other. Times are nanoseconds of the command's monotonic clock. {@link Wire} turns
 * messages into bytes.
 */
public sealed interface Message {
    /** What an agent does at the moment. */
    enum State {
        FREE,
        WORKING
    }

    /** An agent introduces itself to a command, which answers with {@link Work} or not at all. */
    record Hello(String host, int cpus, State state) implements Message {
        public Hello {
            Objects.requireNonNull(host);
            Objects.requireNonNull(state);
        }
    }

    /** The agent already works for another command. */
    record Busy(String by) implements Message {
        public Busy {
            Objects.requireNonNull(by);
        }
    }

    /**
     * The agent's part of a test. Its text omits the options, which may hold a password.
     *
     * @param share the agent's number, from 0
     * @param shares the number of agents
     * @param options values by the option's name
     * @param files contents by the name in the options
     */
    record Work(int share, int shares, Map<String, List<String>> options, Map<String, String> files)
            implements Message {
        public Work {
            if (share < 0 || share >= shares) {
                throw new IllegalArgumentException("share " + share + " of " + shares);
            }
            options = Map.copyOf(options);
            files = Map.copyOf(files);
        }

        @Override
        public String toString() {
            return "Work[share=" + share + ", shares=" + shares + "]";
        }
    }

    /** The agent cannot do the work. */
    record Refused(String reason) implements Message {
        public Refused {
            Objects.requireNonNull(reason);
        }
    }

    /** The agent has connected and read its ids; it waits for {@link Start}. */
    record Ready() implements Message {}

    /** Asks for the other's clock. */
    record Ping(long number) implements Message {}

    /** @param nanos the clock of the one who answers */
    record Pong(long number, long nanos) implements Message {}

    /** The load starts at this time. */
    record Start(long origin) implements Message {}

    /**
     * How far an agent's warm-up has come.
     *
     * @param ok successful operations so far
     * @param level whether the rate is level
     * @param executed how often each client has run each operation, at least
     */
    record Level(long ok, boolean level, long executed) implements Message {}

    /** The measurement starts at this time. */
    record Measure(long start) implements Message {}

    /** All hosts pause, because the ids are used up. */
    record Halt() implements Message {}

    /** The agent's clients have stopped for the pause. */
    record Paused() implements Message {}

    /** The pause ends at this time. */
    record Resume(long at) implements Message {}

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

    /** The agent's part is done; its result without intervals, as JSON. */
    record Ended(String result) implements Message {
        public Ended {
            Objects.requireNonNull(result);
        }
    }

    /**
     * The agent ends its load.
     *
     * @param now whether it gives up operations that have not ended
     */
    record Stop(String reason, boolean now) implements Message {
        public Stop {
            Objects.requireNonNull(reason);
        }
    }

    /** The sender is alive; an agent that receives nothing for some time stops its load. */
    record Beat() implements Message {}
}
