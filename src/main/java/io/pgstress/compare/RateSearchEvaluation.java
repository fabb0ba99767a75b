package io.pgstress.compare;

import io.pgstress.compare.LimitSearch.Found;
import io.pgstress.compare.Trial.Batch;
import io.pgstress.compare.Trial.Stage;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.plan.RateLimit;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Percent;
import io.pgstress.result.Latency;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateSearch.BeyondLimit;
import io.pgstress.result.RateSearch.KeptLimit;
import io.pgstress.result.RateSearch.TriedRate;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.result.Workload;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes the {@link RateSearch} from what a search found. Immutable. */
public final class RateSearchEvaluation {
    /** Expected of rates that are too high, and of trials that end early. */
    private static final Set<RemarkCode> EXPECTED = EnumSet.of(
            RemarkCode.ENDED_EARLY,
            RemarkCode.STOPPED_EARLY,
            RemarkCode.OVERLOAD,
            RemarkCode.IN_FLIGHT,
            RemarkCode.FEW_INTERVALS);

    /** What shows that the load generator, and not the server, is the limit. */
    private static final Set<RemarkCode> OF_GENERATOR = EnumSet.of(
            RemarkCode.CLIENT_CPU,
            RemarkCode.GENERATOR_CEILING,
            RemarkCode.CLIENT_HOST_FULL,
            RemarkCode.CLIENT_HOST_FILLED,
            RemarkCode.CLIENT_WAITS,
            RemarkCode.CLIENT_THROTTLED,
            RemarkCode.CLIENT_STARVED,
            RemarkCode.OTHERS_STARVED_CLIENT);

    private static final Set<RemarkCode> BY_OTHERS = EnumSet.of(
            RemarkCode.OTHERS_FILLED_MACHINE, RemarkCode.OTHERS_STARVED_CLIENT, RemarkCode.CLIENT_HOST_FILLED);

    private final Found found;
    private final List<RateLimit> limits;
    private final List<RunResult> results;

    private RateSearchEvaluation(Found found, List<RateLimit> limits, List<RunResult> results) {
        this.found = found;
        this.limits = limits;
        this.results = results;
    }

    /** @param results those of the trials, in their order; at least one */
    public static RateSearch of(Found found, List<RateLimit> limits, List<RunResult> results, List<String> argv) {
        return new RateSearchEvaluation(found, limits, results).result(argv);
    }

    private RateSearch result(List<String> argv) {
        RunResult last = results.get(results.size() - 1);
        Workload workload = last.run().workload();
        Interval limit = found.limit();
        List<Trial> confirmed = confirmations(found.rate());
        List<Remark> warnings = new ArrayList<>(remarks(RunResult::warnings));
        if (isGeneratorTheLimit()) {
            warnings.add(RemarkCode.GENERATOR_IS_LIMIT.remark());
        }
        List<Remark> reasons = new ArrayList<>(remarks(RunResult::reasons));
        if (hasHeld() && !found.isConfirmed()) {
            reasons.add(0, notConfirmed(confirmed));
        }
        filledByOthers().ifPresent(reasons::add);
        return new RateSearch(
                last.header()
                        .with(last.run()
                                .ofSearch(
                                        results.get(0).run(),
                                        argv,
                                        "rate",
                                        workload.with(workload.clients(), List.of()),
                                        !found.isWhole())),
                RateSearch.KIND,
                limits.stream()
                        .map(l -> new KeptLimit(l.text(), l.micros(), l.share()))
                        .toList(),
                found.capacity(),
                found.trials().stream().map(this::tried).toList(),
                found.rate(),
                limit == null ? null : Double.valueOf(limit.low()),
                limit == null ? null : Double.valueOf(limit.high()),
                held(confirmed),
                confirmed.size(),
                found.broken(),
                verdict(confirmed),
                Validity.of(reasons, warnings, workload.accepted()));
    }

    /** Whether any trial kept the limits. */
    private boolean hasHeld() {
        return found.trials().stream().anyMatch(t -> t.holds(limits));
    }

    private List<Trial> confirmations(@Nullable Double rate) {
        return found.trials().stream()
                .filter(t -> rate != null && t.rate() == rate && t.stage() == Stage.CONFIRMATION)
                .toList();
    }

    private int held(List<Trial> trials) {
        return (int) trials.stream().filter(t -> t.holds(limits)).count();
    }

    /** The remarks on the trials of the rate that was found, each kind once. */
    private List<Remark> remarks(Function<RunResult, List<Remark>> kind) {
        Double rate = found.rate();
        List<RunResult> of = IntStream.range(0, results.size())
                .filter(i -> rate == null || found.trials().get(i).rate() == rate)
                .mapToObj(results::get)
                .toList();
        return RepeatedRemarks.ofSteps(of, kind, EXPECTED, "trials");
    }

    /** The limits of a search are those of the machine's other users if these filled it while the rate was kept or exceeded. */
    private Optional<Remark> filledByOthers() {
        List<RunResult> deciding = IntStream.range(0, results.size())
                .filter(i -> isDeciding(found.trials().get(i).rate()))
                .mapToObj(results::get)
                .toList();
        long filled = deciding.stream()
                .filter(r -> r.remarks().stream().anyMatch(remark -> BY_OTHERS.contains(remark.code())))
                .count();
        return filled == 0
                ? Optional.empty()
                : Optional.of(RemarkCode.OTHERS_FILLED_SEARCH
                        .with("trials", filled)
                        .with("of", deciding.size())
                        .remark());
    }

