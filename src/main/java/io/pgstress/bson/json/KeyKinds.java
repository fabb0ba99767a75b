package io.pgstress.bson.json;

import java.util.EnumSet;
import java.util.Set;

/**
 * The set of key kinds seen so far. It only grows, so the order of adding and merging does not matter. Not thread-safe; each
 * worker has its own, which are merged at the end.
 */
public final class KeyKinds {
    private int seen;

    private static int bit(KeyKind kind) {
        return 1 << kind.ordinal();
    }

    public void add(KeyKind kind) {
        seen |= bit(kind);
    }

    public void merge(KeyKinds other) {
        seen |= other.seen;
    }

    public Set<KeyKind> kinds() {
        Set<KeyKind> kinds = EnumSet.noneOf(KeyKind.class);
        for (KeyKind kind : KeyKind.values()) {
            if ((seen & bit(kind)) != 0) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    /** The narrowest form that can hold every key seen; text if none was. */
    public KeyForm form() {
        if (seen == 0) {
            return KeyForm.TEXT;
        }
        if (only(KeyKind.INT)) {
            return KeyForm.INT;
        }
        if (only(KeyKind.INT, KeyKind.LONG)) {
            return KeyForm.BIGINT;
        }
        if (only(KeyKind.INT, KeyKind.LONG, KeyKind.DOUBLE)) {
            return KeyForm.NUMERIC;
        }
        if (only(KeyKind.UUID)) {
            return KeyForm.UUID;
        }
        if (only(KeyKind.DATE)) {
            return KeyForm.TIMESTAMPTZ;
        }
        return only(KeyKind.OBJECT_ID) || only(KeyKind.STRING) ? KeyForm.TEXT : KeyForm.TEXT_OF_JSON;
    }

    private boolean only(KeyKind... kinds) {
        int allowed = 0;
        for (KeyKind kind : kinds) {
            allowed |= bit(kind);
        }
        return (seen & ~allowed) == 0;
    }
}
