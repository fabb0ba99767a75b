package io.pgstress.importer.verify;

import java.util.Locale;

/**
 * The expected contents of a table, and the contents read back.
 *
 * @param expected from the input, the earlier contents of the table and {@code --on-duplicate}
 * @param found what is in the table
 */
public record Verification(Checksum expected, Checksum found) {
    public boolean same() {
        return expected.equals(found);
    }

    /** The difference as a message; empty if there is none. */
    public String fault() {
        if (same()) {
            return "";
        }
        long difference = found.rows() - expected.rows();
        if (difference == 0) {
            return String.format(Locale.ROOT, "some of its %,d rows differ from the input", found.rows());
        }
        return String.format(
                Locale.ROOT,
                "it has %,d rows, %,d %s than it should have",
                found.rows(),
                Math.abs(difference),
                difference > 0 ? "more" : "fewer");
    }
}
