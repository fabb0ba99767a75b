package io.pgstress.operation.custom;

import io.pgstress.dataset.SplitMix;
import java.nio.charset.StandardCharsets;

/** Texts of a pattern in which each {@code #} is a random digit. Not thread-safe. */
public final class DigitText {
    /** Digits taken from one random number; each digit's bias is below 1 / 1000. */
    private static final int PER_NUMBER = 15;

    private final SplitMix random;
    private final byte[] pattern;
    private final byte[] bytes;

    public DigitText(SplitMix random, String pattern) {
        this.random = random;
        this.pattern = pattern.getBytes(StandardCharsets.UTF_8);
        this.bytes = new byte[this.pattern.length];
    }

    public String next() {
        write(bytes, 0);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Writes the next text in UTF-8 and returns its end. */
    public int write(byte[] to, int from) {
        long rest = 0;
        int left = 0;
        for (int i = 0; i < pattern.length; i++) {
            byte next = pattern[i];
            if (next == '#') {
                if (left == 0) {
                    rest = random.next() >>> 1;
                    left = PER_NUMBER;
                }
                next = (byte) ('0' + rest % 10);
                rest /= 10;
                left--;
            }
            to[from + i] = next;
        }
        return from + pattern.length;
    }
}
