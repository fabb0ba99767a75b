package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.LimitSearch.Found;
import io.pgstress.compare.Trial.Batch;
import io.pgstress.compare.Trial.Stage;
import io.pgstress.plan.RateLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search on simulated queues whose highest rates are known. */
final class LimitSearchTest {
    /** A queue with several servers, first come, first served. Times are seconds. */
    static class Queue implements LimitSearch.Steps {
        private static final double INTERVAL = 0.5;

        private final int servers;
        private final DoubleSupplier service;
        private final List<RateLimit> limits;
        private final double capacity;
        private final SplittableRandom random;
        final List<Double> left = new ArrayList<>();
        double simulated;
        double overhead = 2;

        Queue(
                int servers,
                double meanSeconds,
                DoubleSupplier service,
                List<RateLimit> limits,
                SplittableRandom random) {
            this.servers = servers;
            this.service = service;
            this.limits = limits;
            this.capacity = servers / meanSeconds;
            this.random = random;
        }

        Found search(double seconds) {
            return new LimitSearch(this, limits, seconds, () -> Math.round(simulated * 1e9)).search();
        }

        @Override
        public double capacity() {
            simulated += 10;
            return capacity;
        }

        @Override
        public Trial measure(
                double rate,
                Stage stage,
                double seconds,
                Predicate<List<List<Batch>>> isHopeless,
                double secondsAfter) {
            left.add(secondsAfter);
            PriorityQueue<Double> free = new PriorityQueue<>();
            for (int i = 0; i < servers; i++) {
                free.add(-1.0);
            }
            List<List<Batch>> batches = new ArrayList<>();
            limits.forEach(limit -> batches.add(new ArrayList<>()));
            List<double[]> times = new ArrayList<>();
            double due = -1; // a second of warm-up
            long dueInAll = 0;
            boolean isWhole = true;
            for (int i = 0; (i + 1) * INTERVAL <= seconds + 1e-9 && isWhole; i++) {
                long[] all = new long[limits.size()];
                long[] beyond = new long[limits.size()];
                while (due < (i + 1) * INTERVAL) {
                    due -= Math.log1p(-random.nextDouble()) / rate;
                    double start = Math.max(due, free.remove());
                    double end = start + service.getAsDouble();
                    free.add(end);
                    for (int l = 0; l < limits.size() && due >= 0; l++) {
                        all[l]++;
                        beyond[l] += (end - due) * 1e6 > limits.get(l).micros() ? 1 : 0;
                    }
                    if (due >= 0) {
                        times.add(new double[] {i, (end - due) * 1e6});
                    }
                    dueInAll++;
                }
                for (int l = 0; l < limits.size(); l++) {
                    batches.get(l).add(new Batch(all[l], beyond[l], 0));
                }
                isWhole = !isHopeless.test(batches) || (i + 2) * INTERVAL > seconds;
            }
            for (int l = 0; l < limits.size(); l++) {
                double[] sorted = times.stream().mapToDouble(t -> t[1]).sorted().toArray();
                double slow = sorted[(int) ((1 - Trial.slowShare(limits.get(l))) * (sorted.length - 1))];
                for (int i = 0; i < batches.get(l).size(); i++) {
                    int at = i;
                    Batch b = batches.get(l).get(i);
                    long n = times.stream()
                            .filter(t -> t[0] == at && t[1] > slow)
                            .count();
                    batches.get(l).set(i, new Batch(b.operations(), b.beyond(), n));
                }
            }
            double last = free.peek();
            simulated += batches.get(0).size() * INTERVAL + overhead + Math.min(3, Math.max(0, last - due));
            boolean keptUp = (last - due) * rate < 0.01 * dueInAll;
            return new Trial(rate, stage, seconds, rate, null, 0, keptUp, isWhole, batches);
        }
    }

    /** The share of operations of M/M/c whose response takes longer than this. */
    static double beyond(int servers, double mu, double lambda, double seconds) {
        double a = lambda / mu;
        double sum = 0;
        double term = 1;
        for (int k = 0; k < servers; k++) {
            sum += term;
            term *= a / (k + 1);
        }
        double waits = term / (1 - a / servers) / (sum + term / (1 - a / servers));
        double theta = servers * mu - lambda;
        return (1 - waits) * Math.exp(-mu * seconds)
                + waits * (theta * Math.exp(-mu * seconds) - mu * Math.exp(-theta * seconds)) / (theta - mu);
    }

