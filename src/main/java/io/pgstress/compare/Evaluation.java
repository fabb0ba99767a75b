package io.pgstress.compare;

import io.pgstress.compare.EffectJudge.Differences;
import io.pgstress.compare.Fact.Figure;
import io.pgstress.machine.MachineProfile;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes the {@link Comparison} from the measured state. Immutable. */
final class Evaluation {
    /** If the client uses more than this share of its cores, it may be the bottleneck instead of the server. */
    private static final double MAX_CPU = 0.7;

    private final Scenario scenario;
    private final Workload workload;
    private final @Nullable EarlierResult earlier;
    private final String baseline;

    /** @param earlier the result to compare with; null: the baseline's blocks */
    Evaluation(Scenario scenario, Workload workload, @Nullable EarlierResult earlier) {
        this.scenario = scenario;
        this.workload = workload;
        this.earlier = earlier;
        this.baseline = earlier == null ? scenario.baseline() : earlier.name();
    }

    /** The variants other than the baseline. */
    private List<String> others() {
        return workload.variants().stream()
                .map(Scenario.Variant::name)
                .filter(v -> !v.equals(baseline))
                .toList();
    }

    List<Effect> effects(ComparisonState state) {
        Differences pairs = differences(state);
        double perRound = state.elapsedSeconds() / Math.max(1, state.rounds());
        return judge(state).effects(pairs, others(), perRound, variant -> causes(state, variant));
    }

    /** Whether the intervals are as narrow as requested. */
    boolean isEnough(ComparisonState state) {
        return judge(state).isEnough(differences(state), others());
    }

    /** Whether more rounds cannot make the intervals as narrow as requested, because the database clusters of the variants are too few. */
    boolean isOutOfReach(ComparisonState state) {
        return clustersBeyondReach(state).isPresent();
    }

    private OptionalInt clustersBeyondReach(ComparisonState state) {
        return scenario.effort().isUntil()
                ? judge(state).clustersBeyondReach(differences(state), others())
                : OptionalInt.empty();
    }

    private EffectJudge judge(ComparisonState state) {
        return new EffectJudge(scenario.effort(), primary(state));
    }

    /** The metric that decides: if all variants have a rate to keep, their times, as far as these can be compared. */
    private String primary(ComparisonState state) {
        Differences all = differences(state);
        boolean isOpen = haveRates(workload)
                && others().stream()
                        .allMatch(v -> all.logRatio(v, Metrics.PRIMARY_OF_OPEN).isPresent());
        return isOpen ? Metrics.PRIMARY_OF_OPEN : Metrics.PRIMARY;
    }

    /** Whether all variants have a rate to keep. */
    static boolean haveRates(Workload workload) {
        return workload.variants().stream().allMatch(v -> v.spec().load() instanceof Load.Open);
    }

    private Differences differences(ComparisonState state) {
        Differences all = earlier == null ? new BlockPairs(state.blocks(), baseline) : earlier.against(state.blocks());
        return ThreadKinds.of(state, earlier).comparable(all, baseline);
    }

    private List<Remark> causes(ComparisonState state, String variant) {
        Map<Fact, Double> own = new LinkedHashMap<>(VariantFacts.of(state.totals(variant)));
        Map<Fact, Double> other = new LinkedHashMap<>(
                earlier == null
                        ? VariantFacts.of(state.totals(baseline))
                        : Fact.ofResults(earlier.variant().facts()));
        if (!Metrics.isRate(primary(state))) { // what costs time is in the variant with the longer times
            own.remove(Figure.RATE);
            other.remove(Figure.RATE);
        }
        return new Causes(variant, own, baseline, other).found();
    }

