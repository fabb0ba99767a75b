package io.pgstress.operation.bulk;

/**
 * Finds the ends of rows in COPY's input, byte by byte, as the server does: a line end within quotes is data, and a quote
 * doubled within quotes closes and reopens them (PostgreSQL's {@code CopyReadLineText}). Not thread-safe.
 */
final class RecordEnds {
    private final int quote;
    private boolean isQuoted;

    /** @param quote the quote character; {@link RowFormat#NO_QUOTE}: rows end at every line end */
    RecordEnds(int quote) {
        this.quote = quote;
    }

    /** Moves to a place in the input that is, or is not, within quotes. */
    void begin(boolean within) {
        isQuoted = within;
    }

    /** Whether the last byte is within quotes or opens them. */
    boolean isQuoted() {
        return isQuoted;
    }

    /** Takes the next byte; returns whether it ends a row. */
    boolean endsAt(int next) {
        if (next == quote) {
            isQuoted = !isQuoted;
        }
        return next == '\n' && !isQuoted;
    }
}
