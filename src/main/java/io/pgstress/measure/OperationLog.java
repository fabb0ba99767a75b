package io.pgstress.measure;

/** Receives each operation of one client that began in the measurement. Belongs to the client's thread. */
public interface OperationLog {
    /**
     * An operation has ended.
     *
     * @param operation its number in the mix
     * @param isOpen whether the load is open, so that {@code lagNanos} has a meaning
     * @param nanos the time that reports show: the response time of an open load, the total time of a closed one
     * @param lagNanos from its scheduled start to its start
     * @param end when it ended, in the clock's nanoseconds
     */
    void ended(int operation, Outcome outcome, boolean isOpen, long nanos, long lagNanos, long end, int retries);

    /** An interval of the run, or the client, has ended: what is kept back should be handed over. */
    void handOver();
}