    /** @param partial whether the comparison ended early */
    Comparison of(ComparisonState state, boolean partial, List<String> argv) {
        RunResult head = state.head().get(0);
        Validity found = Validity.of(
                invalidityReasons(state, head), List.of(), head.run().workload().accepted());
        boolean isValid = state.valid() && found.valid();
        // more rounds of a comparison that is not valid decide nothing
        List<Effect> effects = effects(state).stream()
                .map(effect -> isValid ? effect : effect.withoutOutlook())
                .toList();
        List<LimitCheck> limits = check(scenario.limits(), effects, others(), v -> didNothing(state, v));
        List<Remark> warnings = new ArrayList<>(found.warnings());
        warnings.addAll(warnings(state, limits));
        List<String> words = new ArrayList<>(VerdictText.verdicts(
                effects, primary(state), baseline, others(), scenario.effort().margin(), state.rounds()));
        if (state.clusters() > 1) {
            words.addAll(VerdictText.clusters(effects, primary(state), differences(state), state.clusters()));
            clustersBeyondReach(state)
                    .ifPresent(needed ->
                            words.add(VerdictText.outOfReach(scenario.effort().until(), state.clusters(), needed)));
        }
        words.addAll(ThreadKinds.of(state, earlier).words(others(), baseline));
        if (partial) {
            words.add("The comparison was interrupted after " + Counted.of(state.rounds(), "round")
                    + "; --resume continues it.");
        }
        return new Comparison(
                head.header().with(run(head, state, partial, argv)),
                Comparison.KIND,
                baseline,
                primary(state),
                0.95,
                scenario.effort().margin(),
                state.clusters() == 0 ? null : state.clusters(),
                variants(state),
                effects,
                state.blocks().stream().map(MeasuredBlock::block).toList(),
                VerdictText.drift(new BlockPairs(state.blocks(), baseline).levels(), earlier == null),
                limits,
                words,
                new Validity(isValid, found.reasons(), warnings),
                workload.variants().stream()
                        .flatMap(variant -> state.totals(variant.name()).medianMachines().all().stream())
                        .filter(machine -> machine.environment() != null)
                        .map(MachineProfile::properties)
                        .distinct()
                        .toList());
    }

    private boolean didNothing(ComparisonState state, String variant) {
        VariantTotals tally = state.totals(variant);
        return tally.blocks() > 0 && tally.opsPerSecond() == 0;
    }

    private List<Remark> warnings(ComparisonState state, List<LimitCheck> limits) {
        List<Remark> words = new ArrayList<>(state.told().remarks(state.blocks().size(), "blocks"));
        words.addAll(Durability.differences(
                workload.variants().stream()
                        .map(v -> state.totals(v.name()).durability())
                        .toList(),
                requestedSettings()));
        words.addAll(unknown(limits));
        if (state.clusters() == 1) {
            words.add(RemarkCode.ONE_CLUSTER.remark());
        }
        if (earlier != null) {
            words.add(RemarkCode.EARLIER_RESULT.remark());
            earlier.warning(state.head().get(0), requestedSettings()).ifPresent(words::add);
            for (Scenario.Variant v : workload.variants()) {
                earlier.warning(v.name(), v.spec().load().clients()).ifPresent(words::add);
            }
        }
        return words;
    }

