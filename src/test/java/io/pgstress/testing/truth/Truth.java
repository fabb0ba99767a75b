package io.pgstress.testing.truth;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What a load tester should report.
 *
 * @param sorted the times of the measured operations in nanoseconds, rising
 * @param perSecond operations that ended within the window, whenever they began, by its length
 */
public record Truth(List<Long> sorted, double perSecond) {
    /**
     * An operation.
     *
     * @param scheduled when it was due; in a closed loop, when it began
     */
    public record Operation(long scheduled, long end) {
        long nanos() {
            return end - scheduled;
        }
    }

    public Truth {
        sorted = List.copyOf(sorted);
    }

    /**
     * The truth of the operations from this one on, with a window that starts with it.
     *
     * @param operations by their scheduled starts
     * @param window the window's length in nanoseconds
     */
    public static Truth of(List<Operation> operations, int first, long window) {
        long start = operations.get(first).scheduled();
        long end = start + window;
        long ended = operations.stream()
                .filter(o -> o.end() >= start && o.end() < end)
                .count();
        List<Long> times = operations.subList(first, operations.size()).stream()
                .map(Operation::nanos)
                .sorted()
                .toList();
        return new Truth(times, ended * 1e9 / window);
    }

    /** The shortest time in nanoseconds that this percentage does not exceed. */
    public long percentile(double percent) {
        return atRank((int) Math.ceil(percent / 100 * sorted.size()));
    }

    /** The time at a rank from 1 on; ranks beyond the ends are those of the ends. */
    public long atRank(int rank) {
        return sorted.get(Math.min(sorted.size(), Math.max(1, rank)) - 1);
    }

    /** What was served, taken as a closed loop's operations. */
    public static List<Operation> closed(List<Served> served) {
        return served.stream()
                .map(s -> new Operation(s.received(), s.answered()))
                .toList();
    }

    /** An ideal closed loop: each client starts its next operation when the previous one ends, until this instant. */
    public static List<Operation> closed(int clients, ServiceTime times, long until) {
        PriorityQueue<Long> free = free(clients, 0);
        List<Operation> operations = new ArrayList<>();
        for (long start = free.remove(); start < until; start = free.remove()) {
            long end = start + times.nanos(operations.size(), start);
            operations.add(new Operation(start, end));
            free.add(end);
        }
        return operations;
    }

    /** An ideal open loop: the next free client takes the next operation, first come, first served. */
    public static List<Operation> open(int clients, long[] scheduled, ServiceTime times) {
        PriorityQueue<Long> free = free(clients, Long.MIN_VALUE);
        List<Operation> operations = new ArrayList<>();
        for (long due : scheduled) {
            long start = Math.max(due, free.remove());
            long end = start + times.nanos(operations.size(), start - scheduled[0]);
            operations.add(new Operation(due, end));
            free.add(end);
        }
        return operations;
    }

    /** The scheduled starts of a uniform load; the first is at 0. */
    public static long[] uniform(double perSecond, int count) {
        long[] scheduled = new long[count];
        for (int i = 0; i < count; i++) {
            scheduled[i] = Math.round(i * 1e9 / perSecond);
        }
        return scheduled;
    }

    /** The actual service times of a server, in order of receipt. */
    public static ServiceTime asServed(List<Served> served) {
        return (number, since) -> served.get(number).nanos();
    }

    private static PriorityQueue<Long> free(int clients, long since) {
        PriorityQueue<Long> free = new PriorityQueue<>();
        for (int i = 0; i < clients; i++) {
            free.add(since);
        }
        return free;
    }
}
