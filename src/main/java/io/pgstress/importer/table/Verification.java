package io.pgstress.importer.table;

import io.pgstress.text.Counted;

/**
 * The comparison of a table with the input after the import.
 *
 * @param rows rows read back
 * @param missing documents without a row
 * @param additional rows without a document that the table did not have before the import
 * @param different rows that differ from their document
 * @param examples the first ids of these, as the table or the input has them; empty if there are none
 */
public record Verification(long rows, long missing, long additional, long different, String examples) {
    public boolean same() {
        return missing == 0 && additional == 0 && different == 0;
    }

    /** The difference as a message; empty if there is none. */
    public String fault() {
        return same()
                ? ""
                : "of its " + Counted.of(rows, "row") + ", " + different + " differ from the input and " + additional
                        + " are not in it; " + missing + " of the input are missing"
                        + (examples.isEmpty() ? "" : "; such as with _id " + examples);
    }
}
