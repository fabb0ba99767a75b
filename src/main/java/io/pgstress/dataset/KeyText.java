package io.pgstress.dataset;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Packs the text of an id into fewer bytes: a UUID into 16, an ObjectId or other text of lowercase hexadecimal digits into
 * half. The first byte tells how. Stateless.
 */
final class KeyText {
    private static final byte PLAIN = 0;
    private static final byte HEX = 1;
    private static final byte ODD_HEX = 2;
    private static final byte UUID = 3;

    private static final int UUID_LENGTH = 36;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
    private static final int[] UUID_DASHES = {8, 13, 18, 23};

    private KeyText() {}

    /** The packed form of these bytes of text. */
    static byte[] pack(byte[] text, int from, int to) {
        if (to - from == UUID_LENGTH) {
            byte[] digits = withoutDashes(text, from);
            if (isHex(digits, 0, digits.length)) {
                return packHex(UUID, digits, 0, digits.length);
            }
        }
        if (isHex(text, from, to)) {
            return packHex((to - from) % 2 == 0 ? HEX : ODD_HEX, text, from, to);
        }
        byte[] packed = new byte[to - from + 1];
        packed[0] = PLAIN;
        System.arraycopy(text, from, packed, 1, to - from);
        return packed;
    }

    /** The digits of a UUID; something that is not hexadecimal if the dashes are elsewhere. */
    private static byte[] withoutDashes(byte[] text, int from) {
        byte[] digits = new byte[UUID_LENGTH - UUID_DASHES.length];
        int at = 0;
        int dashes = 0;
        for (int i = 0; i < UUID_LENGTH; i++) {
            if (dashes < UUID_DASHES.length && i == UUID_DASHES[dashes]) {
                if (text[from + i] != '-') {
                    return new byte[1];
                }
                dashes++;
            } else {
                digits[at++] = text[from + i];
            }
        }
        return digits;
    }

    private static boolean isHex(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (value(text[i]) < 0) {
                return false;
            }
        }
        return to > from;
    }

    private static int value(byte digit) {
        if (digit >= '0' && digit <= '9') {
            return digit - '0';
        }
        return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
    }

    private static byte[] packHex(byte kind, byte[] digits, int from, int to) {
        byte[] packed = new byte[1 + (to - from + 1) / 2];
        packed[0] = kind;
        for (int i = from; i < to; i++) {
            int place = i - from;
            packed[1 + place / 2] |= (byte) (value(digits[i]) << (place % 2 == 0 ? 4 : 0));
        }
        return packed;
    }

    /** The text that was packed. */
    static String unpack(byte[] packed) {
        byte kind = packed[0];
        if (kind == PLAIN) {
            return new String(packed, 1, packed.length - 1, StandardCharsets.UTF_8);
        }
        byte[] text = new byte[kind == UUID ? UUID_LENGTH : 2 * (packed.length - 1)];
        int at = 0;
        for (int i = 1; i < packed.length; i++) {
            if (kind == UUID && Arrays.binarySearch(UUID_DASHES, at) >= 0) {
                text[at++] = '-';
            }
            text[at++] = DIGITS[packed[i] >> 4 & 15];
            text[at++] = DIGITS[packed[i] & 15];
        }
        return new String(text, 0, kind == ODD_HEX ? at - 1 : at, StandardCharsets.ISO_8859_1);
    }

    /** The integer whose decimal digits these bytes are. */
    static long number(byte[] text, int from, int to) {
        boolean isNegative = text[from] == '-';
        long number = 0;
        for (int i = isNegative ? from + 1 : from; i < to; i++) {
            number = 10 * number - (text[i] - '0'); // negative, as Long.MIN_VALUE has no positive counterpart
        }
        return isNegative ? number : -number;
    }
}
