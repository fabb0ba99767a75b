package io.pgstress.verdict;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether servers were available during the measurement. A period without successes is an outage of a server if its checks
 * were unanswered. If they were answered and connections failed, these broke. Otherwise it may be a stall of the system itself, which
 * counts in the figures if short.
 */
final class Availability {
    private static final double MAX_IDLE = 0.1;
    private static final double MIN_IDLE_SECONDS = 1;

    /** Fewer failures beside an outage, of all operations, are worth no remark of their own. */
    private static final double MAX_FAILED_BESIDE = 0.001;

    /** The clocks of several hosts differ by less, and the ends of outages are known to the millisecond. */
    private static final double CLOCK_SECONDS = 0.1;

    /** What a server says while it starts or after a crash, so that it was not available: crash_shutdown, cannot_connect_now. */
    private static final Set<String> OWN_WORDS = Set.of("57P02", "57P03");

    /** What the driver says of a connection that ended without a word of the server. */
    private static final String CONNECTION_FAILURE = "08006";

    /**
     * By what a server refuses sessions, or what says why it cannot work: invalid authorization, no such database, corrupted data or
     * indexes, insufficient resources (such as a full disk, or too many connections), system errors.
     */
    private static final Pattern TROUBLES = Pattern.compile("28000|28P01|3D000|XX00[12]|53...|58...");

    /** Times of outages are rounded to it. */
    private static final double MILLISECOND = 0.001;

    private Availability() {}

    /**
     * What an outage is, apart from its times. Several outages of one cause are one remark.
     *
     * @param server that failed
     * @param other the server that reported it, or that took over; empty: none
     */
    private record Cause(RemarkCode code, String server, String other) {}

    /** A time without success: several nodes may have had the same outage. */
    private record Period(double from, double to) {
        /** The times of these outages, in order, those that overlap as one. */
        static List<Period> of(List<Outage> outages) {
            List<Period> periods = new ArrayList<>();
            outages.stream()
                    .sorted(Comparator.comparingDouble(Outage::fromSeconds))
                    .forEach(outage -> {
                        int last = periods.size() - 1;
                        if (last >= 0 && outage.fromSeconds() <= periods.get(last).to) {
                            double to = Math.max(periods.get(last).to, outage.toSeconds());
                            periods.set(last, new Period(periods.get(last).from, to));
                        } else {
                            periods.add(new Period(outage.fromSeconds(), outage.toSeconds()));
                        }
                    });
            return periods;
        }
    }

    /**
     * Reports unavailable servers.
     *
     * @param known what else is known of the run's sessions
     */
    static void unavailable(RunResult result, List<Remark> known, Remarks remarks) {
        Map<Cause, List<Outage>> byCause = new LinkedHashMap<>();
        outages(result)
                .forEach(outage -> cause(result, outage)
                        .ifPresent(cause -> byCause.computeIfAbsent(cause, c -> new ArrayList<>())
                                .add(outage)));
        byCause.forEach((cause, ofCause) -> remarks.add(remark(result, known, cause, ofCause)));
    }

    /**
     * The outages that {@link #unavailable} does not report. If the client's own threads stalled, the remarks on long operations say so
     * instead. An outage of a node within one of all nodes is the same. */
    static List<Outage> unexplained(RunResult result) {
        List<Outage> all = outages(result);
        return all.stream()
                .filter(outage ->
                        !outage.clientStalled() && cause(result, outage).isEmpty())
                .filter(outage -> outage.node() == null
                        || all.stream().noneMatch(other -> other.node() == null && isWithin(other, outage)))
                .toList();
    }

    private static boolean isWithin(Outage whole, Outage part) {
        return isWithin(whole, part.fromSeconds()) && isWithin(whole, part.toSeconds());
    }

