package io.pgstress.report.format;

import io.pgstress.text.Rounded;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as text for people, the same in every locale. */
public final class Figures {
    private Figures() {}

    public static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    /** The number with this many decimals. */
    public static String decimal(double value, int decimals) {
        return Rounded.decimal(value, decimals);
    }

    /** A rate: one decimal below 1000, none above. */
    public static String rate(double perSecond) {
        return decimal(perSecond, perSecond < 1000 ? 1 : 0);
    }

    public static String seconds(double seconds) {
        return decimal(seconds, seconds < 100 ? 1 : 0) + " s";
    }

    /** An estimated duration: {@code 45 s}, {@code 12 min}, {@code 3.5 h}. */
    public static String about(double seconds) {
        if (seconds < 120) {
            return decimal(seconds, 0) + " s";
        }
        return seconds < 7200 ? decimal(seconds / 60, 0) + " min" : decimal(seconds / 3600, 1) + " h";
    }

    /** A ratio. With few figures, an interval's bounds may be extreme, so they are capped. */
    public static String ratio(double ratio) {
        return ratio > 100 ? "> 100" : ratio < 0.01 ? "< 0.01" : decimal(ratio, 3);
    }

    /** A time with a suitable unit. */
    public static String time(double micros) {
        if (micros < 1000) {
            return decimal(micros, micros < 100 ? 1 : 0) + " us";
        }
        return micros < 1_000_000
                ? decimal(micros / 1000, micros < 100_000 ? 2 : 0) + " ms"
                : decimal(micros / 1e6, 2) + " s";
    }

    /** A time in a table, in milliseconds without the unit, which the column's header names: the same in all tables. */
    public static String millis(double micros) {
        return decimal(micros / 1000, 3);
    }

    /** A number with three significant digits, or without decimals from 100 on. */
    public static String threeDigits(double value) {
        return decimal(value, value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
    }

    public static String percent(double share) {
        return Rounded.percent(share, share < 0.1 ? 2 : 1);
    }

    /** Bytes in powers of 1000. */
    public static String bytes(long bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= 1000 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        return decimal(value, unit == 0 || value >= 100 ? 0 : 1) + " " + units[unit];
    }

    /** For programs: a decimal number without grouping or exponent, with at most 6 decimals. */
    public static String plain(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
