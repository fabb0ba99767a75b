package io.pgstress.verdict;

import static io.pgstress.result.OperationWaits.CLIENT;
import static io.pgstress.result.OperationWaits.CONNECTION;
import static io.pgstress.result.OperationWaits.CPU;
import static io.pgstress.result.OperationWaits.ELSEWHERE;
import static io.pgstress.result.OperationWaits.MIN_APART;
import static io.pgstress.result.OperationWaits.NOT_SAMPLED;
import static io.pgstress.result.OperationWaits.WORDS;
import static io.pgstress.result.OperationWaits.WORKERS;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.result.OperationWaits.Group;
import io.pgstress.result.OperationWaits.OverTime;
import io.pgstress.result.OperationWaits.Profile;
import io.pgstress.result.OperationWaits.Sampling;
import io.pgstress.result.OperationWaits.Share;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Rounded;
import io.pgstress.verdict.LongTimes.Suspect;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the server did during the slowest operations and during ordinary ones. A sample meets long operations more often than
 * short ones, so the shares of samples are shares of time; weights make up for those that are left out. Samples within one operation depend on each other; the intervals
 * take operations as clusters (ratio estimator: Cochran, Sampling Techniques, 1977, 6.3). Belongs to one thread.
 */
public final class SlowOperations {
    private static final String LOCK = "Lock:";

    /**
     * Causes with several wait events. While one session writes WAL, the others wait for it with another event; the first session that waits
     * for a row waits for a transaction, the others for the row. Letters differ in case between PostgreSQL 16 and 17.
     */
    private enum Cause {
        WAL("writing WAL", "(IO|LWLock):WAL.*"),
        DATA("data files", "IO:DataFile.*|IPC:BufferIO|LWLock:BufferIO"),
        TEMPORARY("temporary files", "IO:BufFile.*"),
        ROW("row locks", "Lock:(transactionid|tuple)");

        private final String words;
        private final Pattern events;

        Cause(String words, String events) {
            this.words = words;
            this.events = Pattern.compile(events, Pattern.CASE_INSENSITIVE);
        }

        /** What the wait belongs to; the wait itself if that is a cause of its own. */
        static String of(String wait) {
            return Stream.of(values())
                    .filter(cause -> cause.events.matcher(wait).matches())
                    .map(cause -> cause.words)
                    .findFirst()
                    .orElse(wait);
        }

        boolean isOf(String wait) {
            return events.matcher(wait).matches();
        }
    }

    /**
     * A group, its samples, and the share of each cause. {@link Group#waits} has the shares of the single wait events.
     *
     * @param effective the number of operations of equal weight that would tell as much as those sampled
     */
    private record Sampled(Group group, Map<String, Share> causes, List<Hit> hits, double effective) {
        /** The share of a cause; its upper end as if all time that was not sampled were spent on it. */
        Share atMost(String cause) {
            return causes.getOrDefault(cause, Share.of(0, 0, effective)).plus(notSampled());
        }

        /** Only the upper end is that of the time that was not sampled. */
        Share notSampled() {
            return new Share(0, 0, causes.getOrDefault(NOT_SAMPLED, NONE).share());
        }

        boolean isSampled() {
            return group.sampledOperations() >= MIN_OPERATIONS;
        }

        double meanSeconds() {
            return group.seconds() / group.operations();
        }
    }

    private static final Share NONE = Share.of(0, 0, 0);
    private static final int MAX_NAMED = 3;
    private static final double MIN_NAMED = 0.05;

    /** A cause surely takes at least this share of the time that a slow operation takes beyond that of an ordinary one. */
    private static final double MIN_OF_EXCESS = 0.25;

    /** Slow operations that begin in the same part of the measurement count once for what else the server did: they share one event. */
    private static final double EVENT_SECONDS = 0.25;

    /** Percentiles are the upper ends of ranges that are a thousandth wide; the lowest range is to be included. */
    private static final double BELOW = 0.998;

    /** Durations in a histogram are as exact as this. */
    private static final double HISTOGRAM_ERROR = 0.001;

    /** A sample delayed an operation if it may have added at least this part of its time beyond the median. */
    private static final double MIN_OF_DELAY = 0.5;

    private static final int MIN_OPERATIONS = 5;

    /** Sums of weights are as exact as this. */
    private static final double ROUNDING = 1e-18;

