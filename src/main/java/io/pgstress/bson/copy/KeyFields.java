package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.DateText;
import io.pgstress.bson.json.Decimal128Text.Decimals;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.DoubleText;
import io.pgstress.bson.json.Encodings;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import io.pgstress.bson.json.Text.Escapes;
import io.pgstress.bson.json.Text;
import io.pgstress.bson.json.Timestamps;
import org.jspecify.annotations.Nullable;

/** The field writer for each form of key in each format. */
final class KeyFields {
    private KeyFields() {}

    static KeyField of(KeyForm form, CopyFormat format, JsonOptions options) {
        boolean text = format == CopyFormat.TEXT;
        return switch (form) {
            case INT -> text ? IntegerFields::intText : IntegerFields::intBinary;
            case BIGINT -> text ? IntegerFields::bigintText : IntegerFields::bigintBinary;
            case NUMERIC -> text ? new NumericFields()::text : new NumericFields()::binary;
            case UUID -> text ? FixedFields::uuidText : FixedFields::uuidBinary;
            case TIMESTAMPTZ -> text ? FixedFields::timestampText : FixedFields::timestampBinary;
            case TEXT -> new TextFields(format, options)::plain;
            case TEXT_OF_JSON -> new TextFields(format, options)::json;
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
        private final boolean copyText;

        TextFields(CopyFormat format, JsonOptions options) {
            copyText = format == CopyFormat.TEXT;
            strings = new Text(copyText ? Escapes.COPY_TEXT : Escapes.NONE, options.nul(), options.utf8());
            JsonOptions canonical = new JsonOptions(
                    ExtendedJson.CANONICAL, options.nul(), options.utf8(), options.duplicateKeys(), options.maxDepth());
            json = new DocumentConverter(canonical, copyText ? Escapes.JSON_IN_COPY_TEXT : Escapes.JSON);
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

        private @Nullable Fault tooLong(int start, ByteSink out) {
            int length = out.length() - start;
            if (length <= MAX_LENGTH) {
                return null;
            }
            return length - (copyText ? escapes(start, out) : 0) > MAX_LENGTH ? Fault.KEY_TOO_LONG : null;
        }

        /** Number of bytes that COPY's text format adds: a backslash before each special character. */
        private static int escapes(int start, ByteSink out) {
            int count = 0;
            for (int i = start; i < out.length(); i++) {
                if (out.array()[i] == '\\') {
                    count++;
                    i++;
                }
            }
            return count;
        }
    }

    /**
     * Fields of type numeric: any finite number. A double is written as its shortest decimal, without a zero fraction, so that 1
     * and 1.0 are one key. NaN and infinities do not fit; numeric supports infinity only from PostgreSQL 14 on.
     */
    static final class NumericFields {
        private final DoubleText doubles = new DoubleText();
        private final Decimal128Text decimals = new Decimal128Text();
        private final NumericBinary binary = new NumericBinary();
        private final ByteSink scratch = new ByteSink(64);

        @Nullable
        Fault text(int type, byte[] bytes, int at, int limit, ByteSink out) {
            int start = out.length();
            if (IntegerFields.isLong(type, bytes, at)) {
                Decimals.write(IntegerFields.value(type, bytes, at), out);
            } else if (type == BsonType.DOUBLE) {
                doubles.write(Double.longBitsToDouble(Bytes.longAt(bytes, at)), out);
            } else if (type == BsonType.DECIMAL128) {
                decimals.write(Bytes.longAt(bytes, at), Bytes.longAt(bytes, at + 8), out);
            } else {
                return Fault.KEY_NOT_FITTING;
            }
            byte first = out.array()[out.array()[start] == '-' ? start + 1 : start];
            return first >= '0' && first <= '9' ? null : Fault.KEY_NOT_FITTING;
        }

        @Nullable
        Fault binary(int type, byte[] bytes, int at, int limit, ByteSink out) {
            scratch.clear();
            Fault fault = text(type, bytes, at, limit, scratch);
            if (fault == null) {
                binary.write(scratch.array(), scratch.length(), out);
            }
            return fault;
        }
    }

    /** Writes keys of one form as the contents of a field, in one format. */
    @FunctionalInterface
    interface KeyField {
        /**
         * Appends the value of this type at {@code at}, which ends before {@code limit}. Returns null, or a fault, in which case
         * the sink may have part of the value.
         */
        @Nullable
        Fault write(int type, byte[] bytes, int at, int limit, ByteSink out);
    }

    /** Fields of type uuid and timestamptz, whose values have a fixed size. */
    static final class FixedFields {
        private static final int[] UUID_GROUPS = {4, 2, 2, 2, 6};

        private FixedFields() {}

        static @Nullable Fault uuidText(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (KeyKind.of(type, bytes, at) != KeyKind.UUID) {
                return Fault.KEY_NOT_FITTING;
            }
            int from = at + 5;
            for (int group : UUID_GROUPS) {
                if (from > at + 5) {
                    out.put('-');
                }
                Encodings.hex(bytes, from, group, out);
                from += group;
            }
            return null;
        }

        static @Nullable Fault uuidBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (KeyKind.of(type, bytes, at) != KeyKind.UUID) {
                return Fault.KEY_NOT_FITTING;
            }
            out.put(bytes, at + 5, 16);
            return null;
        }

        static @Nullable Fault timestampText(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (KeyKind.of(type, bytes, at) != KeyKind.DATE) {
                return Fault.KEY_NOT_FITTING;
            }
            DateText.sql(Bytes.longAt(bytes, at), out);
            return null;
        }

        static @Nullable Fault timestampBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (KeyKind.of(type, bytes, at) != KeyKind.DATE) {
                return Fault.KEY_NOT_FITTING;
            }
            out.putLong(Timestamps.micros(Bytes.longAt(bytes, at)));
            return null;
        }
    }

