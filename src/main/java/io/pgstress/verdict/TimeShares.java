package io.pgstress.verdict;

import static io.pgstress.result.OperationWaits.DATANODES_OR_CPU;
import static io.pgstress.result.OperationWaits.NOT_SAMPLED;
import static io.pgstress.result.OperationWaits.WORKERS;

import io.pgstress.result.OperationWaits.Share;
import io.pgstress.verdict.SlowOperations.Hit;
import io.pgstress.verdict.SlowOperations.SamplingGaps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What operations spent their time on, from samples. A sample meets long operations more often than short ones, so the shares of samples,
 * each with the time for which it stands, are shares of time; weights make up for those that are left out. An operation's time in which the server could not be sampled is not
 * what its samples show. Samples within one operation depend on each other; the intervals take operations
 * as clusters (ratio estimator: Cochran, Sampling Techniques, 1977, 6.3). Immutable.
 */
final class TimeShares {
    static final Activity OF_WORKERS = Activity.of("", WORKERS);

    /** Unlike {@link #OF_WORKERS}, it is also time in which the client's session itself ran. */
    private static final Activity OF_DATANODES = Activity.of("", DATANODES_OR_CPU);

    static final Activity UNSAMPLED = Activity.of("", NOT_SAMPLED);

    /** Fewer sampled operations tell nothing. */
    static final int MIN_OPERATIONS = 5;

    /** Slow operations that begin in the same part of the measurement count once for what else the server did: they share one event. */
    static final double EVENT_SECONDS = 0.25;

    /** Durations in a histogram are as exact as this. */
    private static final double HISTOGRAM_ERROR = 0.001;

    /** Sums of weights are as exact as this. */
    private static final double ROUNDING = 1e-18;

    /** Ranges of durations are this ratio wide. */
    private static final double CLASS_WIDTH = 1.1;

    /** Operations this many classes up last about twice as long. */
    private static final int NEAR_CLASSES = 7;

    private final List<Hit> hits;
    private final Map<Integer, Double> secondsOfClass;
    private final SamplingGaps gaps;

    /**
     * @param secondsOfClass the time of all operations, sampled or not, by {@link #durationClass}; empty: samples have no other weight than their own
     * @param gaps when servers could not be sampled
     */
    TimeShares(List<Hit> hits, Map<Integer, Double> secondsOfClass, SamplingGaps gaps) {
        this.hits = List.copyOf(hits);
        this.gaps = gaps;
        this.secondsOfClass = Map.copyOf(secondsOfClass);
    }

    /** The number of a range of durations. */
    static int durationClass(long nanos) {
        return (int) Math.floor(Math.log((double) nanos) / Math.log(CLASS_WIDTH));
    }

    /** The number of operations that have samples. */
    static long operations(List<Hit> hits) {
        return hits.stream().map(Hit::operation).distinct().count();
    }

    /** The number of events, as which slow operations count that began at about the same time. */
    static long events(List<Hit> hits) {
        return hits.stream().map(TimeShares::event).distinct().count();
    }

    /** The number of the part of the measurement in which the operation of a sample began. */
    private static double event(Hit hit) {
        return Math.floor(hit.start() / EVENT_SECONDS);
    }

    /** The shares of all the time, the largest first; the rest is that of operations unlike any sampled one, and in which there were no samples. */
    Map<Activity, Share> waits(Function<Hit, Activity> what) {
        Map<Activity, Share> waits = ofSampled(what);
        double sampled = sampledPart(ofClient());
        if (waits.isEmpty() || sampled == 1) {
            return waits;
        }
        Map<Activity, Share> ofAll = new HashMap<>();
        waits.forEach((wait, share) -> ofAll.put(wait, share.times(sampled)));
        ofAll.merge(UNSAMPLED, new Share(1 - sampled, 1 - sampled, 1 - sampled), Share::plus);
        return sorted(ofAll);
    }