    /** Ranges of durations are this ratio wide. */
    private static final double CLASS_WIDTH = 1.1;

    /** Operations this many classes up last about twice as long. */
    private static final int NEAR_CLASSES = 7;

    private static final int MIN_EVENTS = 5;
    private static final int MAX_SLOTS = 120;
    private static final int SAMPLES_PER_SLOT = 4;
    private static final int MAX_BLOCKERS = 10;

    /** A long operation's wait is known from this number of samples on. */
    private static final int MIN_SAMPLES = 3;

    private static final int MAX_SUSPECTS = 1000;
    private static final int MAX_PERIODS = 3;

    /**
     * A sample within an operation.
     *
     * @param seconds since the start of the measurement, pauses excluded
     * @param met identifies the operation among all
     * @param start when it began, since the start of the measurement
     * @param nanos its duration
     * @param sampleNanos for how long the sample was being taken during the operation
     * @param place the server, if it works for the client's; empty if it is the client's
     * @param waits what the session waited for
     * @param during what else the server did
     * @param blocker the session that it waited for; null: none
     */
    public record Hit(
            double seconds,
            int operation,
            Object met,
            double start,
            long nanos,
            long sampleNanos,
            String place,
            String waits,
            Collection<String> during,
            @Nullable Blocker blocker) {
        /**
         * Whether it is beyond a limit because it was sampled. Such operations would all be sampled, and the others rarely. The sample may
         * have added the time for which it was being taken, except for the network's part, which is at most that of the shortest operation.
         * It is not blamed if that is less than half of what the operation lasted beyond the median: an operation that waits is not
         * delayed by the sample, and if slow ones last for about as long as the limit, those sampled in their middle would be left out.
         *
         * @param limit in nanoseconds, as the shortest operation's and the median duration
         */
        private boolean isDelayed(double limit, double shortest, double median) {
            double added = Math.max(0, sampleNanos - shortest);
            return nanos - added <= limit && added >= MIN_OF_DELAY * (nanos - median);
        }

        private String placed(String what) {
            return place.isEmpty() ? what : place + " " + what;
        }

        /** What the operation waited for and where; none if that was elsewhere. */
        private Stream<String> placedWait() {
            return waits.equals(ELSEWHERE) ? Stream.of() : Stream.of(placed(waits));
        }

        private String cause() {
            return placed(Cause.of(waits));
        }

        private Stream<String> placedCause() {
            return waits.equals(ELSEWHERE) ? Stream.of() : Stream.of(cause());
        }

        private Stream<String> whatElse() {
            return during.stream().map(this::placed);
        }

        /** Whether it waited for something on the server itself. */
        private boolean isOfServer() {
            return !WORDS.containsKey(waits) && !waits.equals(ELSEWHERE);
        }

        private boolean isLocked() {
            return waits.startsWith(LOCK);
        }
    }

    /** What the sessions of long operations waited for on servers, as possible causes, in seconds since the start of the measurement. */
    public static List<Suspect> suspects(List<Hit> hits) {
        return hits.stream()
                .filter(hit -> hit.nanos >= LongTimes.MIN_EXCESS_SECONDS * 1e9)
                .collect(Collectors.groupingBy(Hit::met))
                .values()
                .stream()
                .sorted(Comparator.comparingLong(own -> -own.get(0).nanos))
                .limit(MAX_SUSPECTS)
                .flatMap(SlowOperations::suspect)
                .toList();
    }

    /** The longest wait of one operation. */
    private static Stream<Suspect> suspect(List<Hit> own) {
        Hit any = own.get(0);
        double seconds = any.nanos / 1e9;
        return own.stream().collect(Collectors.groupingBy(Hit::place)).values().stream()
                .filter(ofPlace -> ofPlace.size() >= MIN_SAMPLES)
                .flatMap(ofPlace ->
                        ofPlace.stream()
                                .filter(Hit::isOfServer)
                                .collect(Collectors.groupingBy(Hit::cause))
                                .entrySet()
                                .stream()
                                .map(e -> new Suspect(
                                        Suspect.Kind.WAIT,
                                        waiting(e.getKey()),
                                        any.start,
                                        any.start + seconds,
                                        seconds * e.getValue().size() / ofPlace.size())))
                .max(Comparator.comparingDouble(Suspect::seconds))
                .stream();
    }

