package io.pgstress.report.text;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.result.Comparison.Variant;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A comparison as text and tables. */
public final class ComparisonText {
    private final Comparison comparison;

    private ComparisonText(Comparison comparison) {
        this.comparison = comparison;
    }

    static TextReport of(Comparison comparison) {
        ComparisonText text = new ComparisonText(comparison);
        ComparisonFacts head = new ComparisonFacts(comparison);
        return new TextReport(
                head.title(),
                head.facts(),
                List.of(text.effects(), text.variants()),
                List.of(MachineTables.cpus(text.machines()), MachineTables.disks(text.machines())),
                "ratios to " + comparison.baseline() + " with " + Figures.plain(comparison.confidence() * 100)
                        + "% intervals; " + comparison.primary()
                        + " decides; the intervals of the other metrics are adjusted for their number",
                comparison.verdict(),
                text.end());
    }

    private TextTable effects() {
        Columns<Effect> columns = new Columns<Effect>()
                .add("variant", Effect::variant)
                .add("metric", Effect::metric)
                .add("ratio", Effect::ratio, Figures::ratio)
                .add("from", Effect::low, Figures::ratio)
                .add("to", Effect::high, Figures::ratio)
                .add("rounds", Effect::rounds)
                .add(
                        "verdict",
                        e -> e.verdict()
                                + (e.secondsToDecide() == null
                                        ? ""
                                        : " (" + Figures.about(e.secondsToDecide()) + " more to decide)"));
        return TextTable.of(2, columns, comparison.effects()).optional("rounds");
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

    private List<Fact> end() {
        List<Fact> facts = new ArrayList<>();
        if (comparison.drift() != null) {
            facts.add(new Fact("drift", comparison.drift().words()));
        }
        for (Variant variant : comparison.variants()) {
            if (variant.bottleneck() != null) {
                facts.add(new Fact("bottleneck", variant.name() + ": " + variant.bottleneck()));
            }
        }
        facts.addAll(MachineTables.environments(comparison.machines()));
        for (LimitCheck check : comparison.limits()) {
            facts.add(new Fact(
                    check.broken() ? "LIMIT" : "limit", check.limit() + ", " + check.variant() + ": " + check.words()));
        }
        return facts;
    }

    /** What was compared, as text. */
    record ComparisonFacts(Comparison comparison) {
        String title() {
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

        /** The load options shared by all variants. */
        private String load() {
            Workload workload = comparison.run().workload();
            boolean hasClients = !differIn("threads") && workload.clients() > 0;
            boolean hasRate = !differIn("rate") && workload.hasRate();
            return Stream.of(
                            mix(),
                            hasClients ? workload.clients() + " clients" : "",
                            hasRate ? "target " + workload.rateText() + " ops/s" : "")
                    .filter(s -> !s.isEmpty())
                    .collect(Collectors.joining(", "));
        }

        List<Fact> facts() {
            List<Fact> facts = new ArrayList<>();
            if (!load().isEmpty()) {
                facts.add(new Fact("all", load()));
            }
            for (Variant variant : comparison.variants()) {
                facts.add(new Fact("variant", variant.name() + ": " + options(variant)));
            }
            List<Block> blocks = comparison.blocks();
            facts.add(new Fact(
                    "blocks",
                    blocks.size() + " in "
                            + blocks.stream().mapToInt(Block::round).distinct().count()
                            + " rounds, each "
                            + Figures.seconds(blocks.stream()
                                    .mapToDouble(Block::seconds)
                                    .average()
                                    .orElse(0))
                            + " long" + (comparison.run().partial() ? "; ended early" : "")));
            comparison
                    .servers()
                    .forEach(s -> facts.add(new Fact(
                            "server", SetupFacts.server(s, comparison.servers().size() == 1))));
            return facts;
        }

        private static String options(Variant variant) {
            return variant.options().isEmpty()
                    ? "defaults"
                    : variant.options().entrySet().stream()
                            .map(e -> e.getKey() + "=" + e.getValue())
                            .collect(Collectors.joining(", "));
        }
    }
}
