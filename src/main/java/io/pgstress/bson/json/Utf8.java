package io.pgstress.bson.json;

/** Validates UTF-8 by table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
    private Utf8() {}

    /**
     * The number of bytes, 2 to 4, of the non-ASCII character at {@code at}; if it is ill-formed, minus the number of bytes, 1
     * to 3, of its maximal subpart, which one U+FFFD replaces.
     */
    static int size(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return -1;
        }
        if (at + 1 == to || !secondFits(lead, bytes[at + 1] & 0xff)) {
            return -1;
        }
        int size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        for (int i = 2; i < size; i++) {
            if (at + i == to || (bytes[at + i] & 0xc0) != 0x80) {
                return -i;
            }
        }
        return size;
    }

    private static boolean secondFits(int lead, int second) {
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        return second >= lowest && second <= highest;
    }
}
