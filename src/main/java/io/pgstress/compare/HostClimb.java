package io.pgstress.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether more stress hosts raise the throughput. After a climb on all hosts, it measures 1, 2, 4 and so on of them with
 * numbers of clients around that climb's best, and then the best step of each number of hosts in rounds. Every second round runs
 * in reverse order, so that drift within rounds cancels out. The number of rounds is fixed in advance, so that their intervals
 * hold. Belongs to one thread.
 */
public final class HostClimb {
    /** Measures this number of clients, spread over this number of hosts. */
    public interface Steps {
        /** @throws InterruptedException if the search is to end; the step does not count */
        Measurement measure(int hosts, int clients) throws InterruptedException;
    }

    /**
     * What was measured.
     *
     * @param levels the steps by number of hosts, those of the climb on all hosts included
     * @param repeats steps that were measured again, likewise
     * @param rounds throughput by number of hosts
     * @param measured all steps in order, without those of the climb on all hosts
     * @param failure what ended the search early; null if nothing failed
     */
    record Climbed(
            NavigableMap<Integer, List<Measurement>> levels,
            Map<Integer, List<Measurement>> repeats,
            List<Map<Integer, Double>> rounds,
            List<Measurement> measured,
            double seconds,
            boolean isWhole,
            @Nullable RuntimeException failure) {}

    static final int ROUNDS = 5;

    private final Steps steps;
    private final int hosts;
    private final int maxClients;
    private final long limitNanos;
    private final LongSupplier clock;
    private final NavigableMap<Integer, List<Measurement>> levels = new TreeMap<>();
    private final Map<Integer, List<Measurement>> repeats = new HashMap<>();
    private final List<Map<Integer, Double>> rounds = new ArrayList<>();
    private final List<Measurement> measured = new ArrayList<>();

    /**
     * @param hosts number of all hosts, at least 2
     * @param maxClients maximum number of clients
     * @param roundLimit maximum duration of the rounds
     * @param clock as {@link System#nanoTime}
     */
    public HostClimb(Steps steps, int hosts, int maxClients, Duration roundLimit, LongSupplier clock) {
        this.steps = steps;
        this.hosts = hosts;
        this.maxClients = maxClients;
        this.limitNanos = roundLimit.toNanos();
        this.clock = clock;
    }

    /** The numbers of hosts to measure: 1, 2, 4 and so on, and all. */
    static List<Integer> counts(int hosts) {
        return Stream.concat(Stream.iterate(1, n -> n < hosts, n -> n * 2), Stream.of(hosts))
                .toList();
    }

    /** The most steps that a search takes in addition to the climb on all hosts. */
    public static int maxSteps(int hosts) {
        int counts = counts(hosts).size();
        return (counts - 1) * 4 + counts * ROUNDS;
    }

    /**
     * Measures until done, the thread is interrupted, or a step fails.
     *
     * @param onAll the climb on all hosts; at least one operation succeeded
     */
    public HostScaling climb(Climber.Climbed onAll) {
        levels.put(hosts, onAll.steps());
        repeats.put(hosts, new ArrayList<>(onAll.repeats().measured()));
        long start = clock.getAsLong();
        try {
            int best = best(onAll.steps());
            for (int n : counts(hosts)) {
                if (n < hosts) {
                    around(n, best);
                }
            }
            compare();
            return scaling(start, true, null);
        } catch (InterruptedException e) {
            return scaling(start, false, null);
        } catch (RuntimeException e) {
            return scaling(start, false, e);
        }
    }

    private HostScaling scaling(long start, boolean isWhole, @Nullable RuntimeException failure) {
        double seconds = (clock.getAsLong() - start) / 1e9;
        return new HostScaling(new Climbed(levels, repeats, rounds, measured, seconds, isWhole, failure));
    }

    /** The number of clients with the highest throughput. */
    static int best(List<Measurement> of) {
        return Collections.max(of, Comparator.comparingDouble(m -> m.step().opsPerSecond()))
                .step()
                .clients();
    }

    /** Measures half, the same and twice the clients, and one step farther if the best is at an end. */
    private void around(int n, int clients) throws InterruptedException {
        measure(n, clients / 2);
        measure(n, clients);
        measure(n, clients * 2);
        int best = best(levels.getOrDefault(n, List.of()));
        measure(n, best < clients ? best / 2 : best > clients ? best * 2 : best);
    }

    private void measure(int n, int wanted) throws InterruptedException {
        int clients = Math.max(n, Math.min(wanted, maxClients));
        List<Measurement> level = levels.computeIfAbsent(n, key -> new ArrayList<>());
        if (level.stream().noneMatch(m -> m.step().clients() == clients)) {
            level.add(step(n, clients));
        }
    }

    private Measurement step(int n, int clients) throws InterruptedException {
        Measurement measurement = steps.measure(n, clients);
        measured.add(measurement);
        return measurement;
    }

    private void compare() throws InterruptedException {
        long start = clock.getAsLong();
        List<Integer> order = new ArrayList<>(levels.keySet());
        for (long spent = 0;
                rounds.size() < ROUNDS && spent + (rounds.isEmpty() ? 0 : spent / rounds.size()) < limitNanos;
                spent = clock.getAsLong() - start) {
            Map<Integer, Double> round = new HashMap<>();
            for (int n : order) {
                Measurement again = step(n, best(levels.getOrDefault(n, List.of())));
                repeats.computeIfAbsent(n, key -> new ArrayList<>()).add(again);
                round.put(n, again.step().opsPerSecond());
            }
            rounds.add(round);
            Collections.reverse(order);
        }
    }
}
