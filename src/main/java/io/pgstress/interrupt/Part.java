package io.pgstress.interrupt;

/** A part of a command as a signal sees it. Its methods are called by the signal's thread and must return at once. */
public interface Part {
    /** What the command waits for after the first signal, e.g. {@code 4 operations}; empty where it ends at once. */
    String waitingFor();

    /** What is left of the wait in words, e.g. {@code at most 28 s}; empty where unknown. */
    default String atMost() {
        return "";
    }

    /** The first signal: ends the part in order. */
    default void stop() {}

    /** The second signal: ends the waiting too. */
    default void abort() {}

    /** How long the command may take to end after {@link #abort}, in milliseconds; then the process is ended. */
    default long graceMillis() {
        return 800;
    }

    /** What remains and how to continue, in one line: printed where nothing else says so. */
    String kept();

    /** A part that the first signal cannot end: the command goes on to the part's end. */
    static Part uninterruptible(String waitingFor, String kept) {
        return new Part() {
            @Override
            public String waitingFor() {
                return waitingFor;
            }

            @Override
            public String kept() {
                return kept;
            }
        };
    }

    /** A part of a thread that an interrupt ends. */
    static Part ofThread(Thread thread, String waitingFor, String kept) {
        return new Part() {
            @Override
            public String waitingFor() {
                return waitingFor;
            }

            @Override
            public void stop() {
                thread.interrupt();
            }

            @Override
            public void abort() {
                thread.interrupt();
            }

            @Override
            public String kept() {
                return kept;
            }
        };
    }
}
