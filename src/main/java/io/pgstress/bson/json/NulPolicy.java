package io.pgstress.bson.json;

/** What happens to the character U+0000 in a string, which jsonb cannot store. (BSON keys cannot contain it.) */
public enum NulPolicy {
    /** The document is rejected. */
    REJECT,
    /** The character is removed. */
    STRIP,
    /** The character is replaced with U+FFFD. */
    REPLACE
}
