package io.pgstress.operation.bulk;

/**
 * Finds the line {@code \.}, which ends the data of COPY: servers silently ignore everything after it (in CSV before
 * PostgreSQL 18). Within quotes, it is data. Scans the bytes of a COPY portion by portion, from the start of a row. Not
 * thread-safe.
 */
final class EndMark {
    /** State within a row: -1 in any other row, else the number of matched bytes of the mark. */
    private static final int NO_MARK = -1;

    private static final int WHOLE = 2;

    private RecordEnds ends = RowFormat.TEXT.ends();
    private int found;

    /** Resets the state for a new COPY. */
    void begin(RowFormat format) {
        ends = format.ends();
        found = 0;
    }

    /** The offset in these bytes at which the end mark's line ends; -1 if there is none. */
    int endIn(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            byte next = bytes[i];
            if (ends.endsAt(next)) {
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
