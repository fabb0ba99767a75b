package io.pgstress.cli;

import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Declares options to picocli, and gets the given texts back. */
final class OptionSpecs {
    /** {@link Main} looks for it before the command line is parsed. */
    static final Option<Boolean> VERBOSE =
            Option.flag("verbose").help(Group.REPORTS, "Shows where an error came from.");

    /** The help names the operations that use an option if there are no more than these. */
    private static final int MAX_NAMED = 5;

    private OptionSpecs() {}

    /**
     * Adds options to a command, under their headings.
     *
     * @param defaults the command's own defaults, by the options' names
     * @param users by option, the operations that use it; options of every operation are missing
     * @param hidden names of options that the help leaves out
     */
    static void addTo(
            CommandSpec command,
            Collection<Option<?>> options,
            Map<String, String> defaults,
            Map<Option<?>, List<String>> users,
            Set<String> hidden) {
        for (Group group : Group.values()) {
            ArgGroupSpec.Builder heading =
                    ArgGroupSpec.builder().validate(false).multiplicity("0..1").heading("%n" + group.heading() + ":%n");
            for (Option<?> option : options) {
                if (option.group() == group) {
                    OptionSpec spec = spec(option, defaults.get(option.name()), users.getOrDefault(option, List.of()))
                            .hidden(hidden.contains(option.name()))
                            .build();
                    if (group == Group.NONE) {
                        command.addOption(spec);
                    } else {
                        heading.addArg(spec);
                    }
                }
            }
            if (!heading.args().isEmpty()) {
                command.addArgGroup(heading.build());
            }
        }
    }

    private static OptionSpec.Builder spec(Option<?> option, @Nullable String otherDefault, List<String> users) {
        String longName = "--" + option.name();
        OptionSpec.Builder spec = option.letter().isEmpty()
                ? OptionSpec.builder(longName)
                : OptionSpec.builder("-" + option.letter(), longName);
        List<String> defaults = otherDefault == null ? option.defaults() : List.of(otherDefault);
        String description = (users.isEmpty() || users.size() > MAX_NAMED ? "" : String.join(", ", users) + ": ")
                + option.description()
                + (option.isFlag() || defaults.isEmpty() ? "" : " Default: " + String.join(",", defaults) + ".");
        spec.description(description.replace("%", "%%"));
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
