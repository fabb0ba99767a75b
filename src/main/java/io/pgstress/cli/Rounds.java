package io.pgstress.cli;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.InvalidPlanException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code --rounds} of a run: so many of its {@code --round-time}, instead of {@code --duration}. */
final class Rounds {
    private static final String NAME = "--rounds";
    private static final int MOST = 1_000_000;

    private Rounds() {}

    static OptionSpec option() {
        return OptionSpec.builder(NAME)
                .type(String.class)
                .paramLabel("N")
                .arity("1")
                .description("So many rounds of --round-time, instead of --duration.")
                .build();
    }

    /**
     * Sets the duration.
     *
     * @throws InvalidPlanException where there is no time of a round, or another duration too
     */
    static void read(ParseResult parsed, Map<String, List<String>> given) {
        if (!parsed.hasMatchedOption(NAME)) {
            return;
        }
        if (given.containsKey("duration")) {
            throw new InvalidPlanException(NAME + ": takes as long as its rounds; leave --duration out");
        }
        Duration round = time(given);
        if (round.isZero()) {
            throw new InvalidPlanException(NAME + ": needs the time of a round, such as --round-time 1000s");
        }
        String text = parsed.matchedOption(NAME).stringValues().get(0);
        Duration all = round.multipliedBy(count(text));
        given.put("duration", List.of(all.toMillis() + "ms"));
    }

    private static Duration time(Map<String, List<String>> given) {
        String text = String.join("", given.getOrDefault("round-time", List.of("0")));
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--round-time: " + e.getMessage());
        }
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text.trim());
            if (count >= 1 && count <= MOST) {
                return count;
            }
        } catch (NumberFormatException e) {
            // told below, as a number that is none of a count is
        }
        throw new InvalidPlanException(NAME + ": must be a whole number from 1 to " + MOST + ", was '" + text + "'");
    }
}
