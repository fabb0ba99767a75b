package io.pgstress.bson.json;

/**
 * A document that was not converted, and why.
 *
 * @param offset the byte of the document, from 0, at which the fault is
 * @param detail what was found there, as a phrase; empty if the fault says it all
 */
public record Reject(Fault fault, int offset, String detail) {
    /** Fault, detail and place in one line. */
    public String message() {
        return fault.text() + (detail.isEmpty() ? "" : ": " + detail) + ", at byte " + offset + " of the document";
    }
}
