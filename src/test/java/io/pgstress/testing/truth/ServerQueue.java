package io.pgstress.testing.truth;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * A server that works on at most a few statements at a time, first come, first served, with random service times. Which of its queues a
 * statement waits in, here or at the client, does not change when it is answered, if there are at least as many clients.
 */
public final class ServerQueue implements ServiceTime {
    private static final int HALVINGS = 14;

    private final ToDoubleFunction<SplittableRandom> seconds;
    private final SplittableRandom random;
    private final PriorityQueue<Double> free = new PriorityQueue<>();
    private double planned;

    /**
     * @param servers statements that it works on at a time
     * @param seconds draws a service time
     */
    public ServerQueue(int servers, ToDoubleFunction<SplittableRandom> seconds, long seed) {
        this.seconds = seconds;
        this.random = new SplittableRandom(seed);
        for (int i = 0; i < servers; i++) {
            free.add(0.0);
        }
    }

    /** The time from a statement's arrival to its answer. Call it in the order of the arrivals; all times are seconds. */
    private double response(double arrival) {
        double end = Math.max(arrival, free.remove()) + seconds.applyAsDouble(random);
        free.add(end);
        return end - arrival;
    }

    @Override
    public synchronized long nanos(int number, long sinceFirst) {
        double response = response(sinceFirst / 1e9);
        planned += response;
        return Math.round(response * 1e9);
    }

    /** The sum of all times that it asked for, in seconds. */
    public synchronized double planned() {
        return planned;
    }

    /**
     * The highest rate of Poisson arrivals at which at most a share of the statements takes longer than a limit, by simulation. With four
     * million statements, its relative error is about 0.2% for a share of 1% at high utilization.
     *
     * @param limit in seconds
     * @param simulated statements for each of several rates
     */
    static double highestRate(
            int servers, ToDoubleFunction<SplittableRandom> seconds, double limit, double share, int simulated) {
        SplittableRandom sample = new SplittableRandom(0);
        double mean = 0;
        for (int i = 0; i < 1_000_000; i++) {
            mean += seconds.applyAsDouble(sample) / 1e6;
        }
        double low = 0;
        double high = servers / mean;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (shareBeyond(new ServerQueue(servers, seconds, 1), middle, limit, simulated) <= share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    private static double shareBeyond(ServerQueue queue, double rate, double limit, int simulated) {
        SplittableRandom gaps = new SplittableRandom(2);
        double arrival = 0;
        long beyond = 0;
        for (int i = 0; i < simulated; i++) {
            arrival -= Math.log1p(-gaps.nextDouble()) / rate;
            beyond += queue.response(arrival) > limit ? 1 : 0;
        }
        return (double) beyond / simulated;
    }
}
