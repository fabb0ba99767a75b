package io.pgstress.runner;

/** What the clients have done so far. */
public interface WarmupProgress {
    /**
     * Whether some clients are still held back so that the JVM's compiler gets the cores; see {@link ClientRamp}. To be called
     * throughout the load.
     */
    boolean isRamping(long now);

    /** Number of successful operations. */
    long okSoFar();

    /** The share of this process's CPU time that the JVM's compiler used since the previous call; 0 if unknown. */
    double compilerShare();

    /** Whether every client has executed every operation this many times. */
    boolean haveExecuted(int times);
}