    /**
     * The waits of the clients' sessions. Those of the servers that work for them replace, in proportion, the time that the clients'
     * sessions waited for workers or datanodes: servers are sampled at different times and paces.
     */
    private Map<Activity, Share> ofSampled(Function<Hit, Activity> what) {
        Function<Hit, Stream<Activity>> there =
                hit -> Stream.of(what.apply(hit)).filter(Activity::isThere);
        Map<Activity, Share> shares = shares(ofClient(), there, Hit::operation, UNSAMPLED);
        Map<Activity, Share> placed =
                shares(hits.stream().filter(hit -> !hit.place().isEmpty()).toList(), there, Hit::operation, null);
        double known = placed.values().stream().mapToDouble(Share::share).sum();
        Activity elsewhere = shares.containsKey(OF_WORKERS) ? OF_WORKERS : OF_DATANODES;
        Share all = shares.get(elsewhere);
        if (all != null && known > 0) {
            double part = Math.min(1, all.share() / known);
            placed.forEach((name, share) -> shares.put(name, share.times(part)));
            shares.put(elsewhere, all.times(Math.max(0, 1 - known / all.share())));
        }
        return sorted(shares);
    }

    /** What else each server did, as shares of all the time, the largest first. */
    Map<Activity, Share> during() {
        Map<Activity, Share> during = new HashMap<>();
        hits.stream().collect(Collectors.groupingBy(Hit::place)).values().forEach(ofPlace -> {
            double sampled = sampledPart(ofPlace);
            shares(ofPlace, Hit::whatElse, TimeShares::event, null)
                    .forEach((what, share) -> during.put(what, share.times(sampled)));
        });
        return sorted(during);
    }

    /** The number of operations of equal weight that would tell as much as those sampled (Kish, Survey Sampling, 1965, 11.7). */
    double effective() {
        ToDoubleFunction<Hit> weight = weights(ofClient());
        return effective(ofClient().stream()
                .collect(Collectors.groupingBy(Hit::operation, Collectors.summingDouble(weight)))
                .values());
    }

    private List<Hit> ofClient() {
        return hits.stream().filter(hit -> hit.place().isEmpty()).toList();
    }

    private static double effective(Collection<Double> weights) {
        double sum = sum(weights);
        double squares = weights.stream().mapToDouble(w -> w * w).sum();
        return squares > 0 ? sum * sum / squares : 0;
    }

    /**
     * Samples of operations that only a sample delayed are left out, so those of short operations are too few. Each range of durations with
     * enough sampled operations therefore gets the time that all its operations took (post-stratification: Cochran, 1977, 5A.9).
     *
     * @param own the samples of one server
     */
    private ToDoubleFunction<Hit> weights(List<Hit> own) {
        NavigableMap<Integer, List<Hit>> hitsOfClass = own.stream()
                .collect(Collectors.groupingBy(hit -> durationClass(hit.nanos()), TreeMap::new, Collectors.toList()));
        Map<Integer, Double> secondsOfSampled = new HashMap<>();
        secondsOfClass.forEach((one, seconds) -> nearest(hitsOfClass.navigableKeySet(), one)
                .ifPresent(near -> secondsOfSampled.merge(near, seconds, Double::sum)));
        Map<Integer, Double> weights = new HashMap<>();
        List<Integer> range = new ArrayList<>();
        long rest = operations(own);
        long operations = 0;
        double samples = 0;
        double seconds = 0;
        for (Map.Entry<Integer, List<Hit>> one : hitsOfClass.descendingMap().entrySet()) {
            range.add(one.getKey());
            long more = operations(one.getValue());
            rest -= more;
            operations += more;
            samples += one.getValue().stream().mapToDouble(Hit::weight).sum();
            seconds += secondsOfSampled.getOrDefault(one.getKey(), 0.0);
            if (rest == 0 || (rest >= MIN_OPERATIONS && operations >= MIN_OPERATIONS && seconds > 0)) {
                double weight = samples > 0 ? seconds / samples : 0;
                range.forEach(k -> weights.put(k, weight));
                range.clear();
                operations = 0;
                samples = 0;
                seconds = 0;
            }
        }
        boolean isKnown = weights.values().stream().anyMatch(weight -> weight > 0);
        return hit -> hit.weight() * (isKnown ? weights.getOrDefault(durationClass(hit.nanos()), 0.0) : 1);
    }