    /** The name that {@link OperationWaits} has for the server's wait event; null: the session does not wait. */
    public static String waits(@Nullable String type, @Nullable String event) {
        if (event == null) {
            return CPU;
        }
        return "Client".equals(type) ? CLIENT : type + ":" + event;
    }

    private final List<Hit> hits;
    private final Set<String> noCauses;
    private final boolean isCpuFull;
    private final List<Profile> profiles = new ArrayList<>();
    private final List<Remark> causes = new ArrayList<>();
    private long slowSampled;

    /**
     * @param hits the samples of all servers
     * @param isCpuFull whether a machine's CPU was full, so that sessions and clients waited for their turn
     */
    public SlowOperations(List<Hit> hits, boolean isCpuFull) {
        this.hits = hits;
        this.noCauses = OperationWaits.noCauses(isCpuFull);
        this.isCpuFull = isCpuFull;
    }

    /** Adds an operation with its number, name and durations. */
    public void add(int number, String name, LatencyHistogram times) {
        List<Hit> own = hits.stream().filter(hit -> hit.operation == number).toList();
        if (own.isEmpty() || times.count() == 0) {
            return;
        }
        double limit = slowest(times);
        double shortest = times.minMicros();
        double median = times.micros(50);
        Predicate<Hit> isDelayed = hit -> hit.isDelayed(1e3 * limit, 1e3 * shortest, 1e3 * median);
        Sampled slow = group(own, isDelayed, times, limit, Double.MAX_VALUE);
        Sampled usual = group(own, hit -> false, times, times.micros(25) * BELOW, times.micros(75));
        profiles.add(new Profile(name, times.micros(99), slow.group, usual.group));
        if (slow.isSampled()) {
            slowSampled += slow.group.sampledOperations();
            waitOf(name, slow, usual);
        }
        if (slow.isSampled() && usual.isSampled()) {
            during(name, slow, usual);
        }
    }

    /**
     * The limit of the slowest operations: the p99, or just below it if fewer than half of a percent are beyond, as when many last for the
     * same time, such as a timeout.
     */
    private static double slowest(LatencyHistogram times) {
        double p99 = times.micros(99);
        long[] beyond = {0};
        times.forEachBucket((nanos, n) -> beyond[0] += nanos / 1e3 > p99 ? n : 0);
        return beyond[0] * 200 >= times.count() ? p99 : p99 * BELOW;
    }

    /**
     * The operations whose duration is above the first and not above the second limit.
     *
     * @param isDelayed whether an operation is left out, because it belongs to them only as it was sampled
     */
    private static Sampled group(
            List<Hit> all, Predicate<Hit> isDelayed, LatencyHistogram times, double above, double upTo) {
        Predicate<Double> isIn = micros -> micros > above && micros <= upTo;
        List<Hit> own = new ArrayList<>();
        Map<Object, Hit> leftOut = new HashMap<>();
        for (Hit hit : all) {
            if (isIn.test(hit.nanos / 1e3)) {
                if (isDelayed.test(hit)) {
                    leftOut.put(hit.met, hit);
                } else {
                    own.add(hit);
                }
            }
        }
        own.forEach(hit -> leftOut.remove(hit.met));
        Map<Integer, Double> secondsOfClass = new HashMap<>();
        long[] count = {0};
        double[] seconds = {0};
        times.forEachBucket((nanos, n) -> {
            if (isIn.test(nanos / 1e3)) {
                count[0] += n;
                seconds[0] += n * (nanos / 1e9);
                secondsOfClass.merge(durationClass(nanos), n * (nanos / 1e9), Double::sum);
            }
        });
        leftOut.values()
                .forEach(hit -> secondsOfClass.computeIfPresent(
                        durationClass(hit.nanos), (k, time) -> Math.max(0, time - hit.nanos / 1e9)));
        List<Hit> ofClient = own.stream().filter(hit -> hit.place.isEmpty()).toList();
        double sampled = sampledPart(ofClient, secondsOfClass);
        Group group = new Group(
                count[0],
                seconds[0],
                operations(own),
                own.size(),
                ofAll(waits(own, Hit::placedWait, Hit::met, secondsOfClass), sampled),
                during(own, secondsOfClass));
        Map<String, Share> causes = ofAll(waits(own, Hit::placedCause, Hit::met, secondsOfClass), sampled);
        return new Sampled(group, causes, own, effective(ofClient, secondsOfClass));
    }

