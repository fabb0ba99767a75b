package io.pgstress.extra.suggest;

import org.jspecify.annotations.Nullable;

/**
 * A change of one field.
 *
 * @param path the field
 * @param value the type of the new value
 * @param count number of values; 1 except for arrays that get several
 */
public record Change(String path, Kind kind, Made value, int count) {
    /** What is done to the field. */
    public enum Kind {
        SET,
        /** Set to the current time. */
        NOW,
        ADD,
        SUBTRACT,
        MULTIPLY,
        /** Set if the new value is smaller. */
        MIN,
        /** Set if the new value is greater. */
        MAX,
        UNSET,
        PUSH,
        ADD_TO_SET,
        PULL,
        POP_FIRST,
        POP_LAST
    }

    /**
     * The type of a value.
     *
     * @param kind as {@link BsonValues#kind} returns it
     * @param size characters of a string, rounded up to a power of two; otherwise 0
     */
    public record Made(String kind, int size) {
        static final Made NOTHING = new Made("null", 0);

        static Made of(@Nullable Object value) {
            return new Made(
                    BsonValues.kind(value), value instanceof String text ? Condition.rounded(text.length()) : 0);
        }
    }
}
