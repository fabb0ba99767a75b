package io.pgstress.bson;

/** Why a document was rejected. */
public enum Fault {
    DOCUMENT_LENGTH("a document length below 5 or beyond its enclosing document"),
    DOCUMENT_END("a document that does not end with a zero byte where its length says"),
    UNKNOWN_TYPE("an unknown element type"),
    KEY_END("a key without its terminating zero byte"),
    VALUE_END("a value that extends beyond its document"),
    STRING_LENGTH("a string length below 1 or beyond the end of its document"),
    STRING_END("a string without its terminating zero byte"),
    CSTRING_END("a regular expression without its terminating zero bytes"),
    BINARY_LENGTH(
            "a binary length that is negative, beyond its document, or different from the inner length of subtype 2"),
    BOOLEAN_VALUE("a boolean that is neither 0 nor 1"),
    SCOPE_LENGTH("code with scope whose parts do not add up to its length"),
    INVALID_UTF8("bytes that are not UTF-8, or half a surrogate pair; --invalid-utf8 replace changes them"),
    NUL_CHARACTER("the character U+0000, which jsonb cannot store; --nul strip removes it"),
    TOO_DEEP("nesting deeper than --max-depth"),
    DUPLICATE_KEY("a duplicate key in an object"),
    INVALID_JSON("not Extended JSON"),
    KEY_MISSING("no _id; --missing-id generate makes one"),
    KEY_NOT_FITTING("an _id that does not fit the key type"),
    KEY_TOO_LONG("an _id too long for an index entry");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    /** A phrase that describes the fault. */
    public String text() {
        return text;
    }

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
}
