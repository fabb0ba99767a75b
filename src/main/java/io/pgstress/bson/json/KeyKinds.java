package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import java.util.EnumSet;
import java.util.Set;

/**
 * The set of key kinds seen so far. It only grows, so the order of adding and merging does not matter. Not thread-safe; each
 * worker has its own, which are merged at the end.
 */
public final class KeyKinds {
    private final EnumSet<KeyKind> seen = EnumSet.noneOf(KeyKind.class);

    public void add(KeyKind kind) {
        seen.add(kind);
    }

    public void merge(KeyKinds other) {
        seen.addAll(other.seen);
    }

    public Set<KeyKind> kinds() {
        return EnumSet.copyOf(seen);
    }

    /** The narrowest form that can hold every key seen; text if none was. */
    public KeyForm form() {
        if (only(KeyKind.OBJECT_ID) || only(KeyKind.STRING)) {
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
        return only(KeyKind.DATE) ? KeyForm.TIMESTAMPTZ : KeyForm.TEXT_OF_JSON;
    }

    private boolean only(KeyKind... kinds) {
        return Set.of(kinds).containsAll(seen);
    }

    /** The kind of an {@code _id}, as far as it matters for the column's type. */
    public enum KeyKind {
        INT("an int32"),
        LONG("an int64"),
        /** A double that is a number. */
        DOUBLE("a double"),
        OBJECT_ID("an ObjectId"),
        /** A binary of subtype 4 and 16 bytes. */
        UUID("a UUID"),
        STRING("a string"),
        /** A date in the range of timestamptz, 4713 BC to AD 294276. */
        DATE("a date"),
        /** Anything else: a document, a decimal, NaN, a date out of range, ... */
        OTHER("of another type");

        private static final int UUID_SUBTYPE = 4;
        private static final int UUID_SIZE = 16;

        private final String phrase;

        KeyKind(String phrase) {
            this.phrase = phrase;
        }

        /** Its name with an article. */
        public String phrase() {
            return phrase;
        }

        /** The kind of the value of this type at {@code at}, which must be complete, as {@link KeyFinder} ensures. */
        public static KeyKind of(int type, byte[] bytes, int at) {
            return switch (type) {
                case BsonType.INT32 -> INT;
                case BsonType.INT64 -> LONG;
                case BsonType.DOUBLE ->
                    Double.isFinite(Double.longBitsToDouble(Bytes.longAt(bytes, at))) ? DOUBLE : OTHER;
                case BsonType.OBJECT_ID -> OBJECT_ID;
                case BsonType.BINARY ->
                    bytes[at + 4] == UUID_SUBTYPE && Bytes.intAt(bytes, at) == UUID_SIZE ? UUID : OTHER;
                case BsonType.STRING -> STRING;
                case BsonType.DATE -> Timestamps.holds(Bytes.longAt(bytes, at)) ? DATE : OTHER;
                default -> OTHER;
            };
        }
    }
}