    /** What else each server did, as shares of all the time. */
    private static Map<String, Share> during(List<Hit> hits, Map<Integer, Double> secondsOfClass) {
        Map<String, Share> during = new HashMap<>();
        hits.stream().collect(Collectors.groupingBy(Hit::place)).values().forEach(ofPlace -> {
            double sampled = sampledPart(ofPlace, secondsOfClass);
            shares(ofPlace, Hit::whatElse, SlowOperations::event, secondsOfClass)
                    .forEach((what, share) -> during.put(what, share.times(sampled)));
        });
        return sorted(during);
    }

    /** Shares of the sampled part of the time as shares of all of it; the rest is that of operations unlike any sampled one. */
    private static Map<String, Share> ofAll(Map<String, Share> waits, double sampled) {
        if (waits.isEmpty() || sampled == 1) {
            return waits;
        }
        Map<String, Share> ofAll = new HashMap<>();
        waits.forEach((wait, share) -> ofAll.put(wait, share.times(sampled)));
        ofAll.merge(NOT_SAMPLED, new Share(1 - sampled, 1 - sampled, 1 - sampled), Share::plus);
        return sorted(ofAll);
    }

    /** The effective number of operations that were sampled (Kish, Survey Sampling, 1965, 11.7). */
    private static double effective(List<Hit> ofClient, Map<Integer, Double> secondsOfClass) {
        ToDoubleFunction<Hit> weight = weights(ofClient, secondsOfClass);
        return effective(ofClient.stream()
                .collect(Collectors.groupingBy(Hit::met, Collectors.summingDouble(weight)))
                .values());
    }

    private static double effective(Collection<Double> weights) {
        double sum = sum(weights);
        double squares = weights.stream().mapToDouble(w -> w * w).sum();
        return squares > 0 ? sum * sum / squares : 0;
    }

    /** The number of a range of durations. */
    private static int durationClass(long nanos) {
        return (int) Math.floor(Math.log((double) nanos) / Math.log(CLASS_WIDTH));
    }

