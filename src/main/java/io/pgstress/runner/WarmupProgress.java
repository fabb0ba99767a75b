package io.pgstress.runner;

/** What the clients of a run have done so far, by which its {@link Warmup} ends. */
public interface WarmupProgress {
    /**
     * Whether some clients are still held back so that the JVM's compiler gets the cores; see {@link ClientRamp}. To be called
     * throughout the load.
     */
    boolean isRamping(long now);

    /** Number of successful operations. */
    long okSoFar();

    /** Whether the JVM's compiler has been notably at work, or waited for a core, since the previous call; false if unknown. */
    boolean isCompiling();

    /** Whether every client has executed every operation this many times. */
    boolean haveExecuted(int times);
}
