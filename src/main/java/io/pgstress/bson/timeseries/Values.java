package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values of one field: literals, and differences to the value before. Of dates, timestamps and ObjectIds, the differences of
 * the differences are stored. Not thread-safe.
 */
final class Values {
    private final Simple8b numbers = new Simple8b();
    private @Nullable Element last;
    private Scale scale = Scale.BITS;
    /** The last value as a number of 128 bits; most types use only the lower word. */
    private long low;

    private long high;
    /** The last difference, of types that store the differences of differences. */
    private long difference;

    /** Takes a value that others may repeat. Later values are not stored as differences from it. */
    void repeat(@Nullable Element value) {
        last = value;
        numbers.reset();
        low = 0;
        high = 0;
        difference = 0;
    }

    /** Takes a literal as the next value. */
    Element literal(Element value) {
        repeat(value);
        switch (value.type()) {
            case BsonType.OBJECT_ID -> low = ObjectIds.number(value.bytes(), value.from());
            case BsonType.DATE, BsonType.TIMESTAMP, BsonType.INT64 -> low = value.longValue();
            case BsonType.INT32 -> low = Bytes.intAt(value.bytes(), value.from());
            case BsonType.BOOLEAN -> low = value.bytes()[value.from()];
            case BsonType.DECIMAL128 -> wide(value.bytes(), value.from());
            case BsonType.STRING, BsonType.CODE, BsonType.BINARY -> wide(ShortText.number(value), 0);
            default -> {}
        }
        return value;
    }

    private void wide(byte[] bytes, int at) {
        low = Bytes.longAt(bytes, at);
        high = Bytes.longAt(bytes, at + Long.BYTES);
    }

    /**
     * Begins differences.
     *
     * @param control the control byte before them
     */
    void differences(int control, byte[] bytes, int at, int words) throws ColumnException {
        scale = Scale.of(control);
        Element before = last;
        if (before != null && before.type() == BsonType.DOUBLE) {
            low = scale.number(Double.longBitsToDouble(before.longValue()));
        } else if (scale != Scale.BITS) {
            throw new ColumnException("differences of doubles after another type");
        }
        numbers.begin(bytes, at, words);
    }

    /** Moves to the next difference; false if there is none. */
    boolean next() throws ColumnException {
        return numbers.next();
    }

    /** The value by the current difference; null if it is missing. */
    @Nullable
    Element value() throws ColumnException {
        Element before = last;
        if (numbers.isMissing() || before == null) {
            return null;
        }
        int type = before.type();
        boolean twice = type == BsonType.OBJECT_ID || type == BsonType.DATE || type == BsonType.TIMESTAMP;
        if (!twice && numbers.isZero()) {
            return before;
        }
        if (twice) {
            difference += numbers.low();
            low += difference;
        } else {
            add();
        }
        Element value = value(before);
        last = value;
        return value;
    }

    private void add() {
        long sum = low + numbers.low();
        boolean carry = Long.compareUnsigned(sum, low) < 0;
        low = sum;
        high += numbers.high() + (carry ? 1 : 0);
    }

    private Element value(Element before) throws ColumnException {
        return switch (before.type()) {
            case BsonType.DOUBLE -> Element.of(BsonType.DOUBLE, Double.doubleToRawLongBits(scale.value(low)));
            case BsonType.OBJECT_ID -> ObjectIds.value(low, before);
            case BsonType.DATE, BsonType.TIMESTAMP, BsonType.INT64 -> Element.of(before.type(), low);
            case BsonType.INT32 -> {
                byte[] bytes = new byte[Integer.BYTES];
                Bytes.putInt(bytes, 0, (int) low);
                yield Element.of(BsonType.INT32, bytes);
            }
            case BsonType.BOOLEAN -> Element.of(BsonType.BOOLEAN, new byte[] {(byte) (low == 0 ? 0 : 1)});
            case BsonType.DECIMAL128 -> {
                byte[] bytes = new byte[2 * Long.BYTES];
                Bytes.putLong(bytes, 0, low);
                Bytes.putLong(bytes, Long.BYTES, high);
                yield Element.of(BsonType.DECIMAL128, bytes);
            }
            case BsonType.STRING, BsonType.CODE, BsonType.BINARY -> ShortText.value(low, high, before);
            default ->
                throw new ColumnException(
                        String.format(Locale.ROOT, "a difference to a value of type 0x%02x", before.type()));
        };
    }
}
