package io.pgstress.plan.option;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shares as users write them: {@code 2%} or {@code 0.02}. */
public final class Percent {
    private static final Pattern FORM = Pattern.compile("([+-]?\\d+(?:\\.\\d+)?)\\s*(%?)");

    private Percent() {}

    /**
     * The share that the text says, 0.02 for {@code 2%}.
     *
     * @throws IllegalArgumentException where it says none
     */
    public static double parse(String text) {
        Matcher m = FORM.matcher(text.trim());
        if (!m.matches()) {
            throw new IllegalArgumentException("must be a share such as 2% or 0.02, was '" + text + "'");
        }
        BigDecimal number = new BigDecimal(m.group(1));
        return (m.group(2).isEmpty() ? number : number.movePointLeft(2)).doubleValue();
    }

    /** The share as percent without useless zeros: {@code 2%}, {@code 0.5%}. */
    public static String text(double share) {
        return BigDecimal.valueOf(share * 100)
                        .setScale(4, java.math.RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }
}
