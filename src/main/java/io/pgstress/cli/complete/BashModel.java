package io.pgstress.cli.complete;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

/** The commands as branches of {@code case} in bash. */
final class BashModel {
    private BashModel() {}

    static Map<String, String> of(List<CommandEntry> commands) {
        return Map.of(
                "commands",
                commands.stream().map(BashModel::command).collect(Collectors.joining()),
                "values",
                values(commands));
    }

    private static String command(CommandEntry command) {
        Value argument = command.argument();
        return String.format(
                Locale.ROOT,
                "    '%s')\n      commands='%s'\n      flags='%s'\n      valued='%s'\n      argument=%s arguments='%s'\n      ;;\n",
                command.path(),
                names(command.subcommands().stream().map(CommandEntry::name).toList()),
                names(options(command, 0)),
                names(options(command, 1)),
                kind(argument),
                names(argument.words()));
    }

    /** The names of the options with this number of values. */
    private static List<String> options(CommandEntry command, int values) {
        return command.options().stream()
                .filter(option -> option.arity().max() == values)
                .flatMap(option -> List.of(option.names()).stream())
                .toList();
    }

    /** One branch for all options with the same value. */
    private static String values(List<CommandEntry> commands) {
        Map<Value, List<String>> patterns = new LinkedHashMap<>();
        for (CommandEntry command : commands) {
            List<String> varied = command.varied();
            for (OptionSpec option : command.options()) {
                Value value = Value.of(option);
                boolean isUsed = option.arity().max() > 0
                        || varied.contains(option.longestName().substring(2));
                for (String name : isUsed && value.kind() != Value.Kind.NONE ? option.names() : new String[0]) {
                    patterns.computeIfAbsent(value, v -> new ArrayList<>())
                            .add(Shell.quoted(command.path() + " " + name));
                }
            }
        }
        return patterns.entrySet().stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "    %s)\n      kind=%s list='%s'\n      ;;\n",
                        String.join(" | ", each.getValue()),
                        kind(each.getKey()),
                        names(each.getKey().words())))
                .collect(Collectors.joining());
    }

    private static String kind(Value value) {
        return value.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String names(List<String> names) {
        return String.join(" ", names);
    }
}
