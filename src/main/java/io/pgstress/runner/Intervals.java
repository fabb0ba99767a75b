package io.pgstress.runner;

import io.pgstress.measure.Cell;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.IntervalResult.Usage;
import io.pgstress.result.Latency;
import io.pgstress.result.RateStep;
import io.pgstress.target.Node;
import io.pgstress.target.driver.ServerErrors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes the results of intervals, during the run and at its end. */
final class Intervals {
    private final Timeline timeline;
    private final List<Node> nodes;
    private final IntervalExtras extras;
    private final @Nullable Schedule schedule;
    private final RunOperations operations;

    Intervals(RunContext run) {
        this.timeline = run.timeline();
        this.nodes = run.target().nodes();
        this.extras = run.extras();
        this.schedule = run.signals().schedule();
        this.operations = run.runOperations();
    }

    /** The intervals of the measurement, and the drain if any operation ended in it. */
    List<IntervalResult> all(double drainSeconds) {
        List<IntervalResult> results = new ArrayList<>();
        for (IntervalData interval : timeline.intervals(Phase.MEASURE)) {
            results.add(of(interval, length(interval)));
        }
        IntervalResult drain = of(timeline.intervals(Phase.DRAIN).get(0), drainSeconds);
        Counts counts = drain.counts();
        if (drain.times().totalMicros() != null
                || drain.times().responseMicros() != null
                || counts.failed() + counts.misses() + counts.duplicates() > 0) {
            results.add(drain);
        }
        return results;
    }

    /** The intervals of the warm-up; empty if the measurement was not reached. */
    List<IntervalResult> ofWarmup() {
        return timeline.measureStart() == Long.MAX_VALUE
                ? List.of()
                : timeline.intervals(Phase.WARMUP).stream()
                        .map(i -> of(i, length(i)))
                        .toList();
    }

    /** The steps of an open loop's target rate, as far as the measurement got; empty in a closed loop. */
    List<RateStep> rateSteps() {
        Schedule open = schedule;
        if (open == null) {
            return List.of();
        }
        Map<Integer, List<IntervalData>> bySegment = timeline.intervals(Phase.MEASURE).stream()
                .collect(Collectors.groupingBy(
                        i -> timeline.measureGrid().segmentOf(i.index()), LinkedHashMap::new, Collectors.toList()));
        return bySegment.values().stream().map(part -> step(open, part)).toList();
    }

    private RateStep step(Schedule open, List<IntervalData> part) {
        double from = timeline.measureGrid().startOf(part.get(0).index()) / 1e9;
        double seconds = part.stream().mapToDouble(this::length).sum();
        long ok = 0;
        LatencyHistogram response = new LatencyHistogram();
        for (IntervalData interval : part) {
            Cell all = interval.total();
            ok += all.completed(Outcome.OK);
            LatencyHistogram times = all.times(Time.RESPONSE);
            if (times != null) {
                response.add(times);
            }
        }
        Long backlog = extras.backlog(part.get(part.size() - 1));
        return new RateStep(
                from,
                seconds,
                open.rateAt(true, from + seconds / 2),
                ok / seconds,
                Latency.ofAny(response),
                backlog == null ? 0 : backlog,
                false);
    }

    /** The interval's length in seconds; the last one of the warm-up and of the measurement may be shorter. */
    double length(IntervalData interval) {
        boolean isWarmup = interval.phase() == Phase.WARMUP;
        IntervalGrid grid = isWarmup ? timeline.warmupGrid() : timeline.measureGrid();
        long phase = isWarmup
                ? timeline.measureStart() - timeline.origin()
                : timeline.measureEnd() - timeline.measureStart();
        long end = Math.min(grid.endOf(interval.index()), phase);
        return Math.max(1, end - grid.startOf(interval.index())) / 1e9;
    }

