package io.pgstress.cli.complete;

import io.pgstress.operation.workload.Operations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** The commands as calls of fish's {@code complete}. */
final class FishModel {
    /** What the scripts call the main command. */
    private static final String MAIN = "run";

    private FishModel() {}

    static Map<String, String> of(List<CommandEntry> commands) {
        List<CommandEntry> below =
                commands.stream().filter(each -> !each.path().isEmpty()).toList();
        return Map.of(
                "paths",
                "    set -l paths "
                        + below.stream().map(each -> quoted(each.path())).collect(Collectors.joining(" ")) + "\n",
                "operations",
                Operations.ALL.stream()
                        .map(type -> "    echo " + quoted(type.name() + "\t" + type.summary()) + "\n")
                        .collect(Collectors.joining()),
                "names",
                commands.stream()
                        .flatMap(each -> each.varied().stream())
                        .map(name -> "        echo " + name + "=\n")
                        .collect(Collectors.joining()),
                "variants",
                commands.stream().flatMap(FishModel::variants).collect(Collectors.joining()),
                "complete",
                Stream.of(
                                commands.stream().flatMap(FishModel::names),
                                options(commands),
                                commands.stream().flatMap(FishModel::argument))
                        .flatMap(lines -> lines)
                        .map(line -> "complete -c stress " + line + "\n")
                        .collect(Collectors.joining()));
    }

    private static String path(CommandEntry command) {
        return quoted(command.path().isEmpty() ? MAIN : command.path());
    }

    /** The names of the commands below. */
    private static Stream<String> names(CommandEntry command) {
        return command.subcommands().stream()
                .map(each -> "-n \"__stress_first " + path(command) + "\" -a " + each.name() + " -d "
                        + quoted(each.summary()));
    }

    private static Stream<String> argument(CommandEntry command) {
        Value value = command.argument();
        return value.kind() == Value.Kind.NONE
                ? Stream.of()
                : Stream.of("-n \"__stress_in " + path(command) + "\"" + values(value));
    }

    /** One line for each option, with the commands in which it is the same. */
    private static Stream<String> options(List<CommandEntry> commands) {
        Map<String, List<String>> users = new LinkedHashMap<>();
        for (CommandEntry command : commands) {
            for (OptionSpec option : command.options()) {
                users.computeIfAbsent(option(option), o -> new ArrayList<>()).add(path(command));
            }
        }
        return users.entrySet().stream()
                .map(each -> "-n \"__stress_in " + String.join(" ", each.getValue()) + "\"" + each.getKey());
    }

    private static String option(OptionSpec option) {
        String names = Stream.of(option.names())
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
        Value value = option.arity().max() == 0 ? Value.NONE : Value.of(option);
        return names
                + (option.arity().max() == 0 ? "" : value.kind() == Value.Kind.FILE ? " -r" : " -x")
                + values(value)
                + " -d "
                + quoted(CommandEntry.firstSentence(CommandEntry.plain(option.description())));
    }

    private static String values(Value value) {
        String words = String.join(" ", value.words());
        return switch (value.kind()) {
            case NONE -> "";
            case WORDS ->
                " -a "
                        + quoted(value.words().stream()
                                .map(word -> word + "\\t''")
                                .collect(Collectors.joining(" ")));
            case LIST -> " -a " + quoted("(__stress_list " + words + ")");
            case MIX -> " -a '(__stress_mix)'";
            case VARIANTS -> " -a '(__stress_variants)'";
            case FILE -> " -F" + (words.isEmpty() ? "" : " -a " + quoted(words + "\\t''"));
            case DIRECTORY -> " -a '(__fish_complete_directories (__stress_token))'";
            case SCENARIO -> " -a '(__stress_scenarios)'";
            case TABLE -> " -a '(__stress_tables)'";
        };
    }

    /** The options that variants can have, and the words of their values. */
    private static Stream<String> variants(CommandEntry command) {
        return command.varied().stream()
                .map(name -> "        case " + name + "\n            echo "
                        + String.join(" ", command.value(name).words()) + "\n");
    }

    /** A word in single quotes, as fish reads it. */
    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
