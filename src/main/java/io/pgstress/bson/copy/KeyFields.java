package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.Decimals;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.DoubleText;
import io.pgstress.bson.json.Encodings;
import io.pgstress.bson.json.Escapes;
import io.pgstress.bson.json.ExtendedJson;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.Reject;
import io.pgstress.bson.json.Text;
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
}
