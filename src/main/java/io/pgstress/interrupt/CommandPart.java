package io.pgstress.interrupt;

/** A part of a command that a signal can end. The signal's thread calls its methods, which must return at once. */
public interface CommandPart {
    /** What the command waits for after the first signal, e.g. {@code 4 operations}; empty if it ends at once. */
    String waitingFor();

    /** The remaining wait, e.g. {@code at most 28 s}; empty if unknown. */
    default String atMost() {
        return "";
    }

    /** Handles the first signal: ends the part in an orderly way. */
    default void stop() {}

    /** Handles the second signal: stops waiting. */
    default void abort() {}

    /** Time the command has to end after {@link #abort}, in milliseconds; after that the process is ended. */
    default long graceMillis() {
        return 800;
    }

    /** What remains and how to continue, in one line; printed if no other message contains it. */
    String kept();

    /** A part that the first signal does not end: the command continues to the end of the part. */
    static CommandPart uninterruptible(String waitingFor, String kept) {
        return new Described(waitingFor, kept, () -> {});
    }

    /** A part that ends when its thread is interrupted. */
    static CommandPart ofThread(Thread thread, String waitingFor, String kept) {
        return new Described(waitingFor, kept, thread::interrupt);
    }

    /**
     * A part whose words do not change.
     *
     * @param onSignal what each signal does
     */
    record Described(String waitingFor, String kept, Runnable onSignal) implements CommandPart {
        @Override
        public void stop() {
            onSignal.run();
        }

        @Override
        public void abort() {
            onSignal.run();
        }
    }
}
