package io.pgstress.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers for people, rounded so that they stay true: a number has more decimals than asked for if rounding would change it by
 * about a fifth or more (so that nothing but 0 is shown as 0), and less than 100% is never shown as 100%.
 */
public final class Rounded {
    private static final double MAX_ERROR = 0.19;
    private static final int MAX_DECIMALS = 6;

    /** Less than this under 100% is an error of floating point. */
    private static final double LEAST_OF_PERCENT = 1e-5;

    /** A ratio beyond this is no longer shown as a percentage. */
    private static final double MANY = 10;

    /** A ratio beyond this, such as the end of a wide interval, is shown as a lower bound. */
    private static final double MAX_TIMES = 10_000;

    private static final Pattern SPECIFIER = Pattern.compile("%([-#+ 0,(]*)(\\d*)(?:\\.(\\d+))?([a-zA-Z%])");

    private Rounded() {}

    /**
     * The number with at least this many decimals, and commas between thousands.
     *
     * @param decimals 0 to 6
     */
    public static String decimal(double value, int decimals) {
        return number(",", "", value, decimals(value, decimals, false));
    }

    /**
     * A share with a percent sign.
     *
     * @param share 1 is 100%
     * @param decimals at least so many, 0 to 6
     */
    public static String percent(double share, int decimals) {
        return number(",", "", share * 100, decimals(share * 100, decimals, true)) + "%";
    }

    /** A ratio of two figures as a change, such as {@code +3.2%}, or {@code 409 times} if it is large. */
    public static String change(double ratio) {
        if (ratio > MAX_TIMES) {
            return format("over %,.0f times", MAX_TIMES);
        }
        return ratio > MANY ? format("%,.0f times", ratio) : format("%+.1f%%", (ratio - 1) * 100);
    }

    /** A change of a figure in words: {@code +3.2% operations per second}, {@code 409 times the operations per second}. */
    public static String change(double ratio, String figure) {
        return change(ratio) + (ratio > MANY ? " the " : " ") + figure;
    }

    /** Like {@link String#format}, but numbers with {@code %f} have as many decimals as they need, which the precision limits from below. */
    public static String format(String template, Object... values) {
        StringBuilder text = new StringBuilder();
        Matcher found = SPECIFIER.matcher(template);
        int from = 0;
        int next = 0;
        while (found.find(from)) {
            text.append(template, from, found.start());
            from = found.end();
            char kind = found.group(4).charAt(0);
            if (kind == '%' || kind == 'n') {
                text.append(String.format(Locale.ROOT, found.group()));
                continue;
            }
            Object value = values[next++];
            if (kind == 'f' && value instanceof Number number) {
                int asked = found.group(3) == null ? MAX_DECIMALS : Integer.parseInt(found.group(3));
                int decimals = decimals(number.doubleValue(), asked, template.startsWith("%%", from));
                text.append(number(found.group(1), found.group(2), number.doubleValue(), decimals));
            } else {
                text.append(String.format(Locale.ROOT, found.group(), value));
            }
        }
        return text.append(template, from, template.length()).toString();
    }

    private static String number(String flags, String width, double value, int decimals) {
        return String.format(Locale.ROOT, "%" + flags + width + "." + decimals + "f", value);
    }

    private static int decimals(double value, int asked, boolean isPercent) {
        int decimals = asked;
        while (decimals < MAX_DECIMALS && !isTrue(value, decimals, isPercent)) {
            decimals++;
        }
        return decimals;
    }

    private static boolean isTrue(double value, int decimals, boolean isPercent) {
        if (!Double.isFinite(value)) {
            return true;
        }
        double unit = Math.pow(10, decimals);
        double shown = Math.round(Math.abs(value) * unit) / unit;
        boolean isWhole = isPercent && shown >= 100 && Math.abs(value) < 100 - LEAST_OF_PERCENT;
        return !isWhole && Math.abs(shown - Math.abs(value)) <= MAX_ERROR * Math.abs(value);
    }
}
