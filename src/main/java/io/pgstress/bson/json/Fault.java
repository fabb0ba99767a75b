package io.pgstress.bson.json;

/** Why a document was rejected. */
public enum Fault {
    DOCUMENT_LENGTH("a document's length that is under 5 or passes its enclosing document"),
    DOCUMENT_END("a document that does not end with a zero byte where its length says"),
    UNKNOWN_TYPE("an unknown element type"),
    KEY_END("a key without its ending zero byte"),
    VALUE_END("a value that passes the end of its document"),
    STRING_LENGTH("a string's length that is under 1 or passes the end of its document"),
    STRING_END("a string without its ending zero byte"),
    CSTRING_END("a regular expression without its ending zero bytes"),
    BINARY_LENGTH("a binary's length that is negative, passes its document, or differs from that of subtype 2 inside"),
    BOOLEAN_VALUE("a boolean that is neither 0 nor 1"),
    SCOPE_LENGTH("code with scope whose parts do not add up to its length"),
    INVALID_UTF8("bytes that are not UTF-8"),
    NUL_CHARACTER("the character U+0000, which jsonb cannot hold"),
    TOO_DEEP("nesting deeper than the limit"),
    DUPLICATE_KEY("a key twice in one object"),
    KEY_MISSING("no _id"),
    KEY_NOT_FITTING("an _id that does not fit the key's type"),
    KEY_TOO_LONG("an _id longer than an index entry can be");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    /** What was found, as a phrase. */
    public String text() {
        return text;
    }
}
