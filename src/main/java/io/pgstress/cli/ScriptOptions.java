package io.pgstress.cli;

import static io.pgstress.plan.option.Group.WHAT;

import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.OperationNames;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** pgbench's options that name scripts. They stand for {@code --operations} and {@code --op}, which scenarios and results have. */
final class ScriptOptions {
    static final Option<List<String>> FILE = Option.list("file", "SCRIPT[@N]", Forms::text)
            .letter("f")
            .help(WHAT, "run a script of pgbench; N: its weight", "It is an operation with the name of the file.");

    static final Option<List<String>> BUILTIN = Option.list("builtin", "NAME[@N]", Forms::text)
            .letter("b")
            .help(
                    WHAT,
                    "tpcb-like, simple-update or select-only",
                    "The beginning of the name is enough. They are the operations tpcb, simple_update and select_only.");

    /** In the order of the help. */
    static final List<Option<?>> ALL = List.of(FILE, BUILTIN);

    private ScriptOptions() {}

    /** A script and its weight. */
    private record Weighted(String name, int weight) {
        /** @throws InvalidPlanException if what follows the last {@code @} is no weight */
        static Weighted of(Option<?> option, String text) {
            int at = text.lastIndexOf('@');
            if (at < 0) {
                return new Weighted(text, 1);
            }
            try {
                return new Weighted(
                        text.substring(0, at),
                        Forms.integer(0, Integer.MAX_VALUE).read(text.substring(at + 1)));
            } catch (IllegalArgumentException e) {
                throw new InvalidPlanException(
                        option + ": the weight of '" + text.substring(0, at) + "' " + e.getMessage());
            }
        }
    }

    /**
     * The texts of options by name, with operations in the place of scripts.
     *
     * @throws InvalidPlanException if a script of pgbench or a weight is not known, or if no script is left to run
     */
    static Map<String, List<String>> asOperations(Map<String, List<String>> given) {
        if (!given.containsKey(FILE.name()) && !given.containsKey(BUILTIN.name())) {
            return given;
        }
        Map<String, List<String>> texts = new LinkedHashMap<>(given);
        List<String> files = texts.remove(FILE.name());
        List<String> builtins = texts.remove(BUILTIN.name());
        Map<String, Integer> weights = new LinkedHashMap<>();
        if (files != null) {
            addFiles(files, texts, weights);
        }
        for (String builtin : builtins == null ? List.<String>of() : builtins) {
            Weighted weighted = Weighted.of(BUILTIN, builtin);
            weights.merge(operation(weighted.name), weighted.weight, Math::addExact);
        }
        boolean hasScripts = !weights.isEmpty();
        weights.values().removeIf(weight -> weight == 0);
        List<String> mix = new ArrayList<>(texts.getOrDefault(RunOptions.OP.name(), List.of()));
        if (hasScripts && weights.isEmpty() && mix.isEmpty()) {
            throw new InvalidPlanException("the weight of every script is 0");
        }
        if (!weights.isEmpty()) {
            mix.add(weights.entrySet().stream()
                    .map(e -> e.getKey() + (e.getValue() == 1 ? "" : ":" + e.getValue()))
                    .collect(Collectors.joining(",")));
            texts.put(RunOptions.OP.name(), List.of(String.join(",", mix)));
        }
        return texts;
    }

    /** Files of scripts that the options name already come first, as they determine the names of the others. */
    private static void addFiles(List<String> scripts, Map<String, List<String>> texts, Map<String, Integer> weights) {
        List<String> files = new ArrayList<>(texts.getOrDefault(CustomOperations.FILES.name(), List.of()));
        List<Weighted> added =
                scripts.stream().map(script -> Weighted.of(FILE, script)).toList();
        for (Weighted script : added) {
            check(script.name);
            files.add(script.name);
        }
        texts.put(CustomOperations.FILES.name(), files);
        List<String> names = Operations.scriptNames(
                files.stream().filter(file -> !CustomOperations.isYaml(file)).toList());
        int next = names.size()
                - (int) added.stream()
                        .filter(script -> !CustomOperations.isYaml(script.name))
                        .count();
        for (Weighted script : added) {
            if (!CustomOperations.isYaml(script.name)) {
                weights.put(names.get(next++), script.weight);
            }
        }
    }

    /** A mistake in a file is one of the option that names it. */
    private static void check(String file) {
        try {
            CustomOperations.read(Forms.path(file));
        } catch (InvalidPlanException e) {
            throw new InvalidPlanException(
                    e.problems().stream().map(problem -> FILE + ": " + problem).toList());
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException(FILE + ": " + e.getMessage());
        }
    }

    private static String operation(String builtin) {
        try {
            return OperationNames.ofBuiltin(builtin);
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException(BUILTIN + ": " + e.getMessage());
        }
    }
}
