package io.pgstress.plan.option;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as users write them: {@code 30} (seconds), {@code 1.5s}, {@code 200ms}, {@code 5m}, {@code 1h}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|min|h|us)?");

    private Durations() {}

    /**
     * The length of time that the text says.
     *
     * @throws IllegalArgumentException where it says none
     */
    public static Duration parse(String text) {
        return parse(text, "");
    }

    /**
     * The length of time that the text says.
     *
     * @param words the words that the option takes instead, for the message; empty: none
     * @throws IllegalArgumentException where it says none
     */
    public static Duration parse(String text, String words) {
        Matcher m = FORM.matcher(text.trim());
        if (!m.matches()) {
            throw new IllegalArgumentException("must be " + words + (words.isEmpty() ? "" : " or ")
                    + "a length of time such as 30, 1.5s, 200ms or 5m, was '" + text + "'");
        }
        String unit = m.group(2) == null ? "s" : m.group(2);
        long nanosPerUnit = switch (unit) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "m", "min" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 1_000_000_000L;
        };
        BigDecimal nanos = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(nanosPerUnit));
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 4)) > 0) {
            throw new IllegalArgumentException("is too long, was '" + text + "'");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** A measured time with about three digits: {@code 0.029 ms}, {@code 4.20 ms}, {@code 1.73 s}. */
    public static String text(double micros) {
        double millis = micros / 1000;
        if (millis >= 1000) {
            return String.format(Locale.ROOT, "%,.2f s", millis / 1000);
        }
        int decimals = millis < 0.1 ? 3 : millis < 10 ? 2 : millis < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f ms", millis);
    }
}
