package io.pgstress.verdict;

import static io.pgstress.result.OperationWaits.MIN_APART;
import static io.pgstress.result.OperationWaits.WORDS;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.result.OperationWaits.Group;
import io.pgstress.result.OperationWaits.OverTime;
import io.pgstress.result.OperationWaits.Profile;
import io.pgstress.result.OperationWaits.Sampling;
import io.pgstress.result.OperationWaits.Share;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the server did during the slowest operations and during ordinary ones, and finds the causes. {@link TimeShares} has the
 * estimates, {@link SlowOperationWords} the words. Belongs to one thread.
 */
public final class SlowOperations {
    /** A cause surely takes at least this share of the time that a slow operation takes beyond that of an ordinary one. */
    static final double MIN_OF_EXCESS = 0.25;

    private static final Share NONE = Share.of(0, 0, 0);

    /** Percentiles are the upper ends of ranges that are a thousandth wide; the lowest range is to be included. */
    private static final double BELOW = 0.998;

    /** A sample delayed an operation if it may have added at least this part of its time beyond the median. */
    private static final double MIN_OF_DELAY = 0.5;

    private static final int MIN_EVENTS = 5;
    private static final int MAX_SLOTS = 120;
    private static final int SAMPLES_PER_SLOT = 4;
    private static final int MAX_BLOCKERS = 10;

    /** A long operation's wait is known from this number of samples on. */
    private static final int MIN_SAMPLES = 3;

    private static final int MAX_SUSPECTS = 1000;

    /**
     * A sample within an operation.
     *
     * @param seconds since the start of the measurement, pauses excluded
     * @param start when the operation began, since the start of the measurement
     * @param sampleNanos for how long the sample was being taken during the operation
     * @param weight the time for which the sample stands, in seconds
     * @param server that was sampled
     * @param place the server, if it works for the client's; empty if it is the client's
     * @param waits what the session waited for
     * @param during what else the server did
     * @param blocker the session that it waited for; null: none
     */
    public record Hit(
            double seconds,
            RunningOperation operation,
            double start,
            long sampleNanos,
            double weight,
            String server,
            String place,
            String waits,
            Collection<String> during,
            @Nullable Blocker blocker) {
        /** The duration of the operation. */
        long nanos() {
            return operation.nanos();
        }

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
            return nanos() - added <= limit && added >= MIN_OF_DELAY * (nanos() - median);
        }

        /** What the session did, wherever that was. */
        Activity activity() {
            return Activity.of(place, waits);
        }

        Activity cause() {
            return Activity.causeOf(place, waits);
        }

