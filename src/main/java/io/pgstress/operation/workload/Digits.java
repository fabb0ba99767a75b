package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;

/** Text of random digits in groups of 11, as sysbench fills its columns c (10 groups) and pad (5). Not thread-safe. */
final class Digits {
    private static final int GROUP = 11;
    private static final long MODULUS = 100_000_000_000L;

    private final SplitMix random;
    private final char[] chars;

    /** @param groups how many; a text is of {@code 12 * groups - 1} characters */
    Digits(SplitMix random, int groups) {
        this.random = random;
        this.chars = new char[(GROUP + 1) * groups - 1];
    }

    String next() {
        for (int at = 0; at < chars.length; at += GROUP + 1) {
            long rest = (random.next() >>> 1) % MODULUS;
            for (int i = at + GROUP - 1; i >= at; i--) {
                chars[i] = (char) ('0' + rest % 10);
                rest /= 10;
            }
            if (at + GROUP < chars.length) {
                chars[at + GROUP] = '-';
            }
        }
        return new String(chars);
    }
}
