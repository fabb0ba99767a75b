package io.pgstress.cli;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.pool.Pools;
import java.util.ArrayList;
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

/** The way from options to picocli and back: how the help shows them, and their texts as they were given. */
final class OptionSpecs {
    /** The reader of run options, which knows everything that is registered. */
    static final RunSpecReader READER = new RunSpecReader(Operations.CATALOG, Pools.names(), Dialects.names());

    /** {@link Main} looks for it, before the command line is parsed. */
    static final Option<Boolean> VERBOSE =
            Option.flag("verbose").help(Group.REPORTS, "Shows where an error came from.");

    /** With more of them the help does not name the operations that an option is for. */
    private static final int MAX_NAMED = 5;

    private OptionSpecs() {}

    /** Adds the options of runs for this purpose, and the command's own, under their headings. */
    static void addTo(CommandSpec command, Purpose purpose, Collection<Option<?>> own, Set<Option<?>> hidden) {
        List<Option<?>> all = new ArrayList<>(own);
        all.addAll(READER.options(purpose));
        addTo(command, all, purpose.defaults(), hidden);
    }

    /** Adds the options of a command that runs nothing. */
    static void addTo(CommandSpec command, Collection<Option<?>> options) {
        addTo(command, options, Map.of(), Set.of());
    }

    private static void addTo(
            CommandSpec command, Collection<Option<?>> options, Map<String, String> defaults, Set<Option<?>> hidden) {
        for (Group group : Group.values()) {
            ArgGroupSpec.Builder heading =
                    ArgGroupSpec.builder().validate(false).multiplicity("0..1").heading("%n" + group.heading() + ":%n");
            List<OptionSpec> specs = options.stream()
                    .filter(o -> o.group() == group)
                    .map(o -> spec(o, defaults.get(o.name()), hidden.contains(o)))
                    .toList();
            if (group == Group.NONE) {
                specs.forEach(command::addOption);
            } else if (!specs.isEmpty()) {
                specs.forEach(heading::addArg);
                command.addArgGroup(heading.build());
            }
        }
    }

    private static OptionSpec spec(Option<?> option, @Nullable String otherDefault, boolean hidden) {
        String longName = "--" + option.name();
        OptionSpec.Builder spec = option.letter().isEmpty()
                ? OptionSpec.builder(longName)
                : OptionSpec.builder("-" + option.letter(), longName);
        List<String> defaults = otherDefault == null ? option.defaults() : List.of(otherDefault);
        boolean showsDefault = !option.isFlag() && !defaults.isEmpty();
        String description = users(option)
                + option.description()
                + (showsDefault ? " Default: " + String.join(",", defaults) + "." : "");
        spec.description(description.replace("%", "%%")).hidden(hidden);
        if (option.isFlag()) {
            return spec.type(boolean.class).arity("0").build();
        }
        spec.paramLabel(option.label()).arity("1");
        return (option.repeats() ? spec.type(List.class).auxiliaryTypes(String.class) : spec.type(String.class))
                .build();
    }

    /** The operations that the option is for, if they are few. */
    private static String users(Option<?> option) {
        List<String> names = Operations.ALL.stream()
                .filter(type -> type.options().contains(option))
                .map(OperationType::name)
                .toList();
        return names.isEmpty() || names.size() > MAX_NAMED ? "" : String.join(", ", names) + ": ";
    }

    /** The texts of those that were given, by name; a flag's is {@code true}. */
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

    /** The texts of the options of runs. */
    static Map<String, List<String>> given(ParseResult parsed, Purpose purpose) {
        return given(parsed, READER.options(purpose));
    }

    /** The values of a command's own options. */
    static Options read(ParseResult parsed, Collection<Option<?>> options, Problems problems) {
        return Options.read(List.copyOf(options), given(parsed, options), Map.of(), problems);
    }
}