    /**
     * Whether a finding about successes, failures, unfinished operations or checkpoints would not be there without the times in which a server was lost, which is a reason of
     * its own.
     */
    static boolean isOnlyOfLostServers(Remark remark, RunFigures run) {
        RemarkCode finding = remark.code();
        RunResult result = run.result();
        List<Outage> lost = result.load().outages().stream()
                .filter(outage -> outage.silent()
                        || cause(result, outage)
                                .filter(cause -> cause.code.severity() == RemarkCode.Severity.NOT_VALID)
                                .isPresent())
                .toList();
        if (finding == RemarkCode.MOSTLY_IDLE) {
            double rest = secondsWithoutSuccess(
                    run.seconds(),
                    outages(result).stream()
                            .filter(outage -> !lost.contains(outage))
                            .toList());
            return !isLong(rest, run.seconds());
        }
        if (finding == RemarkCode.CHECKPOINT) {
            return areOfRestarts(remark, lost, result);
        }
        if (finding == RemarkCode.UNFINISHED || finding == RemarkCode.P99_IS_LOWER_BOUND) {
            return lost.stream().anyMatch(outage -> hasNoEnd(outage, run.seconds()));
        }
        List<IntervalResult> others = result.intervals().stream()
                .filter(interval ->
                        lost.stream().noneMatch(outage -> outage.affects(interval) || isDrainAfter(outage, interval)))
                .toList();
        long failed = others.stream().mapToLong(i -> i.counts().failed()).sum();
        long ended = others.stream().mapToLong(RunFigures::ended).sum();
        return !lost.isEmpty() && failed <= MAX_FAILED_BESIDE * ended;
    }

    /** Whether a server made no more checkpoints than it was lost: each shutdown, or the recovery from a crash, makes one. */
    private static boolean areOfRestarts(Remark checkpoints, List<Outage> lost, RunResult result) {
        Object server = checkpoints.figures().get("server");
        long restarts = lost.stream()
                .filter(outage -> result.servers().size() <= 1
                        || Objects.equals(server, outage.node())
                        || outage.silentServers().stream().anyMatch(name -> name.equals(server)))
                .count();
        return checkpoints.figures().get("checkpoints") instanceof Number made && made.longValue() <= restarts;
    }

    /** Whether a run would not be called idle without the outages in which misses were answered, and nothing else. */
    static boolean isIdleByMisses(RunFigures run) {
        RunResult result = run.result();
        List<Outage> others = outages(result).stream()
                .filter(outage -> !hasOnlyMisses(result, outage))
                .toList();
        return !isLong(secondsWithoutSuccess(run.seconds(), others), run.seconds());
    }

    /** By the intervals that are within the outage as a whole: those at its ends tell what was answered before or after it. */
    private static boolean hasOnlyMisses(RunResult result, Outage outage) {
        List<Counts> whole = during(result, outage)
                .map(IntervalResult::counts)
                .filter(counts -> counts.ok() == 0)
                .toList();
        return !whole.isEmpty()
                && whole.stream().allMatch(counts -> counts.misses() + counts.duplicates() > 0 && counts.failed() == 0);
    }

    /** Whether no operation was answered after an outage, not even in the drain: then it ends with the measurement. */
    static boolean hasNoEnd(Outage outage, double seconds) {
        return Math.abs(outage.toSeconds() - seconds) <= CLOCK_SECONDS;
    }

    /** Whether an outage lasted to the end of the measurement, so that the server was still lost in the drain. */
    private static boolean isDrainAfter(Outage outage, IntervalResult interval) {
        return interval.in(Phase.DRAIN) && outage.toSeconds() >= interval.atSeconds() - CLOCK_SECONDS;
    }

    private static Remark remark(RunResult result, List<Remark> known, Cause cause, List<Outage> outages) {
        Set<String> evidence = new TreeSet<>();
        for (Outage outage : outages) {
            evidence.addAll(brokenSessions(result, outage));
            evidence.addAll(troubles(result, outage));
            evidence.addAll(remoteErrors(result, outage).keySet());
        }
        List<String> found = new ArrayList<>(evidence);
        if (outages.stream().anyMatch(outage -> !outage.silentServers().isEmpty())) {
            found.add("health checks unanswered");
        }
        String words = String.join(", ", found);
        return switch (cause.code) {
            case REMOTE_SERVER_LOST ->
                during(
                        RemarkCode.REMOTE_SERVER_LOST
                                .with("server", cause.server)
                                .with("coordinator", cause.other),
                        outages,
                        words);
            case FAILOVER ->
                during(RemarkCode.FAILOVER.with("server", cause.server).with("successor", cause.other), outages, words);
            case SERVER_UNAVAILABLE ->
                during(
                        RemarkCode.SERVER_UNAVAILABLE
                                .with("server", cause.server)
                                .with(
                                        "answeredAtSeconds", // of several outages, it would be that of any
                                        outages.size() == 1 ? outages.get(0).answeredAtSeconds() : null),
                        outages,
                        words);
            default ->
                during(
                        RemarkCode.CONNECTIONS_BROKE
                                .with("server", cause.server)
                                .with(
                                        "socketTimeoutSeconds",
                                        evidence.equals(Set.of(CONNECTION_FAILURE)) ? socketTimeout(known) : null),
                        outages,
                        words);
        };
    }

