package io.pgstress.plan;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Percent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A limit on a figure of a run, such as {@code p99>5ms}, {@code ops/s<1000} or {@code errors>0.1%}.
 *
 * @param text the limit as given, without spaces
 * @param metric one of {@link #TIMES} or {@link #COUNTS}, or {@link #RATE}
 * @param isAbove whether values above the limit break it; if not, values below it do
 * @param value in microseconds, operations per second, a number of operations, or a share from 0 to 1
 * @param isShare whether the value is a share of the operations
 */
public record FigureLimit(String text, String metric, boolean isAbove, double value, boolean isShare) {
    public static final String RATE = "ops/s";
    public static final String LATE = "late";
    public static final List<String> TIMES = List.of("mean", "p50", "p90", "p95", "p99", "p99.9", "max");
    public static final List<String> COUNTS = List.of("errors", "misses", "duplicates", "retries", LATE, "unfinished");

    /** The names that limits of comparisons and reports for programs use. */
    private static final Map<String, String> ALIASES = Map.of("ops", RATE, "p999", "p99.9");

    private static final Pattern FORM = Pattern.compile("([\\w./]+)([<>])([^<>=]+)");
    private static final Pattern CHANGE = Pattern.compile("[+-].*%");
    private static final Pattern TIME = Pattern.compile("[\\d.]+[a-z]+");

    /**
     * Reads a limit.
     *
     * @throws IllegalArgumentException if it is not a limit
     */
    public static FigureLimit parse(String given) {
        String text = given.replaceAll("\\s", "");
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("must be a limit such as p99>5ms or ops/s<1000, was '" + given + "'");
        }
        String metric = ALIASES.getOrDefault(m.group(1), m.group(1));
        String value = m.group(3);
        if (CHANGE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "'" + given
                            + "' is a change, which needs a baseline: see 'stress compare'; for a run, use a limit such as p99>5ms");
        }
        boolean isAbove = m.group(2).equals(">");
        if (TIMES.contains(metric)) {
            return new FigureLimit(text, metric, isAbove, micros(value, given), false);
        }
        if (!metric.equals(RATE) && !COUNTS.contains(metric)) {
            List<String> all = Stream.of(List.of(RATE), TIMES, COUNTS)
                    .flatMap(List::stream)
                    .toList();
            throw new IllegalArgumentException("unknown figure '" + metric + "'" + Nearest.hint(metric, all)
                    + " (known: " + String.join(", ", all) + ")");
        }
        boolean isShare = value.endsWith("%") && !metric.equals(RATE);
        return new FigureLimit(text, metric, isAbove, isShare ? Percent.parse(value) : number(value, given), isShare);
    }

    private static double micros(String value, String given) {
        if (!TIME.matcher(value.toLowerCase(Locale.ROOT)).matches()) {
            throw new IllegalArgumentException("needs a time with its unit, such as p99>5ms, was '" + given + "'");
        }
        return Durations.parse(value).toNanos() / 1e3;
    }

    private static double number(String value, String given) {
        String problem = "needs a number, such as ops/s<1000, was '" + given + "'";
        try {
            double number = Double.parseDouble(value.replace(",", ""));
            if (!Double.isFinite(number)) {
                throw new IllegalArgumentException(problem);
            }
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(problem, e);
        }
    }
}
