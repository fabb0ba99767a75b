package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import java.nio.charset.StandardCharsets;

/** The two formats of COPY ... FROM STDIN for rows, in UTF-8. */
public enum CopyFormat {
    /** One line per row, columns separated by tabs, with backslash escapes. */
    TEXT,
    /** A signature, rows of length-prefixed fields, and a trailer. A jsonb field is its version, 1, and its text. */
    BINARY;

    private static final String SIGNATURE = "PGCOPY\n\u00ff\r\n\0";

    /** Appends what comes before the first row. */
    public void begin(ByteSink out) {
        if (this == BINARY) {
            out.put(SIGNATURE.getBytes(StandardCharsets.ISO_8859_1));
            out.putInt(0);
            out.putInt(0);
        }
    }

    /** Appends what comes after the last row. */
    public void end(ByteSink out) {
        if (this == BINARY) {
            out.putShort(-1);
        }
    }
}
