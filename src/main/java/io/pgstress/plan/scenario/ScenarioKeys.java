package io.pgstress.plan.scenario;

import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * How long is compared and what is accepted: the keys of a scenario that are no options of a run, the same on the command
 * line ({@code --until}) and in a file ({@code until:}). Not thread-safe.
 */
public final class ScenarioKeys {
    /** All keys. */
    public static final List<String> NAMES =
            List.of("baseline", "rounds", "until", "max-time", "margin", "seed", "fail-if");

    private static final int MOST_ROUNDS = 100_000;
    private static final double WIDEST = 0.5;

    private final Map<String, Value> keys;
    private final Set<String> problems;

    /** @param problems takes what is wrong */
    ScenarioKeys(Map<String, Value> keys, Set<String> problems) {
        this.keys = keys;
        this.problems = problems;
    }

    Effort effort() {
        double until = share("until");
        long rounds = whole("rounds", until > 0 ? MOST_ROUNDS : Effort.DEFAULT_ROUNDS, 1, MOST_ROUNDS);
        Duration maxTime = one("max-time", Effort.DEFAULT_MAX_TIME, Durations::parse);
        if (maxTime.isZero()) {
            problem("max-time", "must be longer than 0");
        }
        return new Effort(
                (int) rounds,
                until,
                maxTime,
                share("margin"),
                whole("seed", 1, -RunSpecReader.MAX_SEED, RunSpecReader.MAX_SEED));
    }

    List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (String text : texts("fail-if")) {
            try {
                limits.add(Limit.parse(text));
            } catch (IllegalArgumentException e) {
                problem("fail-if", String.valueOf(e.getMessage()));
            }
        }
        return limits;
    }

    /** The baseline that was named, or an empty string. */
    String baseline() {
        return one("baseline", "", text -> text);
    }

    void problem(String key, String what) {
        Value value = keys.get(key);
        int line = value == null ? 0 : value.line();
        problems.add((line > 0 ? "line " + line + ": " + key : option(key)) + ": " + what);
    }

    /** A run has a seed of its own. */
    private static String option(String key) {
        return "--" + (key.equals("seed") ? "order-seed" : key);
    }

    private List<String> texts(String key) {
        Value value = keys.get(key);
        return value == null ? List.of() : value.texts();
    }

    private double share(String key) {
        double share = one(key, 0.0, Percent::parse);
        if (share < 0 || share > WIDEST) {
            problem(key, "must be between 0 and 50%, was " + Percent.text(share));
        }
        return share;
    }

    private long whole(String key, long otherwise, long min, long max) {
        long value = one(key, otherwise, text -> {
            try {
                return Long.parseLong(text.replace("_", ""));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a whole number, was '" + text + "'", e);
            }
        });
        if (value < min || value > max) {
            problem(key, "must be from " + min + " to " + max + ", was " + value);
        }
        return value;
    }

    private <T> T one(String key, T otherwise, Function<String, T> reader) {
        List<String> texts = texts(key);
        if (texts.isEmpty()) {
            return otherwise;
        }
        try {
            return reader.apply(texts.get(texts.size() - 1).trim());
        } catch (IllegalArgumentException e) {
            problem(key, String.valueOf(e.getMessage()));
            return otherwise;
        }
    }
}
