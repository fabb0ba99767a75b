package io.pgstress.importer.verify;

import io.pgstress.text.Counted;
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
            return "of its " + Counted.of(found.rows(), "row") + ", some differ from the input";
        }
        return String.format(
                Locale.ROOT,
                "it has %s, %,d %s than it should have",
                Counted.of(found.rows(), "row"),
                Math.abs(difference),
                difference > 0 ? "more" : "fewer");
    }
}
