package io.pgstress.cli;

import io.pgstress.operation.catalog.Operations;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.Option;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.pool.Pools;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of a run on a command line; their meaning is in {@link RunSpecReader}. */
final class RunOptionSpecs {
    private RunOptionSpecs() {}

    /**
     * Adds every option of {@link RunOptions}, under its headings.
     *
     * @param ofWorkloads more of them, the command's own
     */
    static void addTo(CommandSpec command, OptionSpec... ofWorkloads) {
        for (Option.Group group : Option.Group.values()) {
            ArgGroupSpec.Builder heading = Keeping.group(group.heading());
            for (Option option : RunOptions.ALL) {
                if (option.group() == group) {
                    heading.addArg(spec(option));
                }
            }
            if (group == Option.Group.WORKLOAD) {
                List.of(ofWorkloads).forEach(heading::addArg);
            }
            command.addArgGroup(heading.build());
        }
    }

    private static OptionSpec spec(Option option) {
        String longName = "--" + option.name();
        OptionSpec.Builder spec = option.letter().isEmpty()
                ? OptionSpec.builder(longName)
                : OptionSpec.builder("-" + option.letter(), longName);
        String description = option.description()
                + (option.isFlag()
                                || option.defaultValue().isEmpty()
                                || option.defaultValue().equals("0")
                        ? ""
                        : " Default: " + option.defaultValue() + ".");
        spec.description(description.replace("%", "%%"));
        if (option.isFlag()) {
            return spec.type(boolean.class).arity("0").build();
        }
        spec.paramLabel(option.value()).arity("1");
        return (option.repeats() ? spec.type(List.class).auxiliaryTypes(String.class) : spec.type(String.class))
                .build();
    }

    /** The options that were given, by long name, as text. */
    static Map<String, List<String>> given(ParseResult parsed) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (Option option : RunOptions.ALL) {
            String name = "--" + option.name();
            if (parsed.hasMatchedOption(name)) {
                given.put(
                        option.name(),
                        parsed.matchedOption(name).stringValues().isEmpty()
                                ? List.of("true")
                                : List.copyOf(parsed.matchedOption(name).stringValues()));
            }
        }
        return given;
    }

    /** The reader of run options that knows everything that is registered. */
    static RunSpecReader reader() {
        return new RunSpecReader(
                Operations.names(),
                Pools.names(),
                Dialects.names(),
                Operations.withoutTable(),
                Operations.thatEnd(),
                Operations.byOption());
    }
}