    IntervalResult of(IntervalData interval, double seconds) {
        Cell all = interval.total();
        IntervalExtras.Usage usage = extras.usage(interval);
        boolean isDrain = interval.phase() == Phase.DRAIN;
        double at = secondsBefore(interval);
        long ok = all.completed(Outcome.OK);
        return new IntervalResult(
                at,
                seconds,
                interval.phase().label(),
                new Counts(
                        ok,
                        all.count(Outcome.FAILED),
                        all.completed(Outcome.MISS),
                        all.completed(Outcome.DUPLICATE),
                        all.late()),
                new Rates(
                        isDrain ? 0 : ok / seconds,
                        isDrain ? null : targetRate(interval, at + seconds / 2),
                        extras.backlog(interval)),
                usage == null
                        ? Usage.UNKNOWN
                        : new Usage(usage.inMbitPerSecond(), usage.outMbitPerSecond(), usage.cpuCores()),
                new Times(
                        latency(all, Time.TOTAL),
                        latency(all, Time.ACQUIRE),
                        latency(all, Time.SERVICE),
                        latency(all, Time.RESPONSE),
                        latency(all, Time.LAG)),
                errors(all),
                byOperation(interval),
                new Places(
                        okByNode(interval),
                        extras.hostsOk(interval),
                        nodes.size() > 1 ? statesByNode(interval, (state, errors) -> true) : null,
                        statesByNode(interval, Intervals::endedSessions),
                        remoteErrors(all)));
    }

    /** Whether it is a connection error, and some sessions could not be used after it. The same SQLSTATE may leave others usable. */
    private static boolean endedSessions(String state, Cell.ErrorTally errors) {
        return ServerErrors.isConnectionState(state)
                && errors.messages().values().stream().anyMatch(message -> message.continued() < message.count());
    }

    /** What servers reported of others. If a message has no address, nothing but the loss is known. */
    private static Map<String, Set<String>> remoteErrors(Cell cell) {
        Map<String, Set<String>> found = new TreeMap<>();
        cell.errors()
                .forEach((state, errors) -> errors.messages().values().stream()
                        .filter(message -> message.continued() > 0 && ServerErrors.isConnectionState(state))
                        .forEach(message -> found.computeIfAbsent(state, s -> new TreeSet<>())
                                .addAll(ServerErrors.addressesIn(message.sample()))));
        return found;
    }

    /** Seconds from the start of the warm-up or the measurement to the start of the interval. */
    private double secondsBefore(IntervalData interval) {
        return switch (interval.phase()) {
            case WARMUP -> timeline.warmupGrid().startOf(interval.index()) / 1e9;
            case MEASURE -> timeline.measureGrid().startOf(interval.index()) / 1e9;
            default -> (timeline.measureEnd() - timeline.measureStart()) / 1e9;
        };
    }

    private @Nullable Double targetRate(IntervalData interval, double secondsInPhase) {
        if (schedule == null) {
            return null;
        }
        return schedule.rateAt(interval.phase() == Phase.MEASURE, secondsInPhase);
    }

    private static Map<String, Long> errors(Cell cell) {
        Map<String, Long> errors = new TreeMap<>();
        cell.errors().forEach((state, error) -> errors.put(state, error.count()));
        return errors;
    }

    private Map<String, OperationInterval> byOperation(IntervalData interval) {
        Map<String, OperationInterval> results = new LinkedHashMap<>();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            results.put(timeline.shapes().get(o).name(), brief(interval.operation(o), operations.rowBytes(o)));
        }
        return results;
    }

    private Map<String, Long> okByNode(IntervalData interval) {
        Map<String, Long> ok = new LinkedHashMap<>();
        for (int n = 0; n < nodes.size(); n++) {
            for (int o = 0; o < timeline.shapes().size(); o++) {
                ok.merge(nodes.get(n).url(), interval.operation(n, o).completed(Outcome.OK), Long::sum);
            }
        }
        return ok;
    }

    /** The SQLSTATEs of such errors on each node that had any. */
    private Map<String, Set<String>> statesByNode(IntervalData interval, BiPredicate<String, Cell.ErrorTally> isSuch) {
        Map<String, Set<String>> states = new LinkedHashMap<>();
        for (int n = 0; n < nodes.size(); n++) {
            String url = nodes.get(n).url();
            for (int o = 0; o < timeline.shapes().size(); o++) {
                interval.operation(n, o).errors().forEach((state, errors) -> {
                    if (isSuch.test(state, errors)) {
                        states.computeIfAbsent(url, u -> new TreeSet<>()).add(state);
                    }
                });
            }
        }
        return states;
    }

    private static OperationInterval brief(Cell cell, double rowBytes) {
        LatencyHistogram total = cell.times(Time.TOTAL);
        return new OperationInterval(
                cell.completed(Outcome.OK),
                cell.count(Outcome.FAILED),
                cell.completedRows(),
                rowBytes == 0 ? null : Long.valueOf(Math.round(cell.completedRows() * rowBytes)),
                total == null ? 0 : total.meanMicros(),
                total == null ? 0 : total.micros(99),
                errors(cell));
    }

    private static @Nullable Latency latency(Cell cell, Time time) {
        return Latency.ofAny(cell.times(time));
    }
}
