package io.pgstress.cli;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.InvalidPlanException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * How far {@code tune} goes.
 *
 * @param clients at most
 * @param repeats for how long the steps around the knee may be measured again
 */
record ClimbLimits(int clients, Duration repeats) {
    /** Those where none are given. */
    static final ClimbLimits DEFAULT = new ClimbLimits(1024, Duration.ofMinutes(5));

    private static final int MAX_CLIENTS = 100_000;
    private static final String CLIENTS = "--max-threads";
    private static final String REPEATS = "--repeat-limit";

    /** The options that bound a search; a run has them too, for {@code --threads auto}. */
    static List<OptionSpec> options(boolean ofRun) {
        String where = ofRun ? "--threads auto: " : "";
        return List.of(
                ReportTargets.value(
                        CLIENTS,
                        "N",
                        where + "clients at most. Default: 1024, or what the server has connections for."),
                ReportTargets.value(
                        REPEATS,
                        "DURATION",
                        where + "time to measure the steps around the knee again, until their intervals decide it."
                                + " 0: never, which leaves the knee undetermined. Default: 5m."));
    }

    /** @throws InvalidPlanException where a run with a number of clients was given one of them */
    static void refuseWithoutSearch(ParseResult parsed) {
        List<String> given =
                Stream.of(CLIENTS, REPEATS).filter(parsed::hasMatchedOption).toList();
        if (!given.isEmpty()) {
            throw new InvalidPlanException(
                    given.stream().map(o -> o + ": is for --threads auto").toList());
        }
    }

    /** Reads what was given; what makes no sense goes to {@code problems}. */
    static ClimbLimits read(ParseResult parsed, List<String> problems) {
        return new ClimbLimits(
                clients(parsed.matchedOptionValue(CLIENTS, Integer.toString(DEFAULT.clients)), problems),
                repeats(parsed.matchedOptionValue(REPEATS, "5m"), problems));
    }

    private static int clients(String text, List<String> problems) {
        try {
            int clients = Integer.parseInt(text);
            if (clients >= 2 && clients <= MAX_CLIENTS) {
                return clients;
            }
        } catch (NumberFormatException e) {
            // reported below, with the numbers out of range
        }
        problems.add(CLIENTS + ": must be a whole number from 2 to " + MAX_CLIENTS + ", was '" + text + "'");
        return DEFAULT.clients;
    }

    private static Duration repeats(String text, List<String> problems) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            problems.add(REPEATS + ": " + e.getMessage());
            return DEFAULT.repeats;
        }
    }
}
