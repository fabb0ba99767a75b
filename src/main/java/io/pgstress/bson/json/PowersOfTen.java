package io.pgstress.bson.json;

import java.math.BigInteger;

/**
 * The table of multipliers for {@link ShortestDouble}: for each k from -324 to 292, g = floor(10^-k * 2^r) + 1, with r such
 * that g has 126 bits, in two words of 63 bits.
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

    /** Computes floor(10^exponent * 2^r) with 126 bits. */
    private static BigInteger scaled(int exponent) {
        BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
        if (exponent >= 0) {
            return power.shiftLeft(BITS).shiftRight(power.bitLength());
        }
        BigInteger quotient = BigInteger.ONE.shiftLeft(BITS + power.bitLength()).divide(power);
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
