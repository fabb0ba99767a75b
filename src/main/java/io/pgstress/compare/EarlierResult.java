package io.pgstress.compare;

import io.pgstress.compare.EffectJudge.Differences;
import io.pgstress.compare.statistics.Difference;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.Welch;
import io.pgstress.machine.MachineProfile;
import io.pgstress.measure.Phase;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.result.Comparison;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Sum;
import io.pgstress.text.Records;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An earlier result to compare with: the intervals of a run, or the blocks of a comparison's baseline. Immutable.
 *
 * @param variant its name in reports
 * @param figures figures by metric, one per interval or block
 * @param clients 0: unknown, or not the same for all variants of a comparison
 * @param threadKind the kind of threads its clients ran on; null: unknown
 * @param reasons why it is not valid; empty if it is
 * @param circumstances the machines and software it was measured with
 */
public record EarlierResult(
        Comparison.Variant variant,
        Map<String, List<Double>> figures,
        int clients,
        @Nullable String threadKind,
        List<Remark> reasons,
        Circumstances circumstances) {
    private static final int MIN = 5;

    /** Minimum share of the nominal length for a block to count as whole. */
    private static final double WHOLE = 0.999;

    /**
     * Reads an earlier result.
     *
     * @param blockSeconds length of the blocks to compare with; intervals of a run are merged to this length
     * @throws IllegalArgumentException if the result is not suitable for a comparison
     */
    public static EarlierResult of(Result finding, String name, double blockSeconds) {
        Map<String, List<Double>> figures = new HashMap<>();
        Comparison.Variant variant;
        int clients;
        String threadKind;
        if (finding instanceof Comparison c) {
            variant = ofComparison(c, name, figures);
            boolean haveSameClients = !varies(c, "clients");
            clients = haveSameClients ? c.run().workload().clients() : 0;
            // the kind of the first variant; other variants may have used another
            threadKind =
                    haveSameClients && !varies(c, "client-threads") ? c.client().threadKind() : null;
        } else if (finding instanceof RunResult r) {
            variant = ofRun(r, name, blockSeconds, figures);
            clients = r.clients();
            threadKind = r.client().threadKind();
        } else {
            throw new IllegalArgumentException("is neither a run nor a comparison");
        }
        List<Double> all = figures.getOrDefault(Metrics.PRIMARY, List.of());
        List<Double> known = all.stream().filter(Double::isFinite).toList();
        if (known.size() < MIN) {
            throw new IllegalArgumentException("has only " + known.size() + " "
                    + (finding instanceof RunResult run ? periods(run, blockSeconds) : "blocks")
                    + " with any success: at least " + MIN + " are needed to compare with");
        }
        if (known.size() < BlockPairs.MIN_KNOWN * all.size()) {
            throw new IllegalArgumentException(
                    "had no success in more than a tenth of its time, so there is no rate to compare with");
        }
        figures.put(Metrics.PRIMARY, known);
        return new EarlierResult(variant, figures, clients, threadKind, finding.reasons(), Circumstances.of(finding));
    }

    private static boolean varies(Comparison c, String option) {
        return c.variants().stream().anyMatch(v -> v.options().containsKey(option));
    }

    private static Comparison.Variant ofComparison(Comparison c, String name, Map<String, List<Double>> figures) {
        for (Comparison.Block block : c.blocks()) {
            if (block.variant().equals(c.baseline())) {
                add(figures, Metrics.PRIMARY, block.opsPerSecond());
                add(figures, Metrics.PRIMARY_OF_OPEN, Objects.requireNonNullElse(block.meanMicros(), 0.0));
                add(figures, "p50", block.p50Micros());
                add(figures, "p99", block.p99Micros());
            }
        }
        Comparison.Variant baseline = c.variants().get(0);
        return Records.with(baseline, "name", name);
    }

    private static Comparison.Variant ofRun(
            RunResult r, String name, double blockSeconds, Map<String, List<Double>> figures) {
        List<IntervalResult> measured =
                r.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
        List<IntervalResult> block = new ArrayList<>();
        for (IntervalResult interval : measured) {
            block.add(interval);
            if (seconds(block) >= blockSeconds * WHOLE) {
                addBlock(r, block, figures);
                block.clear();
            }
        }
        double ops = measured.isEmpty() ? 0 : ok(measured) / seconds(measured);
        VariantTotals tally = VariantTotals.NONE.plus(r, 1);
        return new Comparison.Variant(
                name,
                Map.of(),
                1,
                ops,
                r.operations(),
                Fact.toResults(VariantFacts.of(tally)),
                tally.medianMachines().each(MachineProfile::load).all(),
                tally.bottleneck());
    }

    /** The periods of a run: whole intervals, together at least as long as a block. */
    private static String periods(RunResult run, double blockSeconds) {
        double interval = run.intervals().isEmpty() ? 0 : run.intervals().get(0).seconds();
        double period = interval == 0 ? blockSeconds : interval * Math.ceil(WHOLE * blockSeconds / interval);
        return Rounded.format("periods of %.1f s", period)
                + Rounded.format(" (its intervals are %.1f s long, the blocks %.1f s)", interval, blockSeconds);
    }

    private static double seconds(List<IntervalResult> intervals) {
        return intervals.stream().mapToDouble(IntervalResult::seconds).sum();
    }

    private static double ok(List<IntervalResult> intervals) {
        return intervals.stream().mapToLong(i -> i.counts().ok()).sum();
    }

    private static void addBlock(RunResult r, List<IntervalResult> block, Map<String, List<Double>> figures) {
        Latency response = Sum.latency(block.stream().map(i -> i.times().responseMicros()));
        Latency latency = response != null
                ? response
                : Sum.latency(block.stream().map(i -> i.times().totalMicros()));
        double counted = ok(block) / seconds(block);
        add(figures, Metrics.PRIMARY, BlockRate.of(r, counted, response == null ? latency : null));
        if (latency != null) {
            Map<String, Double> times = new HashMap<>();
            Metrics.addTimes(latency, times);
            times.forEach((metric, value) -> add(figures, metric, value));
        }
    }

    /**
     * The limits for which it has no figures.
     *
     * @return one sentence per limit
     */
    public List<String> unanswered(List<Limit> limits) {
        List<String> known =
                Limit.METRICS.stream().filter(this::isKnown).map(Limit::shown).toList();
        return limits.stream()
                .filter(l -> !isKnown(l.metric()))
                .map(l -> l.text() + ": the earlier result has only " + String.join(", ", known))
                .toList();
    }

    /** A result that is not valid cannot be compared with. */
    Optional<Remark> reason() {
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(RemarkCode.EARLIER_NOT_VALID
                        .with("reasons", Remark.codes(reasons))
                        .remark());
    }

    /** The result of another load cannot be compared with either. */
    Optional<Remark> otherLoad(RunResult now) {
        List<String> differences = Circumstances.of(now).loadDifferences(circumstances);
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of(RemarkCode.EARLIER_OTHER_LOAD
                        .with("differences", String.join("; ", differences))
                        .remark());
    }

    /** A warning if a variant runs with another number of clients. */
    Optional<Remark> warning(String name, int itsClients) {
        return clients == 0 || clients == itsClients
                ? Optional.empty()
                : Optional.of(RemarkCode.EARLIER_CLIENTS
                        .with("earlier", clients)
                        .with("variant", name)
                        .with("clients", itsClients)
                        .remark());
    }

    /**
     * A warning that lists what else is different: machines, server, settings, software.
     *
     * @param requested settings that differ on purpose, in lower case
     */
    Optional<Remark> warning(RunResult now, Set<String> requested) {
        List<String> differences = Circumstances.of(now).differences(circumstances, requested);
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of(RemarkCode.EARLIER_CIRCUMSTANCES
                        .with("differences", String.join("; ", differences))
                        .remark());
    }

    private boolean isKnown(String metric) {
        return figures.getOrDefault(Metrics.ofLimit(metric), List.of()).size() >= MIN;
    }

    private static void add(Map<String, List<Double>> figures, String metric, double value) {
        if (value > 0 || metric.equals(Metrics.PRIMARY)) { // a block without success counts, as -Infinity
            figures.computeIfAbsent(metric, m -> new ArrayList<>()).add(Math.log(value));
        }
    }

    String name() {
        return variant.name();
    }

    /** The new blocks compared with the earlier figures. */
    Differences against(List<MeasuredBlock> blocks) {
        return (name, metric) -> {
            List<Double> then = figures.getOrDefault(metric, List.of());
            int rounds =
                    (int) blocks.stream().filter(b -> b.variant().equals(name)).count();
            List<Double> now = blocks.stream()
                    .filter(b -> b.variant().equals(name))
                    .map(b -> b.metrics().get(metric))
                    .filter(java.util.Objects::nonNull)
                    .map(Math::log)
                    .toList();
            return then.size() < MIN || now.size() < Math.max(2, BlockPairs.MIN_KNOWN * rounds)
                    ? Optional.<Difference>empty()
                    : Optional.of(new Welch(Sample.of(now), Sample.of(then)));
        };
    }
}
