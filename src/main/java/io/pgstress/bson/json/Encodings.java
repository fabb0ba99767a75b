package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import java.nio.charset.StandardCharsets;

/** Writes bytes as hexadecimal digits or as padded base64; allocates nothing. */
public final class Encodings {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".getBytes(StandardCharsets.US_ASCII);

    private Encodings() {}

    /** Appends two lower-case digits per byte. */
    public static void hex(byte[] source, int from, int count, ByteSink out) {
        byte[] target = out.ensure(2 * count);
        int w = out.length();
        for (int i = from; i < from + count; i++) {
            target[w++] = HEX[source[i] >> 4 & 0xf];
            target[w++] = HEX[source[i] & 0xf];
        }
        out.length(w);
    }

    public static void base64(byte[] source, int from, int count, ByteSink out) {
        byte[] target = out.ensure(count / 3 * 4 + 4);
        int w = out.length();
        int at = from;
        for (int end = from + count - 2; at < end; at += 3) {
            int bits = (source[at] & 0xff) << 16 | (source[at + 1] & 0xff) << 8 | (source[at + 2] & 0xff);
            target[w++] = BASE64[bits >> 18];
            target[w++] = BASE64[bits >> 12 & 63];
            target[w++] = BASE64[bits >> 6 & 63];
            target[w++] = BASE64[bits & 63];
        }
        int left = from + count - at;
        if (left > 0) {
            int bits = (source[at] & 0xff) << 16 | (left == 2 ? (source[at + 1] & 0xff) << 8 : 0);
            target[w++] = BASE64[bits >> 18];
            target[w++] = BASE64[bits >> 12 & 63];
            target[w++] = left == 2 ? BASE64[bits >> 6 & 63] : (byte) '=';
            target[w++] = '=';
        }
        out.length(w);
    }
}
