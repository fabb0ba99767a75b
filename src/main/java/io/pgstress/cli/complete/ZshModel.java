package io.pgstress.cli.complete;

import io.pgstress.operation.workload.Operations;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** The commands as functions that call zsh's {@code _arguments}. */
final class ZshModel {
    private ZshModel() {}

    static Map<String, String> of(List<CommandEntry> commands) {
        return Map.of(
                "functions",
                commands.stream().map(ZshModel::function).collect(Collectors.joining("\n")),
                "operations",
                Operations.ALL.stream()
                        .map(type -> "    " + Shell.quoted(type.name() + ":" + type.summary()) + "\n")
                        .collect(Collectors.joining()),
                "varied",
                commands.stream().flatMap(ZshModel::varied).collect(Collectors.joining()));
    }

    private static String function(CommandEntry command) {
        List<CommandEntry> below = command.subcommands();
        Stream<String> arguments = below.isEmpty()
                ? argument(command.argument())
                : Stream.of("'1:command:_stress_commands" + suffix(command.path()) + "'");
        String specs = Stream.concat(command.options().stream().flatMap(ZshModel::option), arguments)
                .map(spec -> " \\\n    " + spec)
                .collect(Collectors.joining());
        String dispatch = below.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  if _stress_is_command %s; then\n    return\n  fi\n",
                        below.stream().map(CommandEntry::name).collect(Collectors.joining(" ")));
        return "_stress" + suffix(command.path()) + "() {\n" + dispatch + "  _arguments" + specs + "\n}\n"
                + (below.isEmpty() ? "" : "\n" + commands(command, below));
    }

    private static String commands(CommandEntry command, List<CommandEntry> below) {
        return "_stress_commands" + suffix(command.path()) + "() {\n  local -a commands=(\n"
                + below.stream()
                        .map(each -> "    " + Shell.quoted(each.name() + ":" + each.summary()) + "\n")
                        .collect(Collectors.joining())
                + "  )\n  _describe -t commands command commands\n}\n";
    }

    private static String suffix(String path) {
        return path.isEmpty() ? "_main" : "_" + path.replace(' ', '_');
    }

    private static Stream<String> argument(Value value) {
        return value.kind() == Value.Kind.NONE ? Stream.of() : Stream.of(Shell.quoted("*:argument:" + action(value)));
    }

    private static Stream<String> option(OptionSpec option) {
        List<String> names = List.of(option.names());
        String repeats = option.isMultiValue() ? "*" : names.size() > 1 ? "(" + String.join(" ", names) + ")" : "";
        String description = "["
                + CommandEntry.firstSentence(CommandEntry.plain(option.description()))
                        .replace("\\", "\\\\")
                        .replace("[", "\\[")
                        .replace("]", "\\]")
                + "]";
        boolean isFlag = option.arity().max() == 0;
        String value = isFlag ? "" : ":" + option.paramLabel().replace(":", "\\:") + ":" + action(Value.of(option));
        return names.stream()
                .map(name -> repeats + name + (isFlag ? "" : name.startsWith("--") ? "=" : "+") + description + value)
                .map(Shell::quoted);
    }

    private static String action(Value value) {
        String words = String.join(" ", value.words());
        return switch (value.kind()) {
            case NONE -> " ";
            case WORDS -> "(" + words + ")";
            case LIST -> "_values -s , value " + words;
            case MIX -> "_stress_mix";
            case VARIANTS -> "_stress_variants";
            case FILE -> words.isEmpty() ? "_files" : " _stress_files " + words;
            case DIRECTORY -> "_files -/";
            case SCENARIO -> "_stress_scenarios";
            case TABLE -> "_stress_tables";
        };
    }

    /** The options that variants can have, and the words of their values. */
    private static Stream<String> varied(CommandEntry command) {
        return command.varied().stream()
                .map(name -> "    " + name + " "
                        + Shell.quoted(String.join(" ", command.value(name).words())) + "\n");
    }
}
