package io.pgstress.bson.text;

/** What becomes of the character U+0000 in a string, which jsonb cannot hold. (Keys cannot hold it in BSON.) */
public enum NulPolicy {
    /** The document is rejected. */
    REJECT,
    /** The character is left out. */
    STRIP,
    /** U+FFFD takes its place. */
    REPLACE
}
