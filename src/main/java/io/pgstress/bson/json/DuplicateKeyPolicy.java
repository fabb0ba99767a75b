package io.pgstress.bson.json;

/** What becomes of an object that has a key twice. jsonb keeps the last of them. */
public enum DuplicateKeyPolicy {
    /** Counted; all are written and jsonb keeps the last. */
    KEEP_LAST,
    /** The document is rejected. */
    REJECT
}
