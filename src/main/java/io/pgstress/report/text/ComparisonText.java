package io.pgstress.report.text;

import io.pgstress.machine.MachineProfile;
import io.pgstress.plan.option.Percent;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.Variant;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Workload;
import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison as text and tables. */
public final class ComparisonText {
    private final Comparison comparison;

    private ComparisonText(Comparison comparison) {
        this.comparison = comparison;
    }

    static TextReport of(Comparison comparison) {
        ComparisonText text = new ComparisonText(comparison);
        return new TextReport(
                text.title(),
                comparison.verdict(),
                text.result().all(),
                List.of(text.effects(), text.variants()),
                List.of(MachineTables.cpus(text.machines()), MachineTables.disks(text.machines())),
                "Ratios are those to " + comparison.baseline() + " with "
                        + Figures.plain(comparison.confidence() * 100) + "% intervals, and " + comparison.primary()
                        + " decides. The intervals of the other metrics are adjusted for their number.",
                text.setup().all());
    }

    private String title() {
        String workload = comparison.run().optionText("workload");
        String what = workload.isEmpty() ? mix() : workload;
        return "comparison of " + comparison.variants().size() + " variants" + (what.isEmpty() ? "" : " of " + what)
                + " on "
                + comparison.dataset().table() + ": "
                + comparison.variants().stream().map(Variant::name).collect(Collectors.joining(", "));
    }

    /** The mix shared by all variants; empty if they differ. */
    private String mix() {
        return differIn("op") ? "" : comparison.run().workload().mix();
    }

    private boolean differIn(String option) {
        return comparison.variants().stream().anyMatch(v -> v.options().containsKey(option));
    }

    private Facts setup() {
        Facts facts = RunDetails.servers(comparison);
        facts.add("load", load());
        comparison.variants().forEach(variant -> facts.add("variant", variant.name() + ": " + options(variant)));
        List<Block> blocks = comparison.blocks();
        double seconds = blocks.stream().mapToDouble(Block::seconds).average().orElse(0);
        facts.add(
                "blocks",
                blocks.size() + " in "
                        + Counted.of(
                                blocks.stream()
                                        .mapToInt(Block::round)
                                        .distinct()
                                        .count(),
                                "round")
                        + (comparison.clusters() == null
                                ? ""
                                : " on " + Counted.of(comparison.clusters(), "cluster") + " of each variant")
                        + ", each "
                        + Figures.seconds(seconds) + " long" + (comparison.run().partial() ? "; ended early" : ""));
        MachineTables.environments(comparison.machines()).forEach(machine -> facts.detail("machine", machine));
        return facts;
    }

    /** The load options shared by all variants. */
    private String load() {
        Workload workload = comparison.run().workload();
        boolean hasClients = !differIn("clients") && workload.clients() > 0;
        boolean hasRate = !differIn("rate") && workload.hasRate();
        return Facts.list(
                mix(),
                hasClients ? Counted.of(workload.clients(), "client") : "",
                hasRate ? "target " + RunDetails.rates(workload) + " ops/s" : "");
    }

    private static String options(Variant variant) {
        return variant.options().isEmpty()
                ? "defaults"
                : variant.options().entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(", "));
    }

    private TextTable effects() {
        Columns<Effect> columns = new Columns<Effect>()
                .add("variant", Effect::variant)
                .add("metric", Effect::metric)
                .add("ratio", Effect::ratio, Figures::ratio)
                .add("from", Effect::low, Figures::ratio)
                .add("to", Effect::high, Figures::ratio)
                .add("rounds", Effect::rounds)
                .add("verdict", e -> e.verdict() + outlook(e));
        return TextTable.of(2, columns, comparison.effects()).optional("rounds");
    }

    /** What is missing for a verdict, or what is known without one. */
    private String outlook(Effect effect) {
        Double seconds = effect.secondsToDecide();
        String resolution = Percent.text(Effect.RESOLUTION);
        if (seconds == null) {
            return effect.isWithinResolution(comparison.margin()) ? " (less than " + resolution + " apart)" : "";
        }
        String needed = effect.clustersToDecide() == null
                ? Figures.about(seconds) + " more"
                : Counted.of(effect.clustersToDecide(), "cluster");
        return " (" + needed + (effect.isForResolution(comparison.margin()) ? " to find " + resolution : " to decide")
                + ")";
    }

    private TextTable variants() {
        Columns<Variant> columns = new Columns<Variant>()
                .add("variant", Variant::name)
                .add("blocks", Variant::blocks)
                .add("ops/s", Variant::opsPerSecond, Figures::rate)
                .part(ComparisonText::times, TextTable.TIMES.only("mean ms", "p50 ms", "p95 ms", "p99 ms", "p99.9 ms"))
                .count(
                        "errors",
                        v -> v.operations().values().stream()
                                .mapToLong(OperationResult::failed)
                                .sum());
        return TextTable.of(1, columns, comparison.variants()).optional("p99.9 ms", "p95 ms", "blocks");
    }

    /** The variants' machines, named by variant. */
    private List<MachineProfile> machines() {
        return comparison.variants().stream()
                .flatMap(
                        v -> v.machines().stream().map(machine -> machine.named(v.name() + ": " + machine.shortName())))
                .toList();
    }

    /** The headline latency of all operations. */
    public static @Nullable Latency times(Variant variant) {
        return OperationResult.sum(variant.operations().values()).times();
    }

    private static Map<String, Object> figures(Variant variant) {
        Map<String, Object> figures = new LinkedHashMap<>();
        variant.bottleneck()
                .forEach(remark -> figures.put(figures.size() + remark.code().name(), remark.figures()));
        return figures;
    }

    /** Whether figures are equal, or numbers that differ by at most 10 (percentage points, for example) or by a tenth. */
    private static boolean isAlike(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
            return a.keySet().equals(b.keySet())
                    && a.keySet().stream().allMatch(key -> isAlike(a.get(key), b.get(key)));
        }
        if (one instanceof Number a && other instanceof Number b) {
            double difference = Math.abs(a.doubleValue() - b.doubleValue());
            return difference <= Math.max(10, Math.max(a.doubleValue(), b.doubleValue()) / 10);
        }
        return Objects.equals(one, other);
    }

    private Facts result() {
        Facts facts = new Facts();
        if (comparison.drift() != null) {
            facts.add("drift", comparison.drift().words());
        }
        List<Variant> rest = new ArrayList<>(comparison.variants());
        while (!rest.isEmpty()) {
            Variant first = rest.get(0);
            List<Variant> alike = rest.stream()
                    .filter(other -> isAlike(figures(first), figures(other)))
                    .toList();
            rest.removeAll(alike);
            String others = alike.stream().skip(1).map(Variant::name).collect(Collectors.joining(", "));
            String line = Bottleneck.line(first.bottleneck());
            facts.add(
                    "bottleneck",
                    line.isEmpty()
                            ? ""
                            : first.name() + (others.isEmpty() ? "" : " (similar: " + others + ")") + ": " + line);
        }
        comparison.limits().stream()
                .filter(check -> !check.broken())
                .forEach(
                        check -> // its words say whether it was kept
                        facts.add("limit", check.limit() + ", " + check.variant() + ": " + check.words()));
        return facts;
    }
}
