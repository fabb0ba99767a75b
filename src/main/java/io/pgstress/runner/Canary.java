package io.pgstress.runner;

import io.pgstress.measure.LatencyHistogram;

/**
 * Sleeps on a thread of the same kind as the clients' and notes how much too late it wakes up: so much a client's times may
 * hold that is no server's, the wait for a core or, on a virtual thread, for a carrier.
 */
final class Canary implements Runnable {
    private static final int MILLIS = 20;

    private final LatencyHistogram late = new LatencyHistogram();

    @Override
    public void run() {
        while (true) {
            long start = System.nanoTime();
            try {
                Thread.sleep(MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            note(System.nanoTime() - start - MILLIS * 1_000_000L);
        }
    }

    private synchronized void note(long nanos) {
        late.record(nanos);
    }

    /** How late so far, in microseconds, at this percentile; 0 where it never woke. */
    synchronized double micros(double percentile) {
        return late.micros(percentile);
    }
}
