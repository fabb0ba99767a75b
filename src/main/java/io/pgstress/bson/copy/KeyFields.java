package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Fault;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.Decimal128Text.Decimals;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.DoubleText;
import io.pgstress.bson.json.Encodings;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import io.pgstress.bson.json.LegacyUuids;
import io.pgstress.bson.json.Text;
import io.pgstress.bson.json.Text.Escapes;
import io.pgstress.bson.json.Timestamps;
import org.jspecify.annotations.Nullable;

/** The writer of key fields for each form of key, in COPY's binary format. */
final class KeyFields {
    private KeyFields() {}

    static KeyField of(KeyForm form, JsonOptions options) {
        return switch (form) {
            case INT -> KeyFields::integer;
            case BIGINT -> KeyFields::bigint;
            case NUMERIC -> new NumericField();
            case UUID -> uuids(options.uuids());
            case TIMESTAMPTZ -> KeyFields::timestamp;
            case TEXT -> new TextFields(options)::plain;
            case TEXT_OF_JSON -> new TextFields(options)::json;
        };
    }

    private static KeyField uuids(LegacyUuids order) {
        return (type, bytes, at, limit, out) -> {
            if (order.converts(type, bytes, at)) {
                order.write(bytes, at + 5, out.ensure(LegacyUuids.SIZE), out.length());
                out.length(out.length() + LegacyUuids.SIZE);
                return null;
            }
            if (KeyKind.of(type, bytes, at) != KeyKind.UUID) {
                return Fault.KEY_NOT_FITTING;
            }
            out.put(bytes, at + 5, LegacyUuids.SIZE);
            return null;
        };
    }

    private static @Nullable Fault timestamp(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (KeyKind.of(type, bytes, at) != KeyKind.DATE) {
            return Fault.KEY_NOT_FITTING;
        }
        out.putLong(Timestamps.micros(Bytes.longAt(bytes, at)));
        return null;
    }

    /** An int64, or a double without a fraction, fits if its value does: to MongoDB 1 and 1.0 are the same {@code _id}. */
    private static @Nullable Fault integer(int type, byte[] bytes, int at, int limit, ByteSink out) {
        long value = isLong(type, bytes, at) ? value(type, bytes, at) : Long.MAX_VALUE;
        if ((int) value != value) {
            return Fault.KEY_NOT_FITTING;
        }
        out.putInt((int) value);
        return null;
    }

    private static @Nullable Fault bigint(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (!isLong(type, bytes, at)) {
            return Fault.KEY_NOT_FITTING;
        }
        out.putLong(value(type, bytes, at));
        return null;
    }

    /** Whether the value is a number that a long can represent exactly. */
    private static boolean isLong(int type, byte[] bytes, int at) {
        if (type == BsonType.DOUBLE) {
            double value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
            return value >= -0x1p63 && value < 0x1p63 && value == Math.rint(value);
        }
        return type == BsonType.INT32 || type == BsonType.INT64;
    }

    private static long value(int type, byte[] bytes, int at) {
        return switch (type) {
            case BsonType.INT32 -> Bytes.intAt(bytes, at);
            case BsonType.INT64 -> Bytes.longAt(bytes, at);
            default -> (long) Double.longBitsToDouble(Bytes.longAt(bytes, at));
        };
    }

    /** Fields of type text: strings unchanged, ObjectIds as hex digits, and anything else, or everything, as canonical JSON. */
    static final class TextFields {
        /**
         * Maximum length in bytes. An entry of a PostgreSQL B-tree has at most a third of a page: 2,704 bytes, including headers of
         * 12 bytes. A longer text might fit compressed, but is refused: if it did not, the primary key would fail after all rows
         * are loaded.
         */
        static final int MAX_LENGTH = 2_692;

        private final Text strings;
        private final DocumentConverter json;

        TextFields(JsonOptions options) {
            strings = new Text(Escapes.NONE, options.nul(), options.utf8());
            json = new DocumentConverter(new JsonOptions(
                    ExtendedJson.CANONICAL,
                    options.nul(),
                    options.utf8(),
                    options.duplicateKeys(),
                    options.maxDepth(),
                    options.uuids()));
        }

        @Nullable
        Fault plain(int type, byte[] bytes, int at, int limit, ByteSink out) {
            int start = out.length();
            if (type == BsonType.OBJECT_ID) {
                Encodings.hex(bytes, at, 12, out);
                return null;
            }
            return type == BsonType.STRING ? string(bytes, at, start, out) : json(type, bytes, at, limit, out);
        }

        private @Nullable Fault string(byte[] bytes, int at, int start, ByteSink out) {
            int end = at + 4 + Bytes.intAt(bytes, at) - 1;
            if (bytes[end] != 0) {
                return Fault.STRING_END;
            }
            if (!strings.write(bytes, at + 4, end, out)) {
                return bytes[strings.faultAt()] == 0 ? Fault.NUL_CHARACTER : Fault.INVALID_UTF8;
            }
            return tooLong(start, out);
        }