    /** The server settings that any variant requests. */
    private Set<String> requestedSettings() {
        return workload.variants().stream()
                .map(Scenario.Variant::spec)
                .flatMap(spec -> Stream.of(spec.settings(), spec.alterSystem()))
                .flatMap(settings -> settings.keySet().stream())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    private List<Comparison.Variant> variants(ComparisonState state) {
        Map<String, Map<String, String>> differing = differing(workload);
        List<Comparison.Variant> variants = new ArrayList<>();
        if (earlier != null) {
            variants.add(earlier.variant());
        }
        workload.variants().stream()
                .map(v -> {
                    VariantTotals tally = state.totals(v.name());
                    return new Comparison.Variant(
                            v.name(),
                            differing.getOrDefault(v.name(), Map.of()),
                            tally.blocks(),
                            tally.opsPerSecond(),
                            tally.averaged(),
                            Fact.toResults(VariantFacts.of(tally)),
                            tally.medianMachines().each(MachineProfile::load).all(),
                            tally.bottleneck());
                })
                .forEach(variants::add);
        return variants;
    }

    /** The options that differ between variants, by variant. */
    static Map<String, Map<String, String>> differing(Workload workload) {
        Map<String, Map<String, String>> byVariant = new LinkedHashMap<>();
        workload.variants().forEach(v -> byVariant.put(v.name(), new LinkedHashMap<>()));
        TreeSet<String> names = new TreeSet<>();
        workload.variants().forEach(v -> names.addAll(v.spec().options().texts().keySet()));
        List<Map<String, String>> options = List.copyOf(byVariant.values());
        for (String name : names) {
            List<String> texts =
                    workload.variants().stream().map(v -> text(v.spec(), name)).toList();
            if (texts.stream().distinct().count() > 1) {
                for (int i = 0; i < texts.size(); i++) {
                    options.get(i).put(name, texts.get(i));
                }
            }
        }
        return byVariant;
    }

    private static String text(RunSpec spec, String option) {
        return option.equals("url")
                ? String.join(
                        " ", spec.endpoints().stream().map(Endpoint::masked).toList())
                : String.join(",", spec.options().texts().getOrDefault(option, List.of()));
    }

    private RunInfo run(RunResult head, ComparisonState state, boolean partial, List<String> argv) {
        Map<String, Object> asked = new LinkedHashMap<>(head.run().scenario());
        differing(workload).values().forEach(varied -> asked.keySet().removeAll(varied.keySet()));
        Effort effort = scenario.effort();
        asked.put("name", scenario.name());
        asked.put("workload", workload.name());
        asked.put("rounds", effort.rounds());
        if (effort.isUntil()) {
            asked.put("until", Percent.text(effort.until()));
        }
        asked.put("margin", Percent.text(effort.margin()));
        asked.put("order-seed", effort.seed()); // the scenario's own seed; "seed" is that of the runs
        asked.put("fail-if", scenario.limits().stream().map(Limit::text).toList());
        return new RunInfo(
                UUID.nameUUIDFromBytes(
                                (state.key() + head.run().id()).getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .toString(),
                head.run().startedAt(),
                argv,
                head.run().seed(),
                asked,
                head.run().workload(),
                List.of(new RunInfo.PhaseLength("rounds", state.elapsedSeconds())),
                partial,
                null,
                head.run().insecure());
    }

    /**
     * Checks limits on changes against the result; a limit is broken only if the whole interval lies beyond it.
     *
     * @param nothing variants without any successful operation
     */
    private static List<LimitCheck> check(
            List<Limit> limits, List<Effect> effects, List<String> variants, Predicate<String> nothing) {
        List<LimitCheck> checks = new ArrayList<>();
        for (Limit limit : limits) {
            for (String variant : variants) {
                checks.add(effects.stream()
                        .filter(e -> e.variant().equals(variant) && e.metric().equals(Metrics.ofLimit(limit.metric())))
                        .findFirst()
                        .map(e -> check(limit, e))
                        .orElseGet(() -> unknown(limit, variant, nothing.test(variant))));
            }
        }
        return checks;
    }

    private static LimitCheck unknown(Limit limit, String variant, boolean nothing) {
        boolean broken = nothing && !limit.isAbove() && Metrics.isRate(Metrics.ofLimit(limit.metric()));
        return new LimitCheck(
                limit.text(),
                variant,
                broken,
                broken,
                broken ? "no operation succeeded" : "unknown: too few operations or rounds");
    }

    /** Warnings about limits that could not be checked. */
    private static List<Remark> unknown(List<LimitCheck> checks) {
        return checks.stream()
                .filter(c -> !c.checked())
                .map(c -> RemarkCode.LIMIT_NOT_CHECKED
                        .with("limit", c.limit())
                        .with("variant", c.variant())
                        .remark())
                .toList();
    }

    private static LimitCheck check(Limit limit, Effect e) {
        boolean broken = limit.isAbove() ? e.low() > limit.ratio() : e.high() < limit.ratio();
        boolean pointIsBeyond = limit.isAbove() ? e.ratio() > limit.ratio() : e.ratio() < limit.ratio();
        String range =
                Rounded.change(e.ratio()) + " (" + Rounded.change(e.low()) + " to " + Rounded.change(e.high()) + ")";
        String words = broken
                ? range + ": the whole interval is beyond the limit"
                : range + (pointIsBeyond ? ": beyond the limit, but not with confidence" : ": within the limit");
        return new LimitCheck(limit.text(), e.variant(), true, broken, words);
    }

    /** Why a comparison is not valid: one of its blocks was not, the client limited a variant, or a variant's blocks were not steady. */
    private List<Remark> invalidityReasons(ComparisonState state, RunResult head) {
        List<Remark> reasons =
                new ArrayList<>(state.reasons().remarks(state.blocks().size(), "blocks"));
        state.tallies().forEach((variant, tally) -> {
            double cores = tally.sum(VariantTotals.Count.CLIENT_CORES);
            double cpus = tally.sum(VariantTotals.Count.CLIENT_CPUS);
            if (cores > MAX_CPU * cpus) {
                reasons.add(RemarkCode.VARIANT_CLIENT_CPU
                        .with("variant", variant)
                        .with("cores", cores / tally.blocks())
                        .with("cpus", cpus / tally.blocks())
                        .remark());
            }
        });
        reasons.addAll(BlockSteadiness.reasons(state.blocks()));
        if (earlier != null) {
            earlier.reason().ifPresent(reasons::add);
            earlier.otherLoad(head).ifPresent(reasons::add);
        }
        return reasons;
    }
}
