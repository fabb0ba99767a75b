package io.pgstress.extra.oplog;

import org.jspecify.annotations.Nullable;

/** What a batch knows of one document: its key and its current JSON. Not thread-safe. */
final class Slot {
    private final String key;
    private @Nullable String json;
    private boolean settled;
    private boolean needed;
    private boolean changed;

    /** @param key the key as text in SQL */
    Slot(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** The document; null if there is none. */
    @Nullable
    String json() {
        return json;
    }

    /** Notes that an operation of the batch determines the document, so its row need not be read for those after it. */
    void settle() {
        settled = true;
    }

    /** Notes that an operation needs the document as it is. */
    void need() {
        needed |= !settled;
    }

    /** Whether the row must be read. */
    boolean isNeeded() {
        return needed;
    }

    /** Sets the document as the table has it. */
    void loaded(String found) {
        json = found;
    }

    /** Sets the document that the row will have; null: no row. */
    void change(@Nullable String to) {
        json = to;
        changed = true;
    }

    boolean isChanged() {
        return changed;
    }
}
