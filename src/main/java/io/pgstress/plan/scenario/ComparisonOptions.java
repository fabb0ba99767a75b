package io.pgstress.plan.scenario;

import static io.pgstress.plan.option.Group.COMPARISON;

import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.Scenario.Effort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The length and the limits of a comparison. They have the same names on the command line ({@code --until}) and at the top of a
 * scenario ({@code until:}).
 */
public final class ComparisonOptions {
    private static final int MAX_ROUNDS = 100_000;
    private static final int MAX_CLUSTERS = 100;
    private static final double MAX_SHARE = 0.5;

    public static final Option<Integer> ROUNDS = Option.of("rounds", "N", Forms.integer(1, MAX_ROUNDS))
            .byDefault("12")
            .help(
                    COMPARISON,
                    "rounds, each with every variant once",
                    "In a run, --rounds counts those of --round-time.");

    public static final Option<Double> UNTIL = Option.of("until", "PERCENT", ComparisonOptions::share)
            .byDefault("0")
            .help(
                    COMPARISON,
                    "instead: until intervals are this narrow",
                    "Rounds are run until every variant's ratio is known to plus or minus this share. 0: --rounds decides.");

    public static final Option<Duration> MAX_TIME = Option.of("max-time", "TIME", Forms::positiveDuration)
            .byDefault("1h")
            .help(COMPARISON, "start no new round after this time");

    public static final Option<Double> MARGIN = Option.of("margin", "PERCENT", ComparisonOptions::share)
            .byDefault("0")
            .help(COMPARISON, "differences within this are the same");

    public static final Option<Integer> CLUSTERS = Option.of("clusters", "N", Forms.integer(1, MAX_CLUSTERS))
            .byDefault("3")
            .help(
                    COMPARISON,
                    "of each server that --vary server names",
                    "Each is a server on new data. Two clusters of one build differ, so the clusters are the unit of the intervals.");

    public static final Option<Optional<String>> BASELINE = Option.optional("baseline", "NAME|FILE", Forms::text)
            .help(
                    COMPARISON,
                    "variant to compare with, or an earlier result",
                    "An earlier result is a JSON file. The default is the first variant.");

    public static final Option<List<Limit>> FAIL_IF = Option.list("fail-if", "LIMIT", Limit::parse)
            .help(
                    COMPARISON,
                    "exit code 1 if, for example, p99>+5%",
                    "The whole confidence interval of the change must be beyond the limit. It may be repeated.");

    /** Only for scenarios: on the command line, {@code --seed} is the seed of a run. */
    private static final Option<Long> ORDER_SEED = Option.of(
                    "seed", "N", Forms.whole(-RunOptions.MAX_SEED, RunOptions.MAX_SEED))
            .byDefault("1")
            .help(COMPARISON, "seed of the order of the blocks");

    /** The options of the command line. */
    public static final List<Option<?>> ALL = List.of(ROUNDS, UNTIL, MAX_TIME, MARGIN, CLUSTERS, BASELINE, FAIL_IF);

    static final List<Option<?>> OF_SCENARIO =
            List.of(ROUNDS, UNTIL, MAX_TIME, MARGIN, CLUSTERS, BASELINE, FAIL_IF, ORDER_SEED);

    /** The names of those of a scenario. */
    static final List<String> KEYS = OF_SCENARIO.stream().map(Option::name).toList();

    private ComparisonOptions() {}

    /** @param areServersCompared whether the variants differ in the server that is started */
    static Effort effort(Options options, boolean areServersCompared) {
        double until = options.get(UNTIL);
        return new Effort(
                until > 0 && !options.isGiven(ROUNDS) ? MAX_ROUNDS : options.get(ROUNDS),
                until,
                options.get(MAX_TIME),
                options.get(MARGIN),
                areServersCompared ? options.get(CLUSTERS) : 0,
                options.get(ORDER_SEED));
    }

    private static double share(String text) {
        double share = Percent.parse(text);
        if (share < 0 || share > MAX_SHARE) {
            throw new IllegalArgumentException("must be between 0 and 50%, was " + Percent.text(share));
        }
        return share;
    }
}
