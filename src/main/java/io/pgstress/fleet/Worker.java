package io.pgstress.fleet;

/** Performs an agent's part of a test. */
@FunctionalInterface
public interface Worker {
    /**
     * Opens the servers, runs the load as {@code run} directs, and hands the result to it.
     *
     * @throws RuntimeException if the work cannot be done; its message is one line for the user of the command
     */
    void perform(Message.Work work, HostRun run) throws InterruptedException;
}
