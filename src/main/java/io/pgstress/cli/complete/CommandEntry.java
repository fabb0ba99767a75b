package io.pgstress.cli.complete;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command as users see it.
 *
 * @param path its name with those of the commands above it, such as {@code agent keys}; empty: the main command
 */
public record CommandEntry(String path, CommandSpec spec) {
    /** A command and all commands below it that the help lists. */
    public static List<CommandEntry> all(CommandLine main) {
        List<CommandEntry> entries = new ArrayList<>();
        add(new CommandEntry("", main.getCommandSpec()), entries);
        return entries;
    }

    private static void add(CommandEntry entry, List<CommandEntry> entries) {
        entries.add(entry);
        entry.subcommands().forEach(each -> add(each, entries));
    }

    /** The commands directly below this one that the help lists. */
    public List<CommandEntry> subcommands() {
        return spec.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(each -> !each.usageMessage().hidden())
                .map(each -> new CommandEntry(path.isEmpty() ? each.name() : path + " " + each.name(), each))
                .toList();
    }

    /** The last part of the path. */
    public String name() {
        return spec.name();
    }

    /** The options that the help lists, in its order. */
    public List<OptionSpec> options() {
        return spec.options().stream().filter(each -> !each.hidden()).toList();
    }

    /** The names, without dashes, of the options that variants can have. */
    List<String> varied() {
        return options().stream()
                .map(Value::of)
                .filter(value -> value.kind() == Value.Kind.VARIANTS)
                .flatMap(value -> value.words().stream())
                .toList();
    }

    /** The value of an option of this name, without dashes. */
    Value value(String name) {
        return Value.of(spec.findOption("--" + name));
    }

    /** What it takes besides options; {@link Value#NONE} if nothing. */
    Value argument() {
        return spec.positionalParameters().stream().findFirst().map(Value::of).orElse(Value.NONE);
    }

    /** The first sentence of its description, without a full stop. */
    public String summary() {
        return firstSentence(plain(spec.usageMessage().description()));
    }

    /** The first sentence of a text, without a full stop. */
    static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String first = end < 0 ? text : text.substring(0, end);
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }

    /** A description of picocli as plain text. */
    public static String plain(String... description) {
        return String.join(" ", description).replace("%n", "\n").replace("%%", "%");
    }
}
