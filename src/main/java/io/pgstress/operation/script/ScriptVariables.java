package io.pgstress.operation.script;

import io.pgstress.plan.script.Expression.ValueType;
import io.pgstress.plan.script.Expression.Variable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The variables of one client's script, by their numbers. A variable has a typed value, a text, or both: a text is typed when an
 * expression needs it, and it is sent as it is. Not thread-safe.
 */
final class ScriptVariables {
    /** Significant digits of a double that every double keeps. */
    private static final int KEPT_DIGITS = 15;

    /** Significant digits that tell any two doubles apart. */
    private static final int ALL_DIGITS = 17;

    private static final Pattern INTEGER = Pattern.compile("\\s*[-+]?\\d+");
    private static final Pattern REAL =
            Pattern.compile("\\s*[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?|\\s*[-+]?(?:inf(?:inity)?|nan)");

    /** Null: there is only a text, or no value at all. */
    private final @Nullable ValueType[] types;

    private final long[] integers;
    private final double[] reals;
    private final @Nullable String[] texts;

    /** @param size the number of variables */
    ScriptVariables(int size) {
        types = new ValueType[size];
        integers = new long[size];
        reals = new double[size];
        texts = new String[size];
    }

    /** Whether it has a value. */
    boolean isDefined(int slot) {
        return types[slot] != null || texts[slot] != null;
    }

    void forget(int slot) {
        types[slot] = null;
        texts[slot] = null;
    }

    void setText(int slot, String text) {
        types[slot] = null;
        texts[slot] = text;
    }

    void setInteger(int slot, long value) {
        set(slot, ValueType.INT, value, 0);
    }

    /** @param integer an integer, or 1 for true */
    void set(int slot, ValueType type, long integer, double real) {
        types[slot] = type;
        integers[slot] = integer;
        reals[slot] = real;
        texts[slot] = null;
    }

    /** Whether its value is an integer, also in a text that has been typed. */
    boolean isInteger(int slot) {
        return types[slot] == ValueType.INT && texts[slot] == null;
    }

    long integer(int slot) {
        return integers[slot];
    }

    double real(int slot) {
        return reals[slot];
    }

    /**
     * The type of its value.
     *
     * @throws ScriptFailure if it has none, or its text is not a value
     */
    ValueType type(Variable variable) throws ScriptFailure {
        ValueType known = types[variable.slot()];
        if (known != null) {
            return known;
        }
        String text = texts[variable.slot()];
        if (text == null) {
            throw ScriptFailure.undefined(variable.name());
        }
        return typed(variable, text);
    }

    private ValueType typed(Variable variable, String text) throws ScriptFailure {
        int slot = variable.slot();
        String small = text.toLowerCase(Locale.ROOT);
        ValueType type;
        if (small.isEmpty()) {
            throw ScriptFailure.malformed(variable.name(), text);
        } else if (small.equals("null")) {
            type = ValueType.NULL;
        } else if ("true".startsWith(small) || "yes".startsWith(small) || small.equals("on")) {
            type = ValueType.BOOLEAN;
            integers[slot] = 1;
        } else if ("false".startsWith(small) || "no".startsWith(small) || small.equals("off") || small.equals("of")) {
            type = ValueType.BOOLEAN;
            integers[slot] = 0;
        } else if (INTEGER.matcher(small).matches()) {
            type = ValueType.INT;
            integers[slot] = integer(variable, text);
        } else {
            type = ValueType.DOUBLE;
            reals[slot] = real(variable, small);
        }
        types[slot] = type;
        return type;
    }

    private static long integer(Variable variable, String text) throws ScriptFailure {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw ScriptFailure.malformed(variable.name(), text);
        }
    }

    private static double real(Variable variable, String text) throws ScriptFailure {
        if (!REAL.matcher(text).matches()) {
            throw ScriptFailure.malformed(variable.name(), text);
        }
        String number = text.strip();
        boolean isNegative = number.startsWith("-");
        String digits = isNegative || number.startsWith("+") ? number.substring(1) : number;
        if (digits.startsWith("nan")) {
            return Double.NaN;
        }
        double value = digits.startsWith("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(digits);
        if (Double.isInfinite(value) && !digits.startsWith("inf")) {
            throw ScriptFailure.malformed(variable.name(), text);
        }
        return isNegative ? -value : value;
    }

    /** Its value as text, as it is sent; null if it has none. */
    @Nullable
    String text(int slot) {
        String text = texts[slot];
        ValueType type = types[slot];
        if (text != null || type == null) {
            return text;
        }
        return switch (type) {
            case NULL -> "NULL";
            case BOOLEAN -> integers[slot] != 0 ? "true" : "false";
            case INT -> Long.toString(integers[slot]);
            case DOUBLE -> text(reals[slot]);
        };
    }

    /** As pgbench writes a double with {@code %.15g}. */
    static String text(double value) {
        return text(value, KEPT_DIGITS);
    }

    /** As the server writes a double: with as many digits as tell it apart from all others. */
    static String exactText(double value) {
        String text = text(value);
        for (int digits = KEPT_DIGITS + 1; digits <= ALL_DIGITS && Double.parseDouble(text) != value; digits++) {
            text = text(value, digits);
        }
        return text;
    }

    private static String text(double value, int significant) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value); // NaN, Infinity
        }
        if (value == 0) {
            return 1 / value > 0 ? "0" : "-0";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(significant, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        BigDecimal shown = rounded.stripTrailingZeros();
        if (exponent >= -4 && exponent < KEPT_DIGITS) {
            return shown.toPlainString();
        }
        String digits = shown.movePointLeft(exponent).toPlainString();
        return String.format(Locale.ROOT, "%se%+03d", digits, exponent);
    }
}
