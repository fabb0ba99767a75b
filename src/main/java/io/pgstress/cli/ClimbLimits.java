package io.pgstress.cli;

import static io.pgstress.plan.option.Group.SEARCH;

import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.time.Duration;
import java.util.List;

/**
 * The limits of a search for the number of clients.
 *
 * @param clients the highest number of clients
 * @param repeats the longest time to measure the steps around the knee again
 */
public record ClimbLimits(int clients, Duration repeats) {
    private static final Option<Integer> MAX_THREADS = Option.of(
                    "max-threads", "N", Forms.integer(2, RunOptions.MAX_CLIENTS))
            .byDefault("1024")
            .help(SEARCH, "Highest number of clients; never more than the server's free connections.");

    private static final Option<Duration> REPEAT_LIMIT = Option.of("repeat-limit", "TIME", Durations::parse)
            .byDefault("5m")
            .help(
                    SEARCH,
                    "Longest time to measure the steps around the knee again, until the confidence intervals settle"
                            + " where the knee is. 0: never, which leaves it undetermined.");

    /** The options of a search. */
    public static final List<Option<?>> OPTIONS = List.of(MAX_THREADS, REPEAT_LIMIT);

    public static ClimbLimits of(Options options) {
        return new ClimbLimits(options.get(MAX_THREADS), options.get(REPEAT_LIMIT));
    }
}
