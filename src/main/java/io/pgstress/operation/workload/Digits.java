package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import java.nio.charset.StandardCharsets;

/** Random digits in groups of 11, as in sysbench's columns c (10 groups) and pad (5). Not thread-safe. */
public final class Digits {
    private static final int GROUP = 11;
    private static final long MODULUS = 100_000_000_000L;

    private final SplitMix random;
    private final byte[] bytes;

    /** @param groups number of groups; a text has {@code 12 * groups - 1} characters */
    public Digits(SplitMix random, int groups) {
        this.random = random;
        this.bytes = new byte[(GROUP + 1) * groups - 1];
    }

    /** The next text. */
    public String next() {
        write(bytes, 0);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Writes the next text and returns its end. */
    int write(byte[] to, int from) {
        int end = from + bytes.length;
        for (int at = from; at < end; at += GROUP + 1) {
            long rest = (random.next() >>> 1) % MODULUS;
            for (int i = at + GROUP - 1; i >= at; i--) {
                to[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            if (at + GROUP < end) {
                to[at + GROUP] = '-';
            }
        }
        return end;
    }
}
