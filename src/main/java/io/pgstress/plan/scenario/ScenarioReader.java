package io.pgstress.plan.scenario;

import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.OptionNames;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.ScenarioDraft.Layer;
import io.pgstress.plan.scenario.ScenarioDraft.Problem;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import io.pgstress.text.TextException;
import io.pgstress.text.TextFile;
import io.pgstress.text.Tree;
import io.pgstress.text.Tree.Mapping;
import io.pgstress.text.Tree.Scalar;
import io.pgstress.text.Tree.Sequence;
import io.pgstress.text.Yaml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a scenario's file; {@link ScenarioExpansion} interprets it and reports all problems together. Not thread-safe. */
public final class ScenarioReader {
    /** The names allowed at the top level, in addition to {@link ComparisonOptions#KEYS}. */
    private static final List<String> PARTS =
            List.of("name", "description", "base", "workloads", "variants", "vary", "hooks");

    private static final List<String> HOOKS = List.of("setup", "reset", "teardown");

    private final Path file;
    private final Set<String> fileOptions;
    private final List<Problem> problems = new ArrayList<>();

    private ScenarioReader(Path file, Set<String> fileOptions) {
        this.file = file;
        this.fileOptions = fileOptions;
    }

    /**
     * The contents of a text, as far as they could be read.
     *
     * @throws TextException if it is not YAML
     */
    public static ScenarioDraft read(String yaml) {
        return new ScenarioReader(Path.of(""), Set.of()).draft(yaml);
    }

    /**
     * The contents of a file, as far as they could be read. It names other files relative to its own directory.
     *
     * @param known all options of runs
     * @throws TextException if it is not YAML
     */
    public static ScenarioDraft read(Path file, List<Option<?>> known) throws IOException {
        Set<String> fileOptions =
                known.stream().filter(Option::isFile).map(Option::name).collect(Collectors.toSet());
        try {
            return new ScenarioReader(file, fileOptions).draft(TextFile.read(file, TextFile.SMALL));
        } catch (TextException e) {
            throw TextException.in(file.toString(), e);
        }
    }

    private ScenarioDraft draft(String yaml) {
        Map<String, Tree.Entry> top = entries(Yaml.read(yaml), "a scenario");
        List<String> known = new ArrayList<>(PARTS);
        known.addAll(ComparisonOptions.KEYS);
        Map<String, Value> keys = new LinkedHashMap<>();
        top.forEach((name, entry) -> {
            if (!known.contains(name)) {
                problem(entry.place(), name + ": is not part of a scenario" + Nearest.hint(name, known));
            } else if (ComparisonOptions.KEYS.contains(name)) {
                keys.put(name, value(name, entry.value(), entry.place()));
            }
        });
        return new ScenarioDraft(
                file.toString(),
                text(top, "name"),
                text(top, "description"),
                top.containsKey("base") ? options("base", top.get("base").value()) : Map.of(),
                named(top, "workloads"),
                named(top, "variants"),
                vary(top),
                keys,
                hooks(top),
                problems);
    }

    private void problem(Tree.Place place, String what) {
        problems.add(new Problem(place.line(), what));
    }

    private Map<String, Tree.Entry> entries(Tree tree, String what) {
        if (tree instanceof Mapping mapping) {
            return mapping.entries();
        }
        if (!(tree instanceof Scalar scalar && scalar.text().isEmpty())) {
            problem(tree.place(), what + ": must be a mapping (name: value), but is " + tree.kind());
        }
        return Map.of();
    }

    private String text(Map<String, Tree.Entry> top, String name) {
        Tree.Entry entry = top.get(name);
        return entry == null
                ? ""
                : String.join(" ", value(name, entry.value(), entry.place()).texts())
                        .trim();
    }

    private Map<String, Value> options(String what, Tree tree) {
        Map<String, Value> values = new LinkedHashMap<>();
        entries(tree, what).forEach((written, entry) -> {
            String name = OptionNames.of(written);
            Value earlier = values.put(name, option(what, name, entry.value(), entry.place()));
            checkGivenOnce(what, written, entry.place(), earlier != null);
        });
        return values;
    }

    /** Both names of an option are a problem. */
    private void checkGivenOnce(String part, String written, Tree.Place place, boolean isGiven) {
        if (isGiven) {
            problem(place, part + "." + written + ": is given twice, under two names; leave one out");
        }
    }

    /** The value of an option; a file's name is resolved. */
    private Value option(String part, String name, Tree tree, Tree.Place place) {
        Value value = value(part + "." + name, tree, place);
        return !fileOptions.contains(name)
                ? value
                : new Value(
                        value.name(),
                        value.texts().stream()
                                .map(text -> text.isEmpty()
                                        ? text
                                        : file.resolveSibling(text).normalize().toString())
                                .toList(),
                        value.line());
    }

    private Map<String, Layer> named(Map<String, Tree.Entry> top, String part) {
        Map<String, Layer> named = new LinkedHashMap<>();
        if (top.containsKey(part)) {
            entries(top.get(part).value(), part)
                    .forEach((name, entry) -> named.put(
                            name,
                            new Layer(
                                    options(part + "." + name, entry.value()),
                                    entry.place().line())));
        }
        return named;
    }

    private Map<String, List<Value>> vary(Map<String, Tree.Entry> top) {
        Map<String, List<Value>> vary = new LinkedHashMap<>();
        if (top.containsKey("vary")) {
            entries(top.get("vary").value(), "vary").forEach((written, entry) -> {
                String name = OptionNames.of(written);
                List<Tree> items =
                        entry.value() instanceof Sequence sequence ? sequence.items() : List.of(entry.value());
                List<Value> values = items.stream()
                        .map(i -> option("vary", name, i, i.place()))
                        .toList();
                checkGivenOnce("vary", written, entry.place(), vary.put(name, values) != null);
            });
        }
        return vary;
    }

    private Hooks hooks(Map<String, Tree.Entry> top) {
        if (!top.containsKey("hooks")) {
            return Hooks.NONE;
        }
        Map<String, List<String>> sql = new LinkedHashMap<>();
        entries(top.get("hooks").value(), "hooks").forEach((name, entry) -> {
            if (!HOOKS.contains(name)) {
                problem(entry.place(), "hooks." + name + ": is not a hook" + Nearest.hint(name, HOOKS));
            }
            sql.put(name, value("hooks." + name, entry.value(), entry.place()).texts());
        });
        return new Hooks(
                sql.getOrDefault("setup", List.of()),
                sql.getOrDefault("reset", List.of()),
                sql.getOrDefault("teardown", List.of()));
    }

    /** Reads a value, a list of values, or a mapping, which becomes a list of {@code name=value}. */
    private Value value(String what, Tree tree, Tree.Place place) {
        List<String> texts = new ArrayList<>();
        if (tree instanceof Sequence sequence) {
            sequence.items().forEach(i -> texts.add(scalar(what, i)));
        } else if (tree instanceof Mapping mapping) {
            mapping.entries().forEach((name, e) -> texts.add(name + "=" + scalar(what + "." + name, e.value())));
        } else {
            texts.add(scalar(what, tree));
        }
        return new Value(what, texts, place.line());
    }

    private String scalar(String what, Tree tree) {
        if (tree instanceof Scalar scalar) {
            return scalar.text();
        }
        problem(tree.place(), what + ": must be a single value here, but is " + tree.kind());
        return "";
    }
}
