package io.pgstress.bson.json;

import java.math.BigInteger;

/**
 * The shortest decimal that reads back as the same double, and the nearest one of that length: digits times a power of ten.
 * This is the Schubfach algorithm (Raffaele Giulietti, "The Schubfach way to render doubles", 2020; the names are the paper's),
 * which {@link Double#toString(double)} uses from JDK 19 on. JDK 17 gives more digits for some numbers (2E23 as
 * 1.9999999999999998E23), and the text of a key must not depend on the JDK: see ADR 8. Allocates nothing; one instance per
 * converter.
 */
final class ShortestDouble {
    private static final int PRECISION = 53;
    private static final int Q_MIN = -1074;
    private static final long C_MIN = 1L << (PRECISION - 1);
    /** Smaller subnormal multiples are scaled by ten to have two digits. */
    private static final long C_TINY = 3;

    /** Below this, thousandths have at most 15 digits and are exact. */
    private static final double FEW_MAX = 1e11;

    private static final double FEW_MIN = 1e-2;

    private static final long MASK_63 = Long.MAX_VALUE;

    private long digits;
    private int exponent;

    /** The decimal's digits as a number, without trailing zeros unless it is 0. */
    long digits() {
        return digits;
    }

    /** The power of ten that the digits are multiplied by. */
    int exponent() {
        return exponent;
    }

    /** Decomposes the magnitude of {@code value}, which must be finite. */
    void decompose(double value) {
        long bits = Double.doubleToRawLongBits(value);
        long t = bits & (C_MIN - 1);
        int biased = (int) (bits >>> (PRECISION - 1)) & 0x7ff;
        if (biased == 0) {
            if (t < C_TINY) {
                decompose(Q_MIN, 10 * t, -1);
            } else {
                decompose(Q_MIN, t, 0);
            }
            return;
        }
        if (fewDecimals(Math.abs(value))) {
            return;
        }
        int q = biased + Q_MIN - 1;
        long c = C_MIN | t;
        if (q < 0 && -q < PRECISION && (c >> -q) << -q == c) {
            set(c >> -q, 0);
        } else {
            decompose(q, c, 0);
        }
    }

    /**
     * A fast path for numbers with at most three decimals, such as prices. Doubles distinguish all decimals of up to 15 digits,
     * so one that reads back as the number is the only one; and reading it is a division by a power of ten.
     */
    private boolean fewDecimals(double magnitude) {
        if (magnitude >= FEW_MAX || magnitude < FEW_MIN) {
            return false;
        }
        long thousandths = (long) (magnitude * 1000 + 0.5);
        if (thousandths / 1000.0 != magnitude) {
            return false;
        }
        set(thousandths, -3);
        return true;
    }

    private void decompose(int q, long c, int dk) {
        if (c == 0) {
            set(0, 0);
            return;
        }
        boolean regular = c != C_MIN || q == Q_MIN;
        int k = regular ? floorLog10Pow2(q) : floorLog10ThreeQuartersPow2(q);
        int h = q + floorLog2Pow10(-k) + 2;
        long g1 = PowersOfTen.high(k);
        long g0 = PowersOfTen.low(k);
        long out = c & 1;
        long vb = roundToOdd(g1, g0, (c << 2) << h);
        long vbl = roundToOdd(g1, g0, ((c << 2) - (regular ? 2 : 1)) << h) + out;
        long vbr = roundToOdd(g1, g0, ((c << 2) + 2) << h) - out;
        long s = vb >> 2;
        if (s >= 100) {
            long s10 = s / 10 * 10;
            long t10 = s10 + 10;
            boolean under = vbl <= s10 << 2;
            if (under != (t10 << 2 <= vbr)) {
                set(under ? s10 : t10, k);
                return;
            }
        }
        nearer(vb, vbl, vbr, k + dk);
    }

    private void nearer(long vb, long vbl, long vbr, int power) {
        long s = vb >> 2;
        long t = s + 1;
        boolean under = vbl <= s << 2;
        boolean over = t << 2 <= vbr;
        if (under != over) {
            set(under ? s : t, power);
            return;
        }
        long side = vb - ((s + t) << 1);
        set(side < 0 || (side == 0 && (s & 1) == 0) ? s : t, power);
    }

    private void set(long decimal, int power) {
        digits = decimal;
        exponent = power;
        while (digits != 0 && digits % 10 == 0) {
            digits /= 10;
            exponent++;
        }
    }

    private static long roundToOdd(long g1, long g0, long cp) {
        long x1 = Math.multiplyHigh(g0, cp);
        long y0 = g1 * cp;
        long y1 = Math.multiplyHigh(g1, cp);
        long z = (y0 >>> 1) + x1;
        long w = y1 + (z >>> 63);
        return w | (((z & MASK_63) + MASK_63) >>> 63);
    }

    private static int floorLog10Pow2(int e) {
        return (int) ((e * 661_971_961_083L) >> 41);
    }

    private static int floorLog10ThreeQuartersPow2(int e) {
        return (int) ((e * 661_971_961_083L - 274_743_187_321L) >> 41);
    }

    private static int floorLog2Pow10(int e) {
        return (int) ((e * 913_124_641_741L) >> 38);
    }

    /**
     * The table of multipliers for {@link ShortestDouble}: for each k from -324 to 292, g = floor(10^-k * 2^r) + 1, with r such
     * that g has 126 bits, in two words of 63 bits.
     */
    static final class PowersOfTen {
        static final int K_MIN = -324;
        static final int K_MAX = 292;
        private static final int BITS = 126;
        private static final long[] HIGH = new long[K_MAX - K_MIN + 1];
        private static final long[] LOW = new long[K_MAX - K_MIN + 1];

        static {
            BigInteger mask = BigInteger.ONE.shiftLeft(63).subtract(BigInteger.ONE);
            for (int k = K_MIN; k <= K_MAX; k++) {
                BigInteger g = scaled(-k).add(BigInteger.ONE);
                HIGH[k - K_MIN] = g.shiftRight(63).longValueExact();
                LOW[k - K_MIN] = g.and(mask).longValueExact();
            }
        }

        private PowersOfTen() {}

        /** Computes floor(10^exponent * 2^r) with 126 bits. */
        private static BigInteger scaled(int exponent) {
            BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
            if (exponent >= 0) {
                return power.shiftLeft(BITS).shiftRight(power.bitLength());
            }
            BigInteger quotient =
                    BigInteger.ONE.shiftLeft(BITS + power.bitLength()).divide(power);
            return quotient.shiftRight(quotient.bitLength() - BITS);
        }

        /** The high 63 bits of g. */
        static long high(int k) {
            return HIGH[k - K_MIN];
        }

        /** The low 63 bits of g. */
        static long low(int k) {
            return LOW[k - K_MIN];
        }
    }
}
