package io.pgstress.report.text;

import io.pgstress.report.format.Figures;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Comparison.Variant;
import io.pgstress.result.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