    static double highest(int servers, double mu, double seconds, double share) {
        double low = 0;
        double high = 0.9999 * servers * mu; // without it, theta would equal mu
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (beyond(servers, mu, middle, seconds) <= share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Test
    void withoutARateThatHoldsThereIsNone() {
        SplittableRandom random = new SplittableRandom(1);
        List<RateLimit> limits = List.of(RateLimit.parse("p99<9ms"), RateLimit.parse("max<1s"));

        Found found = new Queue(2, 0.01, () -> 0.01, limits, random).search(8);

        assertThat(found.rate()).isNull();
        assertThat(found.limit()).isNull();
        assertThat(found.binding()).isZero();
    }

    /** The closed loop reaches only a tenth of the servers' rate, so that more trials are needed than were expected. */
    @Test
    void estimateOfTheTimeLeftNeverRises() {
        SplittableRandom random = new SplittableRandom(1);
        Queue queue = new Queue(4, 0.1, () -> 0.01, List.of(RateLimit.parse("p99<80ms")), random);

        queue.search(4);

        assertThat(queue.left).hasSizeGreaterThan(8).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(queue.left.subList(0, queue.left.size() - 1))
                .as("before the last trial")
                .allMatch(left -> left > 0);
    }

    /** The closed loop reaches only a tenth of the servers' rate. */
    @Test
    void jumpIsBetweenTheRatesOnBothSides() {
        SplittableRandom random = new SplittableRandom(1);
        List<RateLimit> limits = List.of(RateLimit.parse("max<80ms"), RateLimit.parse("p99<1s"));

        Found found = new Queue(4, 0.1, () -> 0.01, limits, random).search(4);

        assertThat(found.rate()).isNotNull().isBetween(200.0, 400.0);
        assertThat(found.limit()).isNotNull();
        assertThat(found.broken()).isNotNull().isGreaterThan(found.rate());
        assertThat(found.binding()).isZero();
    }

    @Test
    void intervalContainsTheHighestRateOfAQueue() {
        assertThat(contained(8, 0.01, "p99<75ms", 12)).isGreaterThanOrEqualTo(11);
        assertThat(contained(4, 0.008, "p99<80ms", 24)).isGreaterThanOrEqualTo(22);
        assertThat(contained(1, 0.002, "p99<30ms", 24)).isGreaterThanOrEqualTo(20);
    }

    private static long contained(int servers, double mean, String limit, int searches) {
        RateLimit parsed = RateLimit.parse(limit);
        double truth = highest(servers, 1 / mean, parsed.micros() / 1e6, parsed.share());
        return IntStream.range(0, searches)
                .filter(seed -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    Queue queue = new Queue(
                            servers, mean, () -> -Math.log1p(-random.nextDouble()) * mean, List.of(parsed), random);
                    Found found = queue.search(6);
                    assertThat(queue.simulated).isLessThan(175);
                    return found.limit() != null && !found.limit().excludes(truth);
                })
                .count();
    }

    /** At every other moment the server is half as fast: no rate between has trials that agree. */
    @Test
    void intervalCoversTheRatesBetweenWhichTrialsDisagree() {
        SplittableRandom random = new SplittableRandom(3);
        double[] slowdown = {1};
        Queue queue = new Queue(4, 0.01, () -> 0.01 * slowdown[0], List.of(RateLimit.parse("p99<40ms")), random) {
            @Override
            public Trial measure(
                    double rate,
                    Stage stage,
                    double seconds,
                    Predicate<List<List<Batch>>> isHopeless,
                    double secondsAfter) {
                slowdown[0] = simulated % 30 < 15 ? 1 : 1.25;
                return super.measure(rate, stage, seconds, isHopeless, secondsAfter);
            }
        };

        Found found = queue.search(6);

        assertThat(found.limit()).isNotNull();
        assertThat(found.isConfirmed() && found.limit().low() > 300).isFalse();
        assertThat(queue.simulated).isLessThan(175);
    }
}