        @Nullable
        Fault json(int type, byte[] bytes, int at, int limit, ByteSink out) {
            int start = out.length();
            if (!json.value(type, bytes, at, at, limit, out)) {
                Reject reject = json.reject();
                return reject == null ? Fault.KEY_NOT_FITTING : reject.fault();
            }
            return tooLong(start, out);
        }

        private static @Nullable Fault tooLong(int start, ByteSink out) {
            return out.length() - start > MAX_LENGTH ? Fault.KEY_TOO_LONG : null;
        }
    }

    /** Writes keys of one form as the contents of a field. */
    @FunctionalInterface
    interface KeyField {
        /**
         * Appends the value of this type at {@code at}, which ends before {@code limit}. Returns null, or a fault, in which case
         * the sink may have part of the value.
         */
        @Nullable
        Fault write(int type, byte[] bytes, int at, int limit, ByteSink out);
    }

    /**
     * Fields of type numeric: any finite number. A double is written as its shortest decimal, without a zero fraction, so that 1
     * and 1.0 are one key. NaN and infinities do not fit; numeric supports infinity only from PostgreSQL 14 on.
     */
    private static final class NumericField implements KeyField {
        private final DoubleText doubles = new DoubleText();
        private final Decimal128Text decimals = new Decimal128Text();
        private final NumericBinary binary = new NumericBinary();
        private final ByteSink text = new ByteSink(64);

        @Override
        public @Nullable Fault write(int type, byte[] bytes, int at, int limit, ByteSink out) {
            text.clear();
            if (isLong(type, bytes, at)) {
                Decimals.write(value(type, bytes, at), text);
            } else if (type == BsonType.DOUBLE) {
                doubles.write(Double.longBitsToDouble(Bytes.longAt(bytes, at)), text);
            } else if (type == BsonType.DECIMAL128) {
                decimals.write(Bytes.longAt(bytes, at), Bytes.longAt(bytes, at + 8), text);
            } else {
                return Fault.KEY_NOT_FITTING;
            }
            byte last = text.array()[text.length() - 1];
            if (last < '0' || last > '9') {
                return Fault.KEY_NOT_FITTING;
            }
            binary.write(text.array(), text.length(), out);
            return null;
        }
    }

    /**
     * Converts decimal text to numeric's binary format (numeric_send): the number of base-10,000 digits, the weight of the first,
     * the sign, the display scale, the digits. Allocates nothing; not thread-safe.
     */
    private static final class NumericBinary {
        private static final int NEGATIVE = 0x4000;

        /** Decimal digits, followed by zeros to fill the last group of four. */
        private final byte[] digits = new byte[64];

        private int count;
        /** Number of the mantissa's digits after the decimal point. */
        private int behindPoint;

        /** Appends the number in {@code text}, which has the form {@code -12.34E+5} with at most 40 digits. */
        void write(byte[] text, int length, ByteSink out) {
            boolean negative = text[0] == '-';
            int end = mantissa(text, negative ? 1 : 0, length);
            int exponent = end < length ? exponent(text, end + 1, length) : 0;
            int shown = Math.max(0, behindPoint - exponent);
            // The decimal weight of the first digit.
            int power = count - behindPoint - 1 + exponent;
            int first = 0;
            while (first < count && digits[first] == 0) {
                first++;
                power--;
            }
            int weight = Math.floorDiv(power, 4);
            int lead = first - (3 - Math.floorMod(power, 4));
            int groups = first == count ? 0 : (count - lead + 3) / 4;
            while (groups > 0 && group(lead + 4 * (groups - 1), first) == 0) {
                groups--;
            }
            out.putShort(groups);
            out.putShort(groups == 0 ? 0 : weight);
            out.putShort(negative && groups > 0 ? NEGATIVE : 0);
            out.putShort(shown);
            for (int i = 0; i < groups; i++) {
                out.putShort(group(lead + 4 * i, first));
            }
        }

        /** Four digits as a number; missing digits are zeros. */
        private int group(int from, int first) {
            int value = 0;
            for (int i = from; i < from + 4; i++) {
                value = value * 10 + (i < first || i >= count ? 0 : digits[i]);
            }
            return value;
        }

        private int mantissa(byte[] text, int from, int length) {
            count = 0;
            behindPoint = 0;
            boolean point = false;
            int at = from;
            for (; at < length && text[at] != 'E'; at++) {
                if (text[at] == '.') {
                    point = true;
                } else {
                    digits[count++] = (byte) (text[at] - '0');
                    behindPoint += point ? 1 : 0;
                }
            }
            return at;
        }

        private static int exponent(byte[] text, int from, int length) {
            int value = 0;
            for (int at = from; at < length; at++) {
                if (text[at] != '-' && text[at] != '+') {
                    value = value * 10 + text[at] - '0';
                }
            }
            return text[from] == '-' ? -value : value;
        }
    }
}
