package io.pgstress.cli;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The help of all commands, in lines of at most 80 characters. */
final class HelpText {
    /** The option for the help with all options. */
    static final String ALL = "--help-all";

    private static final int WIDTH = 80;

    /** Where the words about an option begin. */
    private static final int COLUMN = 30;

    /** More operations are not listed before an option's words. */
    private static final int MAX_USERS = 3;

    /** Longer names leave no room for other words; then the option's own words say whose it is. */
    private static final int MAX_PREFIX = 24;

    private static final List<String> STANDARD = List.of(
            row("-h, --help", "this help; after COMMAND, that of the command"),
            row("    " + ALL, "all options"),
            row("-V, --version", "version"));

    private HelpText() {}

    /**
     * The help of a command with its most used options.
     *
     * @param declared the options that the command takes
     */
    static String of(CommandSpec spec, FirstScreen first, List<Option<?>> declared) {
        boolean isMain = spec.parent() == null;
        Map<String, Option<?>> byName =
                declared.stream().collect(Collectors.toMap(Option::name, Function.identity(), (one, other) -> one));
        List<String> lines = new ArrayList<>(List.of(usage(spec)));
        if (isMain) {
            lines.add("       " + Command.PROGRAM + " COMMAND [OPTIONS]");
        }
        lines.addAll(wrapped("", 0, first.does()));
        first.examples().forEach(example -> lines.add("  " + example));
        lines.addAll(List.of("", "Options:"));
        first.options().forEach(name -> lines.addAll(rows(Objects.requireNonNull(byName.get(name), name), List.of())));
        lines.add("");
        if (isMain) {
            lines.addAll(wrapped(
                    "", 0, "Commands: " + String.join(", ", Subcommand.briefs().keySet())));
        }
        lines.add(
                isMain
                        ? "More: stress " + ALL + "; stress COMMAND --help; stress operations (for --op)"
                        : "More: " + spec.qualifiedName() + " " + ALL);
        return text(lines);
    }

    private static String usage(CommandSpec spec) {
        String arguments = positional(spec).map(HelpText::argument).collect(Collectors.joining(" "));
        return ("Usage: " + spec.qualifiedName() + " [OPTIONS] " + arguments).stripTrailing();
    }

    private static Stream<PositionalParamSpec> positional(CommandSpec spec) {
        return spec.positionalParameters().stream().filter(each -> !each.hidden());
    }

    /** The commands and the operations, each in a line. */
    private static List<String> overview() {
        List<String> lines = new ArrayList<>(List.of("", "Commands:"));
        Subcommand.briefs().forEach((name, brief) -> lines.add(String.format(Locale.ROOT, "  %-12s %s", name, brief)));
        lines.addAll(List.of("", "Operations for --op (with options and SQL: stress operations NAME):"));
        lines.addAll(OperationList.summaries());
        return lines;
    }

    /**
     * The help of a command with all its options.
     *
     * @param listed its options, in the help's order within each group
     * @param users the operations that have an option, if not all runs have it
     * @param hasFirstScreen whether there is a shorter help
     */
    static String of(
            CommandSpec spec, List<Option<?>> listed, Map<Option<?>, List<String>> users, boolean hasFirstScreen) {
        List<String> lines = new ArrayList<>(List.of(usage(spec)));
        Stream.of(spec.usageMessage().description()).forEach(each -> lines.addAll(wrapped("", 0, each)));
        positional(spec)
                .forEach(each ->
                        lines.addAll(wrapped("  " + each.paramLabel(), COLUMN, String.join(" ", each.description()))));
        spec.subcommands()
                .forEach((name, line) -> lines.addAll(wrapped(
                        "  " + name,
                        COLUMN,
                        String.join(" ", line.getCommandSpec().usageMessage().description()))));
        for (Group group : Group.values()) {
            List<String> rows = new ArrayList<>();
            listed.stream()
                    .filter(option -> option.group() == group)
                    .forEach(option -> rows.addAll(rows(option, users.getOrDefault(option, List.of()))));
            if (group == Group.NONE) {
                STANDARD.stream()
                        .filter(row -> hasFirstScreen || !row.contains(ALL))
                        .forEach(rows::add);
            }
            if (!rows.isEmpty()) {
                lines.add("");
                lines.add(group.heading() + ":");
                lines.addAll(rows);
            }
        }
        if (spec.parent() == null) {
            lines.addAll(overview());
        }
        if (hasFirstScreen) {
            lines.addAll(List.of(ExitCode.HELP));
        }
        return text(lines);
    }

    private static String text(List<String> lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String argument(PositionalParamSpec argument) {
        String label = argument.paramLabel() + (argument.arity().isVariable() ? "..." : "");
        return argument.required() ? label : "[" + label + "]";
    }

    /** The lines of an option, usually one. */
    private static List<String> rows(Option<?> option, List<String> users) {
        String names = (option.letter().isEmpty() ? "    " : "-" + option.letter() + ", ") + "--" + option.name()
                + (option.isFlag() ? "" : "=" + option.label());
        String given = byDefault(option);
        return wrapped(
                "  " + names, COLUMN, prefix(users) + option.brief() + (given.isEmpty() ? "" : " (" + given + ")"));
    }

    /** The default as the help shows it; an empty string if there is none, or if it is 0, which stands for none. */
    static String byDefault(Option<?> option) {
        String text = String.join(",", option.defaults());
        return option.isFlag() || text.equals("0") ? "" : text;
    }

    /** {@code find_in: } before the words about an option that only {@code find_in} has. */
    private static String prefix(List<String> users) {
        Set<String> families = families(users);
        String prefix = String.join(", ", families) + ": ";
        return families.isEmpty() || families.size() > MAX_USERS || prefix.length() > MAX_PREFIX ? "" : prefix;
    }

    /** The operations, those that begin alike in one word: {@code bulk_*}. */
    static Set<String> families(List<String> operations) {
        Set<String> families = new LinkedHashSet<>();
        for (String name : operations) {
            String stem = name.replaceFirst("_.*", "");
            List<String> all = Operations.ALL.stream()
                    .map(OperationType::name)
                    .filter(other -> other.equals(stem) || other.startsWith(stem + "_"))
                    .toList();
            String family = stem + (all.contains(stem) ? "*" : "_*");
            families.add(all.size() > 1 && operations.containsAll(all) ? family : name);
        }
        return families;
    }

    private static String row(String names, String words) {
        return String.join("", wrapped("  " + names, COLUMN, words));
    }

    /** The words, wrapped, beginning at a column after the name, which is on a line of its own if it is long. */
    private static List<String> wrapped(String name, int column, String words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(name);
        if (name.length() + 1 > column && column > 0) {
            lines.add(name);
            line.setLength(0);
        }
        line.append(" ".repeat(Math.max(0, column - line.length())));
        boolean isFirst = true;
        for (String word : words.split(" ", -1)) {
            if (!isFirst && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(column));
                isFirst = true;
            }
            line.append(isFirst ? "" : " ").append(word);
            isFirst = false;
        }
        lines.add(line.toString());
        return lines;
    }
}
