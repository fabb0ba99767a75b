package io.pgstress.bson.json;

/** What happens to invalid UTF-8. */
public enum Utf8Policy {
    /** The document is rejected. */
    REJECT,
    /** Each ill-formed sequence (maximal subpart, as Unicode recommends) is replaced with U+FFFD. */
    REPLACE
}
