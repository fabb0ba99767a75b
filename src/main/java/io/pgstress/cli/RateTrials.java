package io.pgstress.cli;

import io.pgstress.compare.LimitSearch;
import io.pgstress.compare.Trial;
import io.pgstress.compare.Trial.Batch;
import io.pgstress.compare.Trial.Stage;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.plan.RateLimit;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.text.Records;
import io.pgstress.text.Rounded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Runs the trials of a search for the highest rate. Belongs to one thread. */
final class RateTrials implements LimitSearch.Steps {
    /** The closed loop is measured for as long as two trials, and at most for this time. */
    private static final Duration LONGEST_CLOSED = Duration.ofSeconds(2);

    /** Reasons why a rate is too high, although its operations were fast enough. */
    private static final Set<RemarkCode> FELL_BEHIND =
            EnumSet.of(RemarkCode.OVERLOAD, RemarkCode.BEHIND_AFTER_OUTAGE, RemarkCode.IN_FLIGHT);

    private final CommandSession session;
    private final RunSpec first;
    private final RunsLine runs;
    private final List<RateLimit> limits;
    private final Consumer<String> progress;
    private final List<RunResult> results = new ArrayList<>();

    /** @param first the run; each trial changes its rate and its length */
    RateTrials(
            CommandSession session, RunSpec first, RunsLine runs, List<RateLimit> limits, Consumer<String> progress) {
        this.session = session;
        this.first = first;
        this.runs = runs;
        this.limits = limits;
        this.progress = progress;
    }

    RunSpec first() {
        return first;
    }

    /** The results of the trials, in their order. */
    List<RunResult> results() {
        return results;
    }

    @Override
    public double capacity() throws InterruptedException {
        Duration trials = first.phases().measure().multipliedBy(2);
        Duration length = trials.compareTo(LONGEST_CLOSED) < 0 ? trials : LONGEST_CLOSED;
        double perSecond = runs.run("closed loop", prepared(spec -> spec.withClosedLoop(length)))
                .total()
                .opsPerSecond();
        progress.accept(Rounded.format("closed loop: %,.0f ops/s", perSecond));
        return perSecond;
    }

    @Override
    public Trial measure(
            double rate, Stage stage, double seconds, Predicate<List<List<Batch>>> isHopeless, double secondsAfter)
            throws InterruptedException {
        List<List<Batch>> soFar = new ArrayList<>();
        limits.forEach(limit -> soFar.add(new ArrayList<>()));
        Duration length = Duration.ofMillis(Math.round(seconds * 1000));
        long seed = (first.seed() + results.size()) % RunOptions.MAX_SEED; // else trials would share their arrivals
        PreparedRun run = prepared(spec -> spec.withRate(rate, length, seed));
        RunResult result = runs.run(Figures.rate(rate) + "/s", run, (phase, interval) -> {
            if (phase == Phase.MEASURE) {
                IntervalResult now = interval.get();
                for (int i = 0; i < limits.size(); i++) {
                    soFar.get(i).add(batch(limits.get(i), now, Double.MAX_VALUE));
                }
                if (isHopeless.test(soFar)) {
                    runs.runs().endMeasurement(StopCause.LIMIT_BROKEN);
                }
            }
        });
        results.add(result);
        Trial trial = trial(rate, stage, seconds, result);
        Latency response = trial.response();
        progress.accept(Rounded.format(
                "%,.1f ops/s: p99 %.2f ms, limit %s, about %.0f s left",
                rate,
                response == null ? 0 : response.p99() / 1e3,
                trial.holds(limits) ? "kept" : "broken",
                secondsAfter));
        return trial;
    }

    /** The table is that of the first run, so that it is read once. */
    private PreparedRun prepared(UnaryOperator<RunSpec> change) throws InterruptedException {
        PreparedRun run = prepareStep(session, first);
        return Records.with(run, "spec", change.apply(run.spec()));
    }

    private Trial trial(double rate, Stage stage, double seconds, RunResult result) {
        List<IntervalResult> all = result.intervals();
        // what the warm-up did not begin is dropped, so that the queue has to fill again
        List<IntervalResult> used = all.size() > 4 ? all.subList(1, all.size()) : all;
        LatencyHistogram response = new LatencyHistogram();
        used.stream().filter(i -> i.times().responseMicros() != null).forEach(i -> response.add(times(i)));
        List<List<Batch>> batches = new ArrayList<>();
        for (RateLimit limit : limits) {
            double slow = response.micros(100 * (1 - Trial.slowShare(limit)));
            batches.add(used.stream()
                    .filter(i -> i.in(Phase.MEASURE))
                    .map(i -> batch(limit, i, slow))
                    .collect(ArrayList::new, ArrayList::add, ArrayList::addAll));
            List<Batch> own = batches.get(batches.size() - 1);
            used.stream().filter(i -> !i.in(Phase.MEASURE) && !own.isEmpty()).forEach(drain -> {
                int last = own.size() - 1; // its operations began in the measurement
                own.set(last, own.get(last).plus(batch(limit, drain, slow)));
            });
        }
        boolean isWhole = result.run().measuredSeconds() > 0.99 * seconds;
        return new Trial(
                rate,
                stage,
                seconds,
                result.total().opsPerSecond(),
                response.count() == 0 ? null : Latency.of(response),
                result.total().failed(),
                result.reasons().stream().noneMatch(r -> FELL_BEHIND.contains(r.code())),
                isWhole,
                batches);
    }

    private static LatencyHistogram times(IntervalResult interval) {
        Latency response = interval.times().responseMicros();
        return response == null ? new LatencyHistogram() : response.decoded();
    }

    private static Batch batch(RateLimit limit, IntervalResult interval, double slowMicros) {
        if (limit.micros() == 0) {
            long ended = interval.counts().ok()
                    + interval.counts().failed()
                    + interval.counts().misses()
                    + interval.counts().duplicates();
            return new Batch(ended, interval.counts().failed(), 0);
        }
        long[] beyond = new long[2];
        LatencyHistogram times = times(interval);
        times.forEachBucket((nanos, count) -> {
            beyond[0] += nanos > limit.micros() * 1e3 ? count : 0;
            beyond[1] += nanos > slowMicros * 1e3 ? count : 0;
        });
        return new Batch(times.count(), beyond[0], beyond[1]);
    }

    /** Prepares a run of a search. A signal ends the search, so that what was measured before is reported. */
    static PreparedRun prepareStep(CommandSession session, RunSpec spec) throws InterruptedException {
        try {
            return session.prepareLoad(spec);
        } catch (InterruptedCommandException e) {
            throw new InterruptedException("stopped");
        }
    }
}
