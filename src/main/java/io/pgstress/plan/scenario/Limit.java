package io.pgstress.plan.scenario;

import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Percent;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on a change, such as {@code p99>+5%} or {@code ops/s<-3%}.
 *
 * @param metric one of {@link #METRICS}
 * @param isAbove whether changes above the share break it; if not, changes below it do
 * @param share of the baseline, 0.05 for {@code +5%}; above -1
 */
public record Limit(String metric, boolean isAbove, double share) {
    /** The metrics that are compared, throughput first. */
    public static final List<String> METRICS = List.of("ops", "mean", "p50", "p90", "p95", "p99", "p999");

    /** The names that limits of runs and reports for people use. */
    private static final Map<String, String> ALIASES = Map.of("ops/s", "ops", "p99.9", "p999");

    private static final Pattern FORM = Pattern.compile("\\s*([\\w./]+)\\s*([<>])\\s*([+-]?[\\d.]+\\s*%)\\s*");

    /**
     * Reads a limit.
     *
     * @throws IllegalArgumentException if it is not a limit
     */
    public static Limit parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "must be a limit on a change, such as p99>+5% or ops/s<-3%, was '" + text + "'");
        }
        String metric = ALIASES.getOrDefault(m.group(1), m.group(1));
        if (!METRICS.contains(metric)) {
            List<String> known = METRICS.stream().map(Limit::shown).toList();
            throw new IllegalArgumentException("'" + metric + "' is not measured" + Nearest.hint(metric, known)
                    + " (known: " + String.join(", ", known) + ")");
        }
        double share = Percent.parse(m.group(3));
        if (share <= -1) {
            throw new IllegalArgumentException("must be a change above -100%, was '" + text + "'");
        }
        return new Limit(metric, m.group(2).equals(">"), share);
    }

    /** The limit as a ratio to the baseline. */
    public double ratio() {
        return 1 + share;
    }

    /** The name of a metric in limits of runs and in reports for people. */
    public static String shown(String metric) {
        return ALIASES.entrySet().stream()
                .filter(alias -> alias.getValue().equals(metric))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(metric);
    }

    /** The limit as on the command line, with the names that reports use. */
    public String text() {
        return shown(metric) + (isAbove ? ">" : "<") + (share < 0 ? "" : "+") + Percent.text(share);
    }
}