    /** Whether a trial of this rate decided: that of the rate that was found, and of the next higher one. All, if none was found. */
    private boolean isDeciding(double rate) {
        Double kept = found.rate();
        Double broken = found.broken();
        return kept == null || kept == rate || (broken != null && broken == rate);
    }

    private boolean isGeneratorTheLimit() {
        Double broken = found.broken();
        return broken != null
                && IntStream.range(0, results.size())
                        .filter(i -> found.trials().get(i).rate() == broken)
                        .mapToObj(results::get)
                        .flatMap(r -> r.remarks().stream())
                        .anyMatch(r -> OF_GENERATOR.contains(r.code()));
    }

    private TriedRate tried(Trial t) {
        return new TriedRate(
                t.rate(),
                t.stage().name().toLowerCase(Locale.ROOT),
                t.seconds(),
                t.opsPerSecond(),
                t.response() == null ? null : t.response().withoutHistogram(),
                t.errors(),
                t.keptUp(),
                t.isWhole(),
                t.holds(limits),
                IntStream.range(0, limits.size()).mapToObj(i -> beyond(t, i)).toList());
    }

    private static BeyondLimit beyond(Trial t, int limit) {
        Batch all = t.total(limit);
        Interval share = t.share(limit);
        return new BeyondLimit(
                all.operations(),
                all.beyond(),
                share == null ? null : Double.valueOf(share.low()),
                share == null ? null : Double.valueOf(share.high()));
    }

    private List<String> verdict(List<Trial> confirmed) {
        List<String> words = new ArrayList<>();
        String names = limits.stream().map(l -> l.text().replace("<", " < ")).collect(Collectors.joining(" and "));
        Double rate = found.rate();
        Double broken = found.broken();
        Interval limit = found.limit();
        if (rate == null) {
            words.add(
                    hasHeld()
                            ? "No rate was confirmed to keep " + names + "."
                            : "No rate keeps " + names + lowest() + ".");
        } else {
            String held = confirmed.isEmpty()
                    ? "not confirmed"
                    : "kept in " + held(confirmed) + " of " + confirmed.size() + " runs";
            words.add(rate(rate) + " ops/s keep " + names + " (" + held
                    + (limit == null
                            ? ""
                            : ", limit between " + rate(limit.low()) + " and " + rate(limit.high()) + " ops/s")
                    + ")"
                    + (broken == null ? higher(rate) : "; at " + rate(broken) + " ops/s " + figure(broken))
                    + ".");
        }
        if (!found.isWhole()) {
            words.add("The search " + (found.failure() == null ? "was interrupted" : "failed") + " after "
                    + found.trials().size() + " trials.");
        }
        return words;
    }

    /** What is known of higher rates than the one that was found, if none is known to break a limit. */
    private String higher(double rate) {
        double highest = found.trials().stream().mapToDouble(Trial::rate).max().orElse(rate);
        return highest > rate
                ? "; whether higher ones do was tried up to " + rate(highest) + " ops/s, and is not clear"
                : "; no higher rate was tried";
    }

    /** Names the trials that disagree, or else how few there were. */
    private Remark notConfirmed(List<Trial> confirmed) {
        Double rate = found.rate();
        if (rate == null) {
            return RemarkCode.NO_RATE_CONFIRMED
                    .with("broke", found.trials().size() - held(found.trials()))
                    .with("of", found.trials().size())
                    .remark();
        }
        List<Trial> under = found.trials().stream()
                .filter(t -> t.stage() != Stage.BRACKETING && t.rate() <= rate)
                .toList();
        int broke = under.size() - held(under);
        boolean isRefuted = broke > LimitSearch.MAX_BROKEN_BELOW;
        return RemarkCode.RATE_NOT_CONFIRMED
                .with("broke", isRefuted ? broke : null)
                .with("of", under.size())
                .with("trials", isRefuted ? null : confirmed.size())
                .remark();
    }

    private static String rate(double rate) {
        return Rounded.format(rate < 100 ? "%,.1f" : "%,.0f", rate);
    }

    private String lowest() {
        return found.trials().stream()
                .min(Comparator.comparingDouble(Trial::rate))
                .map(t -> "; at " + rate(t.rate()) + " ops/s " + figure(t.rate()))
                .orElse("");
    }

    /** The figure of the limit that breaks first, at this rate. */
    private String figure(double rate) {
        List<Trial> all = found.trials().stream()
                .filter(t -> t.rate() == rate && !t.holds(limits))
                .toList();
        RateLimit limit = limits.get(found.binding());
        if (all.stream().allMatch(t -> t.keeps(found.binding(), limit))) {
            return "the backlog grew";
        }
        if (limit.micros() == 0) {
            Batch sum = all.stream().map(t -> t.total(found.binding())).reduce(new Batch(0, 0, 0), Batch::plus);
            return Percent.text(sum.share()) + " of the operations failed";
        }
        List<Latency> times = all.stream()
                .filter(t -> t.response() != null)
                .map(Trial::response)
                .toList();
        return times.isEmpty()
                ? "no operation succeeded"
                : limit.metric() + " was "
                        + Durations.text(times.stream()
                                .mapToDouble(l -> l.figure(limit.metric()))
                                .sorted()
                                .toArray()[times.size() / 2]);
    }
}
