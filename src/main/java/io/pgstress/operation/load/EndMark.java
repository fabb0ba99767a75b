package io.pgstress.operation.load;

/**
 * Finds the line {@code \.}, by which COPY's text form ends: servers leave out what comes behind it, and say nothing. Looked for in
 * a COPY's bytes from the beginning of a line on, portion by portion. Not thread-safe.
 */
final class EndMark {
    /** Where in a line it is: within one of another kind, or how much of the mark is there. */
    private static final int NO_MARK = -1;

    private static final int WHOLE = 2;

    private int found;

    /** A COPY begins. */
    void begin() {
        found = 0;
    }

    /** Where the line ends that is the mark, counted in these bytes; -1: none does. */
    int endIn(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            byte next = bytes[i];
            if (next == '\n') {
                if (found == WHOLE) {
                    return i + 1;
                }
                found = 0;
            } else if (found != NO_MARK && !(found == WHOLE && next == '\r')) {
                found = found < WHOLE && next == (found == 0 ? '\\' : '.') ? found + 1 : NO_MARK;
            }
        }
        return -1;
    }
}
