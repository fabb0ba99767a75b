package io.pgstress.compare;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.Effort;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes the {@link Comparison} from the measured state. Immutable. */
final class Evaluation {
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
        return new EffectJudge(scenario.effort())
                .effects(pairs, others(), perRound, (variant, verdict) -> cause(state, variant));
    }

    /** Whether the intervals are as narrow as requested. */
    boolean isEnough(ComparisonState state) {
        return new EffectJudge(scenario.effort()).isEnough(differences(state), others());
    }

    private Differences differences(ComparisonState state) {
        Differences all = earlier == null ? new BlockPairs(state.blocks(), baseline) : earlier.against(state.blocks());
        return ThreadKinds.of(state, earlier).comparable(all, baseline);
    }

    private @Nullable String cause(ComparisonState state, String variant) {
        return new Causes(
                        variant,
                        VariantFacts.of(state.tallies().getOrDefault(variant, VariantTotals.NONE)),
                        baseline,
                        earlier == null
                                ? VariantFacts.of(state.tallies().getOrDefault(baseline, VariantTotals.NONE))
                                : earlier.variant().facts())
                .words();
    }

    /** @param partial whether the comparison ended early */
    Comparison of(ComparisonState state, boolean partial, List<String> argv) {
        RunResult head = state.head().get(0);
        List<Remark> reasons = InvalidityReasons.of(state);
        List<Effect> effects = effects(state);
        List<LimitCheck> limits = ChangeLimits.check(scenario.limits(), effects, others(), v -> didNothing(state, v));
        List<String> words = new ArrayList<>(VerdictText.verdicts(
                effects, baseline, others(), scenario.effort().margin(), state.rounds()));
        words.addAll(ThreadKinds.of(state, earlier).words(others(), baseline));
        if (partial) {
            words.add("The comparison was interrupted after " + state.rounds() + " rounds; --resume continues it.");
        }
        return new Comparison(
                head.header().with(run(head, state, partial, argv)),
                Comparison.KIND,
                baseline,
                Metrics.PRIMARY,
                0.95,
                scenario.effort().margin(),
                variants(state),
                effects,
                state.blocks().stream().map(MeasuredBlock::block).toList(),
                VerdictText.drift(new BlockPairs(state.blocks(), baseline).levels()),
                limits,
                words,
                new Validity(state.valid() && reasons.isEmpty(), reasons, warnings(state, limits)),
                VariantMachines.properties(workload.variants().stream()
                        .map(variant -> machines(state, variant))
                        .toList()));
    }

    private boolean didNothing(ComparisonState state, String variant) {
        VariantTotals tally = state.tallies().getOrDefault(variant, VariantTotals.NONE);
        return tally.blocks() > 0 && tally.opsPerSecond() == 0;
    }

    private List<Remark> warnings(ComparisonState state, List<LimitCheck> limits) {
        List<Remark> words = new ArrayList<>(state.told().remarks(state.blocks().size(), "blocks"));
        words.addAll(Durability.differences(
                workload.variants().stream()
                        .map(v -> state.tallies()
                                .getOrDefault(v.name(), VariantTotals.NONE)
                                .durability())
                        .toList(),
                requestedSettings()));
        words.addAll(ChangeLimits.unknown(limits));
        if (earlier != null) {
            words.add(Remark.of(RemarkCode.EARLIER_RESULT));
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
                    VariantTotals tally = state.tallies().getOrDefault(v.name(), VariantTotals.NONE);
                    return new Comparison.Variant(
                            v.name(),
                            differing.getOrDefault(v.name(), Map.of()),
                            tally.blocks(),
                            tally.opsPerSecond(),
                            tally.averaged(),
                            VariantFacts.of(tally),
                            machines(state, v).loads(),
                            machines(state, v).bottleneck());
                })
                .forEach(variants::add);
        return variants;
    }

    private static VariantMachines machines(ComparisonState state, Scenario.Variant variant) {
        return VariantMachines.of(
                state.tallies().getOrDefault(variant.name(), VariantTotals.NONE).machines());
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
        asked.put("order-seed", effort.seed());
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
}
