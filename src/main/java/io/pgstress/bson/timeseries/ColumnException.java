package io.pgstress.bson.timeseries;

import java.io.IOException;

/** Thrown when a column is malformed; the message says what was found, in a few words. */
public final class ColumnException extends IOException {
    private static final long serialVersionUID = 1L;

    public ColumnException(String message) {
        super(message);
    }
}