    /** The time after which the client itself closes a connection without an answer, in seconds; null: never. */
    private static @Nullable Object socketTimeout(List<Remark> known) {
        return known.stream()
                .filter(remark -> remark.code() == RemarkCode.SOCKET_TIMEOUT)
                .findFirst()
                .map(remark -> remark.figures().get("seconds"))
                .orElse(null);
    }

    /** The remark with the time of the outages and the evidence. */
    private static Remark during(Remark.Builder remark, List<Outage> outages, String evidence) {
        List<Period> all = Period.of(outages);
        boolean isOne = all.size() == 1;
        return remark.with("fromSeconds", all.get(0).from)
                .with("toSeconds", all.get(all.size() - 1).to)
                .with("periods", isOne ? null : all.size())
                .with(
                        "seconds",
                        isOne
                                ? null
                                : all.stream().mapToDouble(p -> p.to - p.from).sum())
                .with("evidence", evidence)
                .remark();
    }

    private static Optional<Cause> cause(RunResult result, Outage outage) {
        Map<String, Set<String>> remote = remoteErrors(result, outage);
        Set<String> own = brokenSessions(result, outage);
        boolean wasDown = own.stream().anyMatch(OWN_WORDS::contains);
        List<String> silent = outage.silentServers();
        if (silent.isEmpty() && own.isEmpty() && remote.isEmpty()) {
            return Optional.empty();
        }
        String node = outage.node() == null ? "the server" : outage.node();
        Optional<Cause> failover = own.isEmpty() ? Optional.empty() : failover(result, outage);
        if (failover.isPresent()) {
            return failover;
        }
        if (!silent.isEmpty()) {
            return Optional.of(new Cause(RemarkCode.SERVER_UNAVAILABLE, String.join(" and ", silent), ""));
        }
        if (own.isEmpty()) {
            Set<String> named = new TreeSet<>();
            remote.values().forEach(named::addAll);
            return Optional.of(new Cause(
                    RemarkCode.REMOTE_SERVER_LOST,
                    named.isEmpty() ? "another server of the cluster" : String.join(" and ", named),
                    outage.node() == null ? "The coordinator" : outage.node()));
        }
        return Optional.of(new Cause(wasDown ? RemarkCode.SERVER_UNAVAILABLE : RemarkCode.CONNECTIONS_BROKE, node, ""));
    }

    /** In a failover, the server that lost all sessions in the outage and the one that took them over; empty if there was none. */
    private static Optional<Cause> failover(RunResult result, Outage outage) {
        return result.nodes().stream()
                .filter(n -> outage.node() == null || n.url().equals(outage.node()))
                .map(NodeResult::reached)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(after -> isWithin(outage, after.firstAtSeconds()))
                .flatMap(after -> Stream.ofNullable(after.predecessor())
                        .map(before -> new Cause(RemarkCode.FAILOVER, before, after.server())))
                .findFirst();
    }

    /** @param seconds null: before the load */
    private static boolean isWithin(Outage outage, @Nullable Double seconds) {
        return seconds != null
                && seconds >= outage.fromSeconds() - CLOCK_SECONDS
                && seconds <= outage.toSeconds() + CLOCK_SECONDS;
    }

