package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.option.Nearest;
import io.pgstress.text.Tree;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the source of a parameter's values. Not thread-safe. */
final class ParameterReader {
    private static final List<String> KINDS = List.of("id", "path", "range", "sequence", "choice");
    private static final List<String> KNOWN =
            List.of("id", "path", "range", "sequence", "choice", "as", "sample", "distribution", "with", "count");
    /** The settings that each kind of source allows. */
    private static final Map<String, List<String>> BESIDE = Map.of(
            "path", List.of("as", "sample", "distribution", "with", "count"),
            "range", List.of("distribution"),
            "choice", List.of("distribution"));

    private static final int MAX_SAMPLED = 10_000_000;
    private static final int MAX_COUNT = 10_000;

    private final Source source;
    private final Fields fields;

    /** @param problems receives the problems */
    ParameterReader(Source source, Tree tree, List<String> problems) {
        this.source = source;
        this.fields = new Fields(source, tree, KNOWN, problems);
    }

    /** The problems of parameters {@code with} another one, which must be a path that is not {@code with} yet another. */
    static List<String> wrongLeaders(Map<String, CustomParameter> parameters) {
        List<String> leaders = parameters.entrySet().stream()
                .filter(e -> e.getValue() instanceof CustomParameter.Path p
                        && p.with().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        return parameters.values().stream()
                .filter(p -> p instanceof CustomParameter.Path path
                        && !path.with().isEmpty()
                        && !leaders.contains(path.with()))
                .map(p -> (CustomParameter.Path) p)
                .map(p -> p.source()
                        .message("'with' must name a 'path' parameter without 'with', was '" + p.with() + "'"
                                + Nearest.hint(p.with(), leaders)))
                .toList();
    }

    CustomParameter read() {
        List<String> kinds = KINDS.stream().filter(fields::has).toList();
        String kind = kinds.size() == 1 ? kinds.get(0) : "";
        if (!kind.isEmpty()) {
            checkBeside(kind);
        }
        if (kind.equals("id") && fields.text("id", "").strip().equalsIgnoreCase("once")) {
            return new CustomParameter.OnceId(source);
        }
        if (kind.equals("id")) {
            return new CustomParameter.Id(source, distribution("id"));
        }
        KeyDistribution distribution = distribution("distribution").orElse(KeyDistribution.UNIFORM);
        return switch (kind) {
            case "path" -> path(distribution);
            case "range" -> range(distribution);
            case "sequence" ->
                new CustomParameter.Sequence(
                        source,
                        fields.whole("sequence", fields.needed("sequence"), Long.MIN_VALUE / 2, Long.MAX_VALUE / 2));
            case "choice" -> choice(distribution);
            default -> {
                fields.problem(source.line(), "needs one of " + String.join(", ", KINDS) + ", has " + kinds.size());
                yield new CustomParameter.Id(source, Optional.empty());
            }
        };
    }

    private void checkBeside(String kind) {
        List<String> beside = BESIDE.getOrDefault(kind, List.of());
        for (String given : fields.entries().keySet()) {
            if (KNOWN.contains(given) && !given.equals(kind) && !beside.contains(given)) {
                fields.problem(
                        fields.line(given),
                        "'" + given + "' has no effect with '" + kind + "'"
                                + (kind.equals("id") && given.equals("distribution")
                                        ? "; write {id: uniform}, {id: zipfian} or {id: sequential}"
                                        : "; leave it out"));
            }
        }
    }

    /** The distribution; empty if the file does not set it. */
    private Optional<KeyDistribution> distribution(String name) {
        String text = fields.text(name, "").strip();
        if (text.isEmpty() || text.equalsIgnoreCase("any")) {
            return Optional.empty();
        }
        return Optional.of(KeyDistribution.valueOf(fields.choice(
                        name,
                        name.equals("id")
                                ? List.of("uniform", "zipfian", "sequential", "any", "once")
                                : List.of("uniform", "zipfian", "sequential"))
                .toUpperCase(Locale.ROOT)));
    }

    private CustomParameter path(KeyDistribution distribution) {
        boolean json = fields.choice("as", List.of("text", "json")).equals("json");
        int sample = (int) fields.whole("sample", fields.text("sample", "10000"), 1, MAX_SAMPLED);
        String with = fields.has("with") ? fields.needed("with") : "";
        for (String given : with.isEmpty() ? List.<String>of() : List.of("sample", "distribution")) {
            if (fields.has(given)) {
                fields.problem(
                        fields.line(given),
                        "'" + given + "' has no effect beside 'with'; set it for parameter '" + with + "'");
            }
        }
        String path = fields.needed("path");
        List<String> keys = path.equals(CustomParameter.DOCUMENT) ? List.of() : List.of(path.split("\\.", -1));
        int count = fields.has("count") ? (int) fields.whole("count", fields.needed("count"), 1, MAX_COUNT) : 0;
        return new CustomParameter.Path(source, keys, json, sample, distribution, with, count);
    }

    private CustomParameter range(KeyDistribution distribution) {
        String[] ends = fields.needed("range").split("\\.\\.", -1);
        if (ends.length != 2) {
            fields.problem(fields.line("range"), "'range' must be FROM..TO, such as 1..100");
            return new CustomParameter.Range(source, 0, 0, distribution);
        }
        long from = fields.whole("range", ends[0], Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
        long to = fields.whole("range", ends[1], Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
        if (to < from || to - from >= Integer.MAX_VALUE) {
            fields.problem(
                    fields.line("range"), "'range' must contain 1 to 2147483647 numbers, was " + from + ".." + to);
            return new CustomParameter.Range(source, 0, 0, distribution);
        }
        return new CustomParameter.Range(source, from, to, distribution);
    }

    private CustomParameter choice(KeyDistribution distribution) {
        List<String> values =
                fields.list("choice").stream().map(Tree.Scalar::text).toList();
        if (values.isEmpty()) {
            fields.problem(fields.line("choice"), "'choice' must contain at least one value");
        }
        return new CustomParameter.Choice(source, values, distribution);
    }
}
