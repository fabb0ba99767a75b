package io.pgstress.bson.number;

import java.math.BigInteger;

/**
 * For each k from -324 to 292 the number g = floor(10^-k * 2^r) + 1 with the r that makes it 126 bits long, in two words of 63 bits:
 * the table that {@link ShortestDouble} multiplies by.
 */
final class PowersOfTen {
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

    /** floor(10^exponent * 2^r), 126 bits long. */
    private static BigInteger scaled(int exponent) {
        BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
        if (exponent >= 0) {
            return power.shiftLeft(BITS).shiftRight(power.bitLength());
        }
        BigInteger quotient = BigInteger.ONE.shiftLeft(BITS + power.bitLength()).divide(power);
        return quotient.shiftRight(quotient.bitLength() - BITS);
    }

    /** The upper 63 bits of g. */
    static long high(int k) {
        return HIGH[k - K_MIN];
    }

    /** The lower 63 bits of g. */
    static long low(int k) {
        return LOW[k - K_MIN];
    }
}
