package io.pgstress.runner.client;

/** What the clients have done so far. */
public interface WarmupProgress {
    /** Number of successful operations. */
    long okSoFar();

    /** Whether every client has executed every operation this many times. */
    boolean haveExecuted(int times);
}