    /**
     * Samples of operations that only a sample delayed are left out, so those of short operations are too few. Each range of durations with
     * enough sampled operations therefore gets the time that all its operations took (post-stratification: Cochran, 1977, 5A.9).
     *
     * @param own the samples of one server
     * @param secondsOfClass the time of all operations by class; empty: all samples have the same weight
     */
    private static ToDoubleFunction<Hit> weights(List<Hit> own, Map<Integer, Double> secondsOfClass) {
        NavigableMap<Integer, List<Hit>> hitsOfClass = own.stream()
                .collect(Collectors.groupingBy(hit -> durationClass(hit.nanos), TreeMap::new, Collectors.toList()));
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
            samples += one.getValue().size();
            seconds += secondsOfSampled.getOrDefault(one.getKey(), 0.0);
            if (rest == 0 || (rest >= MIN_OPERATIONS && operations >= MIN_OPERATIONS && seconds > 0)) {
                double weight = seconds / samples;
                range.forEach(k -> weights.put(k, weight));
                range.clear();
                operations = 0;
                samples = 0;
                seconds = 0;
            }
        }
        boolean isKnown = weights.values().stream().anyMatch(weight -> weight > 0);
        return hit -> isKnown ? weights.getOrDefault(durationClass(hit.nanos), 0.0) : 1;
    }

    /** The part of the time (0 to 1) that is that of operations about as long as sampled ones. */
    private static double sampledPart(List<Hit> own, Map<Integer, Double> secondsOfClass) {
        NavigableSet<Integer> sampled =
                own.stream().map(hit -> durationClass(hit.nanos)).collect(Collectors.toCollection(TreeSet::new));
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

    private static long operations(List<Hit> hits) {
        return hits.stream().map(Hit::met).distinct().count();
    }

    /** The number of the part of the measurement in which the operation of a sample began. */
    private static Object event(Hit hit) {
        return Math.floor(hit.start / EVENT_SECONDS);
    }

    /**
     * The waits of the clients' sessions. Those of the servers that work for them replace, in proportion, the time that the clients'
     * sessions waited for workers: servers are sampled at different times and paces.
     */
    private static Map<String, Share> waits(
            List<Hit> hits,
            Function<Hit, Stream<String>> names,
            Function<Hit, Object> cluster,
            Map<Integer, Double> secondsOfClass) {
        Map<String, Share> shares =
                shares(hits.stream().filter(hit -> hit.place.isEmpty()).toList(), names, cluster, secondsOfClass);
        Map<String, Share> placed =
                shares(hits.stream().filter(hit -> !hit.place.isEmpty()).toList(), names, cluster, secondsOfClass);
        double known = placed.values().stream().mapToDouble(Share::share).sum();
        Share all = shares.get(WORKERS);
        if (all != null && known > 0) {
            double part = Math.min(1, all.share() / known);
            placed.forEach((name, share) -> shares.put(name, share.times(part)));
            shares.put(WORKERS, all.times(Math.max(0, 1 - known / all.share())));
        }
        return sorted(shares);
    }

    private static Map<String, Share> sorted(Map<String, Share> shares) {
        Map<String, Share> sorted = new LinkedHashMap<>();
        shares.entrySet().stream()
                .filter(e -> e.getValue().share() > 0)
                .sorted(Comparator.comparingDouble(e -> -e.getValue().share()))
                .forEach(e -> sorted.put(e.getKey(), e.getValue()));
        return sorted;
    }

    /**
     * The shares of time, of the samples of each server.
     *
     * @param cluster samples with the same value depend on each other
     * @param secondsOfClass the time of all operations by class; empty: all samples have the same weight
     */
    private static Map<String, Share> shares(
            List<Hit> hits,
            Function<Hit, Stream<String>> names,
            Function<Hit, Object> cluster,
            Map<Integer, Double> secondsOfClass) {
        Map<String, Share> shares = new TreeMap<>();
        hits.stream()
                .collect(Collectors.groupingBy(Hit::place))
                .values()
                .forEach(ofPlace -> shares.putAll(shares(
                        ofPlace.stream().collect(Collectors.groupingBy(cluster)).values(),
                        names,
                        weights(ofPlace, secondsOfClass))));
        return sorted(shares);
    }

    private static Map<String, Share> shares(
            Collection<List<Hit>> clusters, Function<Hit, Stream<String>> names, ToDoubleFunction<Hit> weight) {
        List<Double> sizes = clusters.stream()
                .map(hits -> hits.stream().mapToDouble(weight).sum())
                .toList();
        double all = sum(sizes);
        List<Map<String, Double>> parts = clusters.stream()
                .map(hits -> hits.stream()
                        .flatMap(hit -> names.apply(hit).map(name -> Map.entry(name, weight.applyAsDouble(hit))))
                        .collect(Collectors.groupingBy(
                                Map.Entry::getKey, Collectors.summingDouble(Map.Entry::getValue))))
                .toList();
        Map<String, Double> sums = new TreeMap<>();
        parts.forEach(each -> each.forEach((name, part) -> sums.merge(name, part, Double::sum)));
        Map<String, Share> shares = new HashMap<>();
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

    private void waitOf(String name, Sampled slow, Sampled usual) {
        Map<String, String> events = new HashMap<>(Map.of(NOT_SAMPLED, NOT_SAMPLED));
        slow.hits.forEach(hit -> events.put(hit.cause(), hit.waits));
        slow.causes.entrySet().stream()
                .filter(e -> !noCauses.contains(events.getOrDefault(e.getKey(), "")))
                .filter(e -> isOfExcess(e.getValue(), usual.atMost(e.getKey()), slow, usual)
                        && (!WORDS.containsKey(events.getOrDefault(e.getKey(), ""))
                                || (usual.isSampled() && e.getValue().isApart(usual.atMost(e.getKey()), MIN_APART))))
                .max(Comparator.comparingDouble(
                        e -> e.getValue().share() - usual.atMost(e.getKey()).share()))
                .ifPresent(cause -> causes.add(codeOf(events.getOrDefault(cause.getKey(), ""))
                        .with("operation", name)
                        .with("operations", slow.group.operations())
                        .with("millis", 1e3 * slow.meanSeconds())
                        .with("usualMillis", 1e3 * usual.meanSeconds())
                        .with("slow", words(slow, cause.getKey(), usual))
                        .with("usual", usual.isSampled() ? words(usual, null, usual) : "too little time to be sampled")
                        .remark()));
    }

    /**
     * Whether the wait surely takes a part of the time that makes operations slow: that beyond the duration of ordinary ones. Without
     * samples of those, which are few if most of the time is spent in slow ones, all their time is counted as this wait.
     */
    private static boolean isOfExcess(Share wait, Share ordinary, Sampled slow, Sampled usual) {
        double ofUsual = usual.isSampled() ? Math.min(1, ordinary.high()) : 1;
        double more = wait.low() * slow.meanSeconds() - ofUsual * usual.meanSeconds();
        return more >= MIN_OF_EXCESS * (slow.meanSeconds() - usual.meanSeconds());
    }

    private static RemarkCode codeOf(String wait) {
        return switch (wait) {
            case CPU -> RemarkCode.SLOW_ON_CPU;
            case CLIENT -> RemarkCode.SLOW_ON_CLIENT;
            case CONNECTION -> RemarkCode.SLOW_ON_CONNECTIONS;
            default -> {
                if (wait.startsWith(LOCK)) {
                    yield RemarkCode.SLOW_ON_LOCKS;
                }
                yield wait.startsWith("IO:") || Cause.WAL.isOf(wait) || Cause.DATA.isOf(wait)
                        ? RemarkCode.SLOW_ON_IO
                        : RemarkCode.SLOW_ON_WAITS;
            }
        };
    }

    /** The largest shares with their intervals; of slow operations the cause first, with parts, blockers, and what else the server did. */
    private static String words(Sampled sampled, @Nullable String first, Sampled usual) {
        return sampled.causes.entrySet().stream()
                .filter(e -> e.getValue().share() >= MIN_NAMED)
                .sorted(Comparator.comparing(e -> !e.getKey().equals(first))) // stable
                .limit(MAX_NAMED)
                .map(e ->
                        percent(e.getKey(), e.getValue()) + (first == null ? "" : details(e.getKey(), sampled, usual)))
                .collect(Collectors.joining(", "));
    }

    private static String details(String cause, Sampled slow, Sampled usual) {
        List<Hit> own =
                slow.hits.stream().filter(hit -> hit.cause().equals(cause)).toList();
        String details = Stream.of(parts(own), blockers(own), disturbance(own, usual))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return details.isEmpty() ? "" : " (" + details + ")";
    }

    private static String percent(String cause, Share share) {
        return Rounded.percent(share.share(), 0)
                + Rounded.format(" [%.0f, %.0f] ", 100 * share.low(), 100 * share.high())
                + WORDS.getOrDefault(cause, waiting(cause));
    }

    private static String waiting(String cause) {
        return (cause.endsWith(Cause.WAL.words) ? "" : "waiting for ") + cause;
    }

    /** The events of a cause, the most frequent first. */
    private static String parts(List<Hit> own) {
        Map<String, Long> events =
                own.stream().collect(Collectors.groupingBy(Hit::waits, TreeMap::new, Collectors.counting()));
        return events.keySet().stream().allMatch(event -> Cause.of(event).equals(event))
                ? ""
                : events.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(MAX_NAMED)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.joining(", "));
    }

    /**
     * What else the server did in many samples of a wait for the disk, and rarely in ordinary operations. A single event, such as one long stall
     * in a checkpoint, has no interval of its own.
     */
    private static String disturbance(List<Hit> own, Sampled usual) {
        double least = MIN_OF_EXCESS * own.size();
        Map<String, Long> counts = own.stream()
                .filter(hit -> codeOf(hit.waits) == RemarkCode.SLOW_ON_IO)
                .flatMap(Hit::whatElse)
                .collect(Collectors.groupingBy(what -> what, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .filter(e -> e.getValue() >= least
                        && e.getValue()
                                >= 2
                                        * own.size()
                                        * usual.group
                                                .during()
                                                .getOrDefault(e.getKey(), NONE)
                                                .share())
                .max(Map.Entry.comparingByValue())
                .map(most -> "during " + most.getKey() + " in " + most.getValue() + " of " + own.size() + " samples")
                .orElse("");
    }

    private static String blockers(List<Hit> own) {
        List<String> names = own.stream()
                .filter(Hit::isLocked)
                .flatMap(hit -> Stream.ofNullable(hit.blocker))
                .map(Blocker::words)
                .toList();
        return names.stream()
                .collect(Collectors.groupingBy(n -> n, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(most ->
                        "blocked by " + most.getKey() + " in " + most.getValue() + " of " + names.size() + " samples")
                .orElse("");
    }

    private void during(String name, Sampled slow, Sampled usual) {
        double usualEvents = events(usual);
        if (events(slow) < MIN_EVENTS) {
            return;
        }
        slow.group.during().forEach((what, share) -> {
            Share other = usual.group
                    .during()
                    .getOrDefault(what, Share.of(0, 0, usualEvents))
                    .plus(usual.notSampled());
            if (share.isApart(other, MIN_APART)) {
                causes.add(RemarkCode.SLOW_DURING
                        .with("operation", name)
                        .with("percent", 100 * share.share())
                        .with("low", 100 * share.low())
                        .with("high", 100 * share.high())
                        .with("what", what)
                        .with("periods", periods(what))
                        .with("usualPercent", 100 * other.share())
                        .remark());
            }
        });
    }

    private static long events(Sampled group) {
        return group.hits.stream().map(SlowOperations::event).distinct().count();
    }

    /** When the server did it, by samples in all operations. */
    private String periods(String what) {
        double[] times = hits.stream()
                .filter(hit -> hit.whatElse().anyMatch(what::equals))
                .mapToDouble(Hit::seconds)
                .sorted()
                .toArray();
        List<String> periods = new ArrayList<>();
        double from = times[0];
        for (int i = 1; i <= times.length; i++) {
            if (i == times.length || times[i] - times[i - 1] > 2 * EVENT_SECONDS) {
                periods.add(Rounded.format("%.1f s to %.1f s", from, times[i - 1]));
                from = i == times.length ? 0 : times[i];
            }
        }
        int more = periods.size() - MAX_PERIODS;
        return String.join(", ", periods.subList(0, Math.min(MAX_PERIODS, periods.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /**
     * @param seconds the length of the measurement
     * @param isExplained whether another remark says why operations were slow
     */
    public OperationWaits result(double seconds, Sampling sampling, boolean isExplained) {
        List<Remark> found = causes.isEmpty() && slowSampled > 0 && !isExplained && !isCpuFull
                ? List.of(
                        RemarkCode.SLOW_UNEXPLAINED.with("sampled", slowSampled).remark())
                : causes;
        return new OperationWaits(found, profiles, blockers(), overTime(seconds, sampling), sampling);
    }

    private List<Blocker> blockers() {
        Map<Blocker, Blocker> sums = new HashMap<>();
        hits.stream()
                .filter(Hit::isLocked)
                .flatMap(hit -> Stream.ofNullable(hit.blocker))
                .forEach(one -> {
                    Blocker key = withCounts(one, 0, 0);
                    Blocker sum = sums.getOrDefault(key, key);
                    sums.put(key, withCounts(one, sum.samples() + 1, Math.max(sum.longestChain(), one.longestChain())));
                });
        return sums.values().stream()
                .sorted(Comparator.comparingLong(Blocker::samples).reversed().thenComparing(Blocker::statement))
                .limit(MAX_BLOCKERS)
                .toList();
    }

    private static Blocker withCounts(Blocker b, long samples, int chain) {
        return new Blocker(b.operation(), b.kind(), b.name(), b.statement(), b.state(), samples, chain);
    }

    private OverTime overTime(double seconds, Sampling sampling) {
        double slot = Math.max(SAMPLES_PER_SLOT * sampling.intervalMillis() / 1e3, seconds / MAX_SLOTS);
        int slots = (int) Math.ceil(seconds / slot);
        return new OverTime(
                slot,
                overTime(slots, slot, own -> waits(own, Hit::placedWait, Hit::met, Map.of())),
                overTime(slots, slot, own -> shares(own, Hit::whatElse, Hit::met, Map.of())));
    }

    /** The shares of each slot as numbers of samples of the clients' sessions. */
    private Map<String, List<Long>> overTime(int slots, double slot, Function<List<Hit>, Map<String, Share>> sharesOf) {
        Map<String, long[]> counts = new TreeMap<>();
        hits.stream()
                .collect(Collectors.groupingBy(hit -> (int) Math.max(0, Math.min(slots - 1, hit.seconds / slot))))
                .forEach((at, own) -> {
                    long samples = own.stream().filter(h -> h.place.isEmpty()).count();
                    sharesOf.apply(own)
                            .forEach((name, share) -> counts.computeIfAbsent(name, n -> new long[slots])[at] =
                                    Math.round(samples * share.share()));
                });
        Map<String, List<Long>> found = new TreeMap<>();
        counts.forEach((name, each) ->
                found.put(name, IntStream.range(0, slots).mapToObj(i -> each[i]).toList()));
        return found;
    }
}
