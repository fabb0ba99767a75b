package io.pgstress.importer;

/** How large a document's row may become. */
final class Expansion {
    /** What JSON needs more for a control character: six characters for one. */
    private static final int ESCAPED = 5;

    private static final int SLACK = 1 << 12;

    private Expansion() {}

    /** An estimate in bytes: right for text, whatever is escaped in it, and ample for small numbers. */
    static int estimate(byte[] bytes, int from, int size) {
        int escaped = 0;
        for (int i = from; i < from + size; i++) {
            int c = bytes[i] & 0xff;
            escaped += c < 0x20 ? ESCAPED : 0;
            escaped += c == '"' || c == '\\' ? 1 : 0;
        }
        return size + escaped + SLACK;
    }
}
