package io.pgstress.bson;

/** Encodes characters as UTF-8 without an intermediate array. */
final class Utf8Encoder {
    private static final int REPLACEMENT = 0xfffd;

    private Utf8Encoder() {}

    static void append(CharSequence text, ByteSink out) {
        byte[] target = out.ensure(3 * text.length());
        int w = out.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                target[w++] = (byte) c;
            } else if (c < 0x800) {
                target[w++] = (byte) (0xc0 | c >> 6);
                target[w++] = continuation(c);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                target[w++] = (byte) (0xf0 | point >> 18);
                target[w++] = continuation(point >> 12);
                target[w++] = continuation(point >> 6);
                target[w++] = continuation(point);
            } else {
                int point = Character.isSurrogate(c) ? REPLACEMENT : c;
                target[w++] = (byte) (0xe0 | point >> 12);
                target[w++] = continuation(point >> 6);
                target[w++] = continuation(point);
            }
        }
        out.length(w);
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }
}
