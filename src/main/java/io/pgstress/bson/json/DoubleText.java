package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Decimal128Text.Decimals;
import java.nio.charset.StandardCharsets;

/**
 * Writes doubles in the notation of {@link Double#toString(double)} with the digits of {@link ShortestDouble}. There is always
 * a decimal point, so that relaxed JSON distinguishes doubles from integers. Below 10^-3 and from 10^7 on there is an exponent
 * with a sign, as in MongoDB's BSON corpus (1.2E+18). Allocates nothing; one per converter.
 */
public final class DoubleText {
    private static final byte[] NAN = "NaN".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INFINITY = "Infinity".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_LENGTH = 26;

    private final ShortestDouble shortest = new ShortestDouble();
    private final byte[] scratch = new byte[20];

    /** Appends the number; {@code NaN} and {@code Infinity} by these names. */
    public void write(double value, ByteSink out) {
        if (Double.isNaN(value)) {
            out.put(NAN);
            return;
        }
        if (Double.doubleToRawLongBits(value) < 0) {
            out.put('-');
        }
        if (Double.isInfinite(value)) {
            out.put(INFINITY);
        } else {
            shortest.decompose(value);
            finite(out);
        }
    }

    private void finite(ByteSink out) {
        int from = scratch.length;
        long rest = shortest.digits();
        do {
            scratch[--from] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        int count = scratch.length - from;
        int beforePoint = count + shortest.exponent();
        out.ensure(MAX_LENGTH);
        if (shortest.digits() == 0 || (beforePoint > 0 && beforePoint <= 7)) {
            fixed(from, count, Math.max(1, beforePoint), out);
        } else if (beforePoint > -3 && beforePoint <= 0) {
            out.put('0');
            out.put('.');
            zeros(-beforePoint, out);
            out.put(scratch, from, count);
        } else {
            fixed(from, count, 1, out);
            out.put('E');
            if (beforePoint > 0) {
                out.put('+');
            }
            Decimals.write(beforePoint - 1, out);
        }
    }

    /** Writes digits with the decimal point after the first {@code whole}, padded with zeros. */
    private void fixed(int from, int count, int whole, ByteSink out) {
        int wholeDigits = Math.min(whole, count);
        out.put(scratch, from, wholeDigits);
        zeros(whole - wholeDigits, out);
        out.put('.');
        if (count > wholeDigits) {
            out.put(scratch, from + wholeDigits, count - wholeDigits);
        } else {
            out.put('0');
        }
    }

    private static void zeros(int count, ByteSink out) {
        for (int i = 0; i < count; i++) {
            out.put('0');
        }
    }
}
