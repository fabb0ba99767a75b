package io.pgstress.bson.timeseries;

import java.util.Locale;

/** How doubles are stored as whole numbers: multiplied by a power of ten, or by their bits. */
enum Scale {
    BITS(0),
    ONE(1),
    TEN(10),
    HUNDRED(100),
    TEN_THOUSAND(10_000),
    HUNDRED_MILLION(100_000_000);

    /** The upper four bits of the control byte that means {@link #BITS}; the others follow. */
    private static final int FIRST = 8;

    private static final Scale[] ALL = values();

    /** Beyond this, not every whole number is a double. */
    private static final double MAX_WHOLE = 1L << 53;

    private final double factor;

    Scale(double factor) {
        this.factor = factor;
    }

    /** The scale that a control byte before differences names. */
    static Scale of(int control) throws ColumnException {
        int index = (control >>> 4) - FIRST;
        if (index < 0 || index >= ALL.length) {
            throw new ColumnException(String.format(Locale.ROOT, "the control byte 0x%02x", control));
        }
        return ALL[index];
    }

    /** The number for a double, from which {@link #value} gives exactly this double. */
    long number(double value) throws ColumnException {
        long bits = Double.doubleToRawLongBits(value);
        if (this == BITS) {
            return bits;
        }
        double scaled = value * factor;
        long number = Math.round(scaled);
        if (!(Math.abs(scaled) <= MAX_WHOLE) || Double.doubleToRawLongBits(number / factor) != bits) {
            throw new ColumnException("differences of another scale than the double before them");
        }
        return number;
    }

    double value(long number) {
        return this == BITS ? Double.longBitsToDouble(number) : number / factor;
    }
}
