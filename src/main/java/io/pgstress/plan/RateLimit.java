package io.pgstress.plan;

import java.util.Map;

/**
 * A limit that a rate is to keep: at most {@code share} of the operations may be beyond it.
 *
 * @param text the limit as given, without spaces, such as {@code p99<10ms}
 * @param metric one of {@link FigureLimit#TIMES} but the mean, or {@code errors}
 * @param micros operations that take longer are beyond the limit; 0: those that fail are
 * @param share from 0 to 1; 0: none may be beyond it
 */
public record RateLimit(String text, String metric, double micros, double share) {
    private static final Map<String, Double> SHARES =
            Map.of("p50", 0.5, "p90", 0.1, "p95", 0.05, "p99", 0.01, "p99.9", 0.001, "max", 0.0);

    /**
     * Reads a limit.
     *
     * @throws IllegalArgumentException if it is not the limit of a rate
     */
    public static RateLimit parse(String given) {
        FigureLimit limit;
        try {
            limit = FigureLimit.parse(given);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(advice(given), e);
        }
        boolean isErrors = limit.metric().equals("errors") && limit.isShare();
        if (limit.isAbove() || !(isErrors || SHARES.containsKey(limit.metric()))) {
            throw new IllegalArgumentException(advice(given));
        }
        return isErrors
                ? new RateLimit(limit.text(), limit.metric(), 0, limit.value())
                : new RateLimit(limit.text(), limit.metric(), limit.value(), SHARES.getOrDefault(limit.metric(), 0.0));
    }

    private static String advice(String given) {
        return "must be a limit that a rate can keep, such as p99<10ms, max<1s or errors<0.1%, was '" + given + "'";
    }
}
