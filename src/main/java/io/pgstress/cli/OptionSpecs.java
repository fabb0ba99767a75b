package io.pgstress.cli;

import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Declares options to picocli, and gets the given texts back. */
final class OptionSpecs {
    /** {@link Main} looks for it before the command line is parsed. */
    static final Option<Boolean> VERBOSE = Option.flag("verbose").help(Group.REPORTS, "show where an error came from");

    private OptionSpecs() {}

    /**
     * Adds options to a command.
     *
     * @param hidden names of options that completion leaves out, as the help does
     */
    static void addTo(CommandSpec command, Collection<Option<?>> options, Set<String> hidden) {
        for (Option<?> option : options) {
            command.addOption(
                    spec(option).hidden(hidden.contains(option.name())).build());
        }
    }

    private static OptionSpec.Builder spec(Option<?> option) {
        String longName = "--" + option.name();
        OptionSpec.Builder spec = option.letter().isEmpty()
                ? OptionSpec.builder(longName)
                : OptionSpec.builder("-" + option.letter(), longName);
        if (option.isFlag()) {
            return spec.type(boolean.class).arity("0");
        }
        spec.paramLabel(option.label()).arity("1").completionCandidates(option.words());
        return option.repeats() ? spec.type(List.class).auxiliaryTypes(String.class) : spec.type(String.class);
    }

    /** The texts of the options that were given, by name; a flag's is {@code true}. */
    static Map<String, List<String>> given(ParseResult parsed, Collection<Option<?>> options) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (Option<?> option : options) {
            String name = "--" + option.name();
            if (parsed.hasMatchedOption(name)) {
                List<String> texts = parsed.matchedOption(name).stringValues();
                given.put(option.name(), texts.isEmpty() ? List.of("true") : List.copyOf(texts));
            }
        }
        return given;
    }
}