    /** SQLSTATEs of errors that ended sessions during an outage; for the outage of one node, those of its operations. */
    static Set<String> brokenSessions(RunResult result, Outage outage) {
        return during(result, outage)
                .flatMap(i -> outage.node() == null
                        ? i.places().brokenSessions().values().stream().flatMap(Set::stream)
                        : i.places().brokenSessions().getOrDefault(outage.node(), Set.of()).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** SQLSTATEs that say why the server refused sessions, or could not work, during an outage. */
    private static Set<String> troubles(RunResult result, Outage outage) {
        return during(result, outage)
                .flatMap(interval -> states(interval, outage.node()).stream())
                .filter(TROUBLES.asMatchPredicate())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What servers reported of others during an outage: SQLSTATEs with the addresses that were named. */
    private static Map<String, Set<String>> remoteErrors(RunResult result, Outage outage) {
        Map<String, Set<String>> all = new TreeMap<>();
        during(result, outage).forEach(interval -> {
            Set<String> states = states(interval, outage.node());
            interval.places().remoteErrors().forEach((state, addresses) -> {
                if (states.contains(state)) {
                    all.computeIfAbsent(state, s -> new TreeSet<>()).addAll(addresses);
                }
            });
        });
        return all;
    }

    private static Stream<IntervalResult> during(RunResult result, Outage outage) {
        return result.intervals().stream().filter(outage::meets);
    }

    /** The errors in an interval; for a node (not null) of several, those of its operations. */
    private static Set<String> states(IntervalResult interval, @Nullable String url) {
        Map<String, Set<String>> byNode = interval.places().nodesErrors();
        return url == null || byNode == null ? interval.errors().keySet() : byNode.getOrDefault(url, Set.of());
    }

    /** The outages that clients noticed. */
    static List<Outage> outages(RunResult result) {
        return result.load().outages().stream().filter(o -> !o.silent()).toList();
    }

    /**
     * A run with a long idle period does not show the rate of normal operation.
     *
     * @param waits what operations waited for in an outage; empty: unknown
     */
    static void idle(RunFigures run, Function<Outage, Optional<String>> waits, Remarks remarks) {
        double seconds = run.seconds();
        double without = secondsWithoutSuccess(seconds, outages(run.result()));
        if (isLong(without, seconds)) {
            remarks.add(RemarkCode.MOSTLY_IDLE
                    .with("percent", 100 * without / seconds)
                    .with("cause", ofIdleTime(run.result(), waits).orElse(null))
                    .remark());
        }
    }

    /** What operations waited for in the longest outage, or else the most frequent error then, if most of these were in outages. */
    private static Optional<String> ofIdleTime(RunResult result, Function<Outage, Optional<String>> waits) {
        List<Outage> all =
                outages(result).stream().filter(o -> o.node() == null).toList();
        Map<String, Long> errors = new TreeMap<>();
        result.intervals().stream()
                .filter(interval -> all.stream().anyMatch(outage -> outage.meets(interval)))
                .forEach(interval -> interval.errors().forEach((state, n) -> errors.merge(state, n, Long::sum)));
        Map<String, ErrorCount> ofRun =
                OperationResult.sum(result.operations().values()).errors();
        return all.stream()
                .max(Comparator.comparingDouble(o -> o.toSeconds() - o.fromSeconds()))
                .flatMap(waits)
                .or(() -> ofRun.entrySet().stream()
                        .filter(e -> 2 * errors.getOrDefault(e.getKey(), 0L)
                                > e.getValue().count())
                        .max(Comparator.comparingLong(e -> errors.getOrDefault(e.getKey(), 0L)))
                        .map(e -> "error " + e.getKey() + ": " + e.getValue().text()));
    }

    private static boolean isLong(double without, double seconds) {
        return without >= MIN_IDLE_SECONDS && without > MAX_IDLE * seconds;
    }

    /** The time within a measurement of this length in which no server answered an operation although clients tried. */
    static double secondsWithoutSuccess(double seconds, List<Outage> outages) {
        return outages.stream()
                .filter(o -> o.node() == null)
                .mapToDouble(o -> Math.max(0, Math.min(seconds, o.toSeconds()) - o.fromSeconds()))
                .sum();
    }

    /** The same of those that last over the end of the measurement. */
    static double secondsWithoutSuccessAtEnd(double seconds, List<Outage> outages) {
        return secondsWithoutSuccess(
                seconds,
                outages.stream()
                        .filter(outage -> outage.toSeconds() >= seconds - MILLISECOND)
                        .toList());
    }
}
