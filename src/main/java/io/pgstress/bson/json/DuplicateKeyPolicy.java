package io.pgstress.bson.json;

/** What happens if an object repeats a key. jsonb keeps the last. */
public enum DuplicateKeyPolicy {
    /** Repetitions are counted; all are written and jsonb keeps the last. */
    KEEP_LAST,
    /** The document is rejected. */
    REJECT
}
