package io.pgstress.importer.verify;

import java.util.Locale;

/**
 * What a table must hold, and what was read back from it.
 *
 * @param expected by the input, by what was in the table before, and by {@code --on-duplicate}
 * @param found in the table
 */
public record Verification(Checksum expected, Checksum found) {
    public boolean same() {
        return expected.equals(found);
    }

    /** What is wrong, for a person; empty where nothing is. */
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
