package io.pgstress.bson.text;

/** What becomes of bytes that are not UTF-8. */
public enum Utf8Policy {
    /** The document is rejected. */
    REJECT,
    /** U+FFFD takes the place of each ill-formed sequence, cut as Unicode recommends (maximal subparts). */
    REPLACE
}