        Stream<Activity> whatElse() {
            return during.stream().map(what -> Activity.of(place, what));
        }
    }

    /**
     * A group, its samples, and the share of each cause. {@link Group#waits} has the shares of the single wait events.
     *
     * @param effective the number of operations of equal weight that would tell as much as those sampled
     */
    record Sampled(
            Group group, Map<Activity, Share> causes, Map<Activity, Share> during, List<Hit> hits, double effective) {
        /** The share of a cause; its upper end as if all time that was not sampled were spent on it. */
        Share atMost(Activity cause) {
            return causes.getOrDefault(cause, Share.of(0, 0, effective)).plus(notSampled());
        }

        /** Only the upper end is that of the time that was not sampled. */
        Share notSampled() {
            return new Share(
                    0, 0, causes.getOrDefault(TimeShares.UNSAMPLED, NONE).share());
        }

        /** The share of the time in which the server did this. */
        Share during(Activity what) {
            return during.getOrDefault(what, NONE);
        }

        boolean isSampled() {
            return group.sampledOperations() >= TimeShares.MIN_OPERATIONS;
        }

        double meanSeconds() {
            return group.seconds() / group.operations();
        }
    }

    /**
     * When servers were not sampled although they usually are, as when one is frozen: what they did before and after tells nothing about
     * the time between. Seconds since the start of the measurement. Immutable.
     */
    record SamplingGaps(Map<String, List<Gap>> byServer) {
        static final SamplingGaps NONE = new SamplingGaps(Map.of());

        /** A gap is at least this many times the usual time between samples of the server, */
        private static final double TIMES_USUAL = 10;

        /** and at least this long. */
        private static final double MIN_SECONDS = 0.1;

        /** With fewer samples, the usual time between them is unknown. */
        private static final int MIN_TIMES = 20;

        private record Gap(double from, double to) {
            double within(double begin, double end) {
                return Math.max(0, Math.min(to, end) - Math.max(from, begin));
            }
        }

        static SamplingGaps of(List<Hit> hits) {
            double last = hits.stream().mapToDouble(Hit::seconds).max().orElse(0);
            Map<String, List<Gap>> found = new HashMap<>();
            hits.stream().collect(Collectors.groupingBy(Hit::server)).forEach((server, own) -> {
                double[] times = own.stream()
                        .mapToDouble(Hit::seconds)
                        .sorted()
                        .distinct()
                        .toArray();
                if (times.length >= MIN_TIMES) {
                    found.put(server, gaps(times, last));
                }
            });
            return new SamplingGaps(found);
        }

        /** @param last when any server was sampled last: one that was not sampled then may have stayed frozen */
        private static List<Gap> gaps(double[] times, double last) {
            double[] between = IntStream.range(1, times.length)
                    .mapToDouble(i -> times[i] - times[i - 1])
                    .sorted()
                    .toArray();
            double usual = between[between.length / 2];
            double least = Math.max(MIN_SECONDS, TIMES_USUAL * usual);
            List<Gap> gaps = new ArrayList<>();
            for (int i = 1; i <= times.length; i++) {
                double to = i == times.length ? last : times[i];
                if (to - times[i - 1] >= least) {
                    gaps.add(new Gap(times[i - 1] + usual, i == times.length ? Double.MAX_VALUE : to));
                }
            }
            return gaps;
        }

        /** Whether a server was not sampled for a part of this period. */
        boolean meet(double from, double to) {
            return byServer.values().stream().flatMap(List::stream).anyMatch(gap -> gap.within(from, to) > 0);
        }

        /** The part (0 to 1) of the time of the operation for which its samples of the server may stand. */
        double sampledPart(Hit hit) {
            double seconds = hit.nanos() / 1e9;
            double gaps = byServer.getOrDefault(hit.server, List.of()).stream()
                    .mapToDouble(gap -> gap.within(hit.start, hit.start + seconds))
                    .sum();
            return seconds <= 0 ? 1 : Math.max(0, 1 - gaps / seconds);
        }
    }

    /** What the sessions of long operations waited for on servers, as possible causes, in seconds since the start of the measurement. */
    public static List<Suspect> suspects(List<Hit> hits) {
        return hits.stream()
                .filter(hit -> hit.nanos() >= LongTimes.MIN_EXCESS_SECONDS * 1e9)
                .collect(Collectors.groupingBy(Hit::operation))
                .values()
                .stream()
                .sorted(Comparator.comparingLong(own -> -own.get(0).nanos()))
                .limit(MAX_SUSPECTS)
                .flatMap(SlowOperations::suspect)
                .toList();
    }

    /** The longest wait of one operation. */
    private static Stream<Suspect> suspect(List<Hit> own) {
        Hit any = own.get(0);
        return own.stream().collect(Collectors.groupingBy(Hit::place)).values().stream()
                .filter(ofPlace -> ofPlace.size() >= MIN_SAMPLES)
                .flatMap(ofPlace -> ofPlace.stream()
                        .filter(hit -> hit.activity().isWaitOfServer())
                        .collect(Collectors.groupingBy(Hit::cause))
                        .entrySet()
                        .stream()
                        .map(e -> new Suspect(
                                Suspect.Kind.WAIT,
                                e.getKey().words(),
                                any.start,
                                any.start + any.nanos() / 1e9,
                                sampledSeconds(ofPlace) * weight(e.getValue()) / weight(ofPlace))))
                .max(Comparator.comparingDouble(Suspect::seconds))
                .stream();
    }

    /**
     * What a long operation probably waited for, by samples of several operations of the same kind that lasted between half and twice as
     * long: it has too few samples of its own. Empty if they waited for different things, or if a server could not be sampled meanwhile.
     *
     * @param operation its number
     * @param from its start, in seconds since the start of the measurement, as its end
     */
    static Optional<Suspect> waitOfOthers(List<Hit> samples, int operation, double from, double to) {
        double nanos = 1e9 * (to - from);
        List<Hit> alike = samples.stream()
                .filter(hit -> hit.operation.operation() == operation && hit.place.isEmpty())
                .filter(hit -> hit.nanos() <= 2 * nanos && 2 * hit.nanos() >= nanos)
                .toList();
        long operations = TimeShares.operations(alike);
        if (operations < TimeShares.MIN_OPERATIONS || SamplingGaps.of(samples).meet(from, to)) {
            return Optional.empty();
        }
        return alike.stream()
                .filter(hit -> hit.activity().isWaitOfServer())
                .collect(Collectors.groupingBy(Hit::cause))
                .entrySet()
                .stream()
                .map(e -> new Suspect(
                        Suspect.Kind.WAIT,
                        e.getKey().words(),
                        from,
                        to,
                        (to - from) * weight(e.getValue()) / weight(alike)))
                .filter(wait -> Share.of(wait.seconds() / (to - from), 0, (double) operations)
                                .low()
                        >= LongTimes.MIN_SHARE)
                .findFirst();
    }

    private static double weight(List<Hit> hits) {
        return hits.stream().mapToDouble(Hit::weight).sum();
    }

    /**
     * How long samples of a server cover an operation: each stands for the usual time between them. A frozen server is not sampled, and
     * what it did before is not what the operation waited for.
     *
     * @param hits at least {@value #MIN_SAMPLES}, of one operation and server
     */
    private static double sampledSeconds(List<Hit> hits) {
        double[] times = hits.stream().mapToDouble(Hit::seconds).sorted().toArray();
        double[] gaps = IntStream.range(1, times.length)
                .mapToDouble(i -> times[i] - times[i - 1])
                .sorted()
                .toArray();
        return Math.min(hits.get(0).nanos() / 1e9, (times.length + 1) * gaps[(gaps.length - 1) / 2]);
    }

    /** The name that {@link OperationWaits} has for the server's wait event; null: the session does not wait. */
    public static String waits(@Nullable String type, @Nullable String event) {
        if (event == null) {
            return OperationWaits.CPU;
        }
        return "Client".equals(type) ? OperationWaits.CLIENT : type + ":" + event;
    }

    private final List<Hit> hits;
    private final Set<String> noCauses;
    private final boolean isCpuFull;
    private final @Nullable String time;
    private final SamplingGaps gaps;
    private final List<Profile> profiles = new ArrayList<>();
    private final List<Remark> causes = new ArrayList<>();
    private long slowSampled;

    /**
     * @param hits the samples of all servers
     * @param isCpuFull whether a machine's CPU was full, so that sessions and clients waited for their turn
     * @param isOpen whether reports show response times, which include the wait for a client
     */
    public SlowOperations(List<Hit> hits, boolean isCpuFull, boolean isOpen) {
        this.hits = hits;
        this.noCauses = OperationWaits.noCauses(isCpuFull);
        this.isCpuFull = isCpuFull;
        this.time = isOpen ? "total time (without the wait for a client)" : null;
        this.gaps = SamplingGaps.of(hits);
    }

    /** Adds an operation with its number, name and durations. */
    public void add(int number, String name, LatencyHistogram times) {
        List<Hit> own =
                hits.stream().filter(hit -> hit.operation.operation() == number).toList();
        if (own.isEmpty() || times.count() < Latency.MIN_FOR_P99) {
            return; // none of them would be beyond the p99
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
    private Sampled group(List<Hit> all, Predicate<Hit> isDelayed, LatencyHistogram times, double above, double upTo) {
        Predicate<Double> isIn = micros -> micros > above && micros <= upTo;
        List<Hit> own = new ArrayList<>();
        Map<RunningOperation, Hit> leftOut = new HashMap<>();
        for (Hit hit : all) {
            if (isIn.test(hit.nanos() / 1e3)) {
                if (isDelayed.test(hit)) {
                    leftOut.put(hit.operation, hit);
                } else {
                    own.add(hit);
                }
            }
        }
        own.forEach(hit -> leftOut.remove(hit.operation));
        Map<Integer, Double> secondsOfClass = new HashMap<>();
        long[] count = {0};
        double[] seconds = {0};
        times.forEachBucket((nanos, n) -> {
            if (isIn.test(nanos / 1e3)) {
                count[0] += n;
                seconds[0] += n * (nanos / 1e9);
                secondsOfClass.merge(TimeShares.durationClass(nanos), n * (nanos / 1e9), Double::sum);
            }
        });
        leftOut.values()
                .forEach(hit -> secondsOfClass.computeIfPresent(
                        TimeShares.durationClass(hit.nanos()), (k, time) -> Math.max(0, time - hit.nanos() / 1e9)));
        TimeShares shares = new TimeShares(own, secondsOfClass, gaps);
        Map<Activity, Share> during = shares.during();
        Group group = new Group(
                count[0],
                seconds[0],
                TimeShares.operations(own),
                own.size(),
                labelled(shares.waits(Hit::activity)),
                labelled(during));
        return new Sampled(group, shares.waits(Hit::cause), during, own, shares.effective());
    }

    private static Map<String, Share> labelled(Map<Activity, Share> shares) {
        Map<String, Share> labelled = new LinkedHashMap<>();
        shares.forEach((what, share) -> labelled.put(what.label(), share));
        return labelled;
    }

    private void waitOf(String name, Sampled slow, Sampled usual) {
        slow.causes.entrySet().stream()
                .filter(e -> !noCauses.contains(e.getKey().name()))
                .filter(e -> isOfExcess(e.getValue(), usual.atMost(e.getKey()), slow, usual)
                        && (!WORDS.containsKey(e.getKey().name())
                                || (usual.isSampled() && e.getValue().isApart(usual.atMost(e.getKey()), MIN_APART))))
                .max(Comparator.comparingDouble(
                        e -> e.getValue().share() - usual.atMost(e.getKey()).share()))
                .map(Map.Entry::getKey)
                .ifPresent(cause -> causes.add(cause.code()
                        .with("time", time)
                        .with("operation", name)
                        .with("operations", slow.group.operations())
                        .with("millis", 1e3 * slow.meanSeconds())
                        .with("usualMillis", 1e3 * usual.meanSeconds())
                        .with("slow", SlowOperationWords.ofSlow(slow, cause, usual))
                        .with("usual", SlowOperationWords.ofUsual(usual))
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

    private void during(String name, Sampled slow, Sampled usual) {
        double usualEvents = TimeShares.events(usual.hits);
        if (TimeShares.events(slow.hits) < MIN_EVENTS) {
            return;
        }
        slow.during.forEach((what, share) -> {
            Share other =
                    usual.during.getOrDefault(what, Share.of(0, 0, usualEvents)).plus(usual.notSampled());
            if (share.isApart(other, MIN_APART)) {
                causes.add(RemarkCode.SLOW_DURING
                        .with("time", time)
                        .with("operation", name)
                        .with("percent", 100 * share.share())
                        .with("low", 100 * share.low())
                        .with("high", 100 * share.high())
                        .with("what", what.label())
                        .with("periods", SlowOperationWords.periods(what, hits))
                        .with("usualPercent", 100 * other.share())
                        .remark());
            }
        });
    }

    /**
     * @param seconds the length of the measurement
     * @param isExplained whether another remark says why operations were slow
     */
    public OperationWaits result(double seconds, Sampling sampling, boolean isExplained) {
        List<Remark> found = causes.isEmpty() && slowSampled > 0 && !isExplained && !isCpuFull
                ? List.of(RemarkCode.SLOW_UNEXPLAINED
                        .with("time", time)
                        .with("sampled", slowSampled)
                        .remark())
                : causes;
        return new OperationWaits(found, profiles, blockers(), overTime(seconds, sampling), sampling);
    }

    private List<Blocker> blockers() {
        Map<Blocker, Blocker> sums = new HashMap<>();
        hits.stream()
                .filter(hit -> Activity.isLock(hit.waits))
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
                overTime(slots, slot, own -> own.waits(Hit::activity)),
                overTime(slots, slot, TimeShares::during));
    }

    /** The shares of each slot as numbers of samples of the clients' sessions. */
    private Map<String, List<Long>> overTime(
            int slots, double slot, Function<TimeShares, Map<Activity, Share>> sharesOf) {
        Map<String, long[]> counts = new TreeMap<>();
        hits.stream()
                .collect(Collectors.groupingBy(hit -> (int) Math.max(0, Math.min(slots - 1, hit.seconds / slot))))
                .forEach((at, own) -> {
                    long samples = own.stream().filter(h -> h.place.isEmpty()).count();
                    sharesOf.apply(new TimeShares(own, Map.of(), SamplingGaps.NONE))
                            .forEach((what, share) -> counts.computeIfAbsent(what.label(), n -> new long[slots])[at] =
                                    Math.round(samples * share.share()));
                });
        Map<String, List<Long>> found = new TreeMap<>();
        counts.forEach((name, each) ->
                found.put(name, IntStream.range(0, slots).mapToObj(i -> each[i]).toList()));
        return found;
    }
}