    /** The part of the time (0 to 1) that is that of operations about as long as sampled ones. */
    private double sampledPart(List<Hit> own) {
        NavigableSet<Integer> sampled =
                own.stream().map(hit -> durationClass(hit.nanos())).collect(Collectors.toCollection(TreeSet::new));
        double rest = secondsOfClass.entrySet().stream()
                .filter(e -> nearest(sampled, e.getKey()).isEmpty())
                .mapToDouble(Map.Entry::getValue)
                .sum();
        double all = sum(secondsOfClass.values());
        return rest <= HISTOGRAM_ERROR * all ? 1 : 1 - rest / all;
    }

    /** The class of sampled operations that stands for another one; none if its operations last for less than half or more than twice as long. */
    private static Optional<Integer> nearest(NavigableSet<Integer> sampled, int one) {
        return Stream.of(sampled.floor(one), sampled.ceiling(one))
                .flatMap(Stream::ofNullable)
                .min(Comparator.comparingInt(near -> Math.abs(near - one)))
                .filter(near -> Math.abs(near - one) <= NEAR_CLASSES);
    }

    private static double sum(Collection<Double> values) {
        return values.stream().mapToDouble(value -> value).sum();
    }

    private static Map<Activity, Share> sorted(Map<Activity, Share> shares) {
        Map<Activity, Share> sorted = new LinkedHashMap<>();
        shares.entrySet().stream()
                .filter(e -> e.getValue().share() > 0)
                .sorted(Map.Entry.<Activity, Share>comparingByValue(
                                Comparator.comparingDouble(Share::share).reversed())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(e -> sorted.put(e.getKey(), e.getValue()));
        return sorted;
    }

    /**
     * The shares of time, of the samples of each server.
     *
     * @param cluster samples with the same value depend on each other
     * @param gap what the time counts as in which the server could not be sampled; null: it is left out
     */
    private Map<Activity, Share> shares(
            List<Hit> own,
            Function<Hit, Stream<Activity>> what,
            Function<Hit, Object> cluster,
            @Nullable Activity gap) {
        Map<Activity, Share> shares = new HashMap<>();
        own.stream()
                .collect(Collectors.groupingBy(Hit::place))
                .values()
                .forEach(ofPlace -> shares.putAll(shares(
                        ofPlace.stream().collect(Collectors.groupingBy(cluster)).values(),
                        what,
                        gap,
                        weights(ofPlace))));
        return shares;
    }

    private Map<Activity, Share> shares(
            Collection<List<Hit>> clusters,
            Function<Hit, Stream<Activity>> what,
            @Nullable Activity gap,
            ToDoubleFunction<Hit> weight) {
        List<Double> sizes = clusters.stream()
                .map(hits -> hits.stream().mapToDouble(weight).sum())
                .toList();
        double all = sum(sizes);
        List<Map<Activity, Double>> parts = clusters.stream()
                .map(hits -> hits.stream()
                        .flatMap(hit -> {
                            double whole = weight.applyAsDouble(hit);
                            double sampled = whole * gaps.sampledPart(hit);
                            return Stream.concat(
                                    what.apply(hit).map(name -> Map.entry(name, sampled)),
                                    Stream.ofNullable(gap).map(name -> Map.entry(name, whole - sampled)));
                        })
                        .collect(Collectors.groupingBy(
                                Map.Entry::getKey, Collectors.summingDouble(Map.Entry::getValue))))
                .toList();
        Map<Activity, Double> sums = new HashMap<>();
        parts.forEach(each -> each.forEach((name, part) -> sums.merge(name, part, Double::sum)));
        Map<Activity, Share> shares = new HashMap<>();
        if (all == 0) {
            return shares;
        }
        double m = clusters.size();
        double ofSamples = effective(clusters.stream()
                .flatMap(List::stream)
                .map(weight::applyAsDouble)
                .toList());
        double ofClusters = effective(sizes);
        sums.forEach((name, sum) -> {
            double share = Math.min(1, sum / all);
            double squares = IntStream.range(0, sizes.size())
                    .mapToDouble(i -> parts.get(i).getOrDefault(name, 0.0) - share * sizes.get(i))
                    .map(off -> off * off)
                    .sum();
            boolean isKnown = m >= 2 && squares >= ROUNDING * all * all;
            double variance =
                    isKnown ? Math.max(m / (m - 1) * squares / (all * all), share * (1 - share) / ofSamples) : 0;
            shares.put(name, Share.of(share, variance, ofClusters));
        });
        return shares;
    }
}