    /**
     * Fields of type int and bigint. An int64, or a double without a fraction, fits an int if its value does: to MongoDB 1 and 1.0
     * are the same {@code _id}.
     */
    static final class IntegerFields {
        private static final double TWO_POW_63 = 0x1p63;

        private IntegerFields() {}

        static @Nullable Fault intText(int type, byte[] bytes, int at, int limit, ByteSink out) {
            return isInt(type, bytes, at) ? write(value(type, bytes, at), out) : Fault.KEY_NOT_FITTING;
        }

        static @Nullable Fault bigintText(int type, byte[] bytes, int at, int limit, ByteSink out) {
            return isLong(type, bytes, at) ? write(value(type, bytes, at), out) : Fault.KEY_NOT_FITTING;
        }

        static @Nullable Fault intBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (!isInt(type, bytes, at)) {
                return Fault.KEY_NOT_FITTING;
            }
            out.putInt((int) value(type, bytes, at));
            return null;
        }

        static @Nullable Fault bigintBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (!isLong(type, bytes, at)) {
                return Fault.KEY_NOT_FITTING;
            }
            out.putLong(value(type, bytes, at));
            return null;
        }

        private static @Nullable Fault write(long value, ByteSink out) {
            Decimals.write(value, out);
            return null;
        }

        private static boolean isInt(int type, byte[] bytes, int at) {
            return isLong(type, bytes, at) && (int) value(type, bytes, at) == value(type, bytes, at);
        }

        /** Whether the value is a number that a long can represent exactly. */
        static boolean isLong(int type, byte[] bytes, int at) {
            if (type == BsonType.DOUBLE) {
                double value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
                return value >= -TWO_POW_63 && value < TWO_POW_63 && value == Math.rint(value);
            }
            return type == BsonType.INT32 || type == BsonType.INT64;
        }

        static long value(int type, byte[] bytes, int at) {
            return switch (type) {
                case BsonType.INT32 -> Bytes.intAt(bytes, at);
                case BsonType.INT64 -> Bytes.longAt(bytes, at);
                default -> (long) Double.longBitsToDouble(Bytes.longAt(bytes, at));
            };
        }
    }

    /**
     * Converts decimal text to numeric's binary format (numeric_send): the number of base-10,000 digits, the weight of the first,
     * the sign, the display scale, the digits. Allocates nothing; not thread-safe.
     */
    static final class NumericBinary {
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
