package io.pgstress.bson.json;

/**
 * A document that was not converted, and why.
 *
 * @param offset offset of the fault in the document, from 0
 * @param detail a phrase that describes what was found there; empty if the fault says enough
 */
public record Reject(Fault fault, int offset, String detail) {
    /** Fault, detail and offset in one line. */
    public String message() {
        return fault.text() + (detail.isEmpty() ? "" : ": " + detail) + ", at byte " + offset + " of the document";
    }
}
