package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Elements;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a column one after the other. A control byte begins a literal (its type), differences in Simple-8b, or a
 * sequence of objects whose fields are interleaved; a zero ends the column. Not thread-safe.
 */
public final class Column {
    private static final int OBJECTS_WITH_WHOLE_ARRAYS = 0xf0;
    private static final int OBJECTS = 0xf1;
    private static final int ARRAYS = 0xf2;
    private static final int LITERAL_MASK = 0xe0;

    private final byte[] bytes;
    private final int end;
    private int at;
    private final Values values = new Values();
    private @Nullable Objects objects;
    private @Nullable Element current;

    /** Reads the column in these bytes, which must not be changed. */
    public Column(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        at = from;
        end = from + length;
    }

    /**
     * Moves to the next value; false at the end.
     *
     * @throws ColumnException if the column is malformed
     */
    public boolean next() throws ColumnException {
        Objects open = objects;
        if (open != null) {
            if (open.next(this)) {
                current = open.value();
                return true;
            }
            at++;
            values.repeat(current);
            objects = null;
        }
        if (values.next()) {
            current = values.value();
            return true;
        }
        int control = control();
        if (control == OBJECTS_WITH_WHOLE_ARRAYS || control == OBJECTS || control == ARRAYS) {
            return begin(control);
        }
        if (control == 0) {
            if (at + 1 != end) {
                throw new ColumnException("bytes after the end of the column");
            }
            return false;
        }
        current = load(values);
        return true;
    }

    private boolean begin(int control) throws ColumnException {
        int size = sizeOf(BsonType.DOCUMENT, at + 1);
        Objects begun = new Objects(bytes, at + 1, control == ARRAYS, control != OBJECTS_WITH_WHOLE_ARRAYS);
        at += 1 + size;
        if (!begun.next(this)) {
            throw new ColumnException("interleaved objects without an object");
        }
        objects = begun;
        current = begun.value();
        return true;
    }

    /** The current value; null if it is missing. */
    public @Nullable Element value() {
        return current;
    }

    /** The next control byte. */
    int control() throws ColumnException {
        if (at >= end) {
            throw new ColumnException("the end of the bytes before the end of the column");
        }
        return bytes[at] & 0xff;
    }

    /** Reads a literal or begins differences; returns the first value, null if it is missing. */
    @Nullable
    Element load(Values into) throws ColumnException {
        int control = control();
        if ((control & LITERAL_MASK) == 0 || control == BsonType.MIN_KEY || control == BsonType.MAX_KEY) {
            return into.literal(literal(control));
        }
        int words = (control & 0x0f) + 1;
        int from = at + 1;
        at = from + words * Long.BYTES;
        if (at >= end) {
            throw new ColumnException("the end of the bytes within differences");
        }
        into.differences(control, bytes, from, words);
        into.next();
        return into.value();
    }

    private Element literal(int type) throws ColumnException {
        if (at + 1 >= end || bytes[at + 1] != 0) {
            throw new ColumnException("a literal with a name");
        }
        int from = at + 2;
        int size = sizeOf(type, from);
        at = from + size;
        return new Element(type, bytes, from, size);
    }

    private int sizeOf(int type, int from) throws ColumnException {
        int after = from > end ? -1 : Elements.end(type, bytes, from, end);
        if (after < 0) {
            throw new ColumnException(String.format(Locale.ROOT, "no valid value of type 0x%02x", type));
        }
        return after - from;
    }
}
