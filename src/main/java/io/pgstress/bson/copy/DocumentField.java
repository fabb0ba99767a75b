package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import io.pgstress.bson.FieldPath;
import io.pgstress.bson.copy.DocumentField.NumberFields;
import io.pgstress.bson.copy.KeyFields.FixedFields;
import io.pgstress.bson.copy.KeyFields.IntegerFields;
import io.pgstress.bson.copy.KeyFields.KeyField;
import io.pgstress.bson.copy.KeyFields.NumericBinary;
import io.pgstress.bson.json.Decimal128Text.Decimals;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.DoubleText;
import io.pgstress.bson.json.Encodings;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.IdJson;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.Text.Escapes;
import io.pgstress.bson.json.Text;
import io.pgstress.bson.json.Timestamps;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the value at a path of documents as a field of COPY's binary format: its length and its contents. A value that is
 * missing, null or does not fit the type becomes null. Not thread-safe; one per worker.
 */
public final class DocumentField {
    /** What became of a document's value. */
    public enum Outcome {
        VALUE,
        /** The field is missing or null. */
        NULL,
        /** The field has a value that does not fit; it became null. */
        MISFIT
    }

    private static final int NULL_LENGTH = -1;
    private static final int MAX_SHOWN = 60;

    private final FieldType type;
    private final PathFinder finder;
    private final KeyField writer;
    private final IdJson json = new IdJson();
    private int document;
    private boolean isInsideArray;

    public DocumentField(FieldPath path, FieldType type, JsonOptions options) {
        this.type = type;
        this.finder = new PathFinder(path);
        this.writer = TypedFields.of(type, options);
    }

    /**
     * Appends the field for the document of {@code size} bytes at {@code from}. A value that no jsonb can hold, in a document
     * that is thus rejected as a whole, counts as null.
     */
    public Outcome append(byte[] bytes, int from, int size, ByteSink out) {
        document = from;
        int mark = out.length();
        out.putInt(NULL_LENGTH);
        boolean found = finder.find(bytes, from, size);
        isInsideArray = !found && finder.endsAtArray();
        if (!found) {
            return isInsideArray ? Outcome.MISFIT : Outcome.NULL;
        }
        if (finder.type() == BsonType.NULL || (finder.type() == BsonType.UNDEFINED && type != FieldType.JSONB)) {
            return Outcome.NULL;
        }
        Fault fault = writer.write(finder.type(), bytes, finder.at(), finder.limit(), out);
        if (fault == null) {
            out.patchInt(mark, out.length() - mark - Integer.BYTES);
            return Outcome.VALUE;
        }
        out.length(mark + Integer.BYTES);
        return fault == Fault.COLUMN_NOT_FITTING ? Outcome.MISFIT : Outcome.NULL;
    }

    /** The last value that did not fit, in words: {@code "abc", a string}. */
    public String misfit(byte[] bytes) {
        if (isInsideArray) {
            return "a value inside an array";
        }
        String shown = json.of(finder.type(), bytes, document, finder.at(), finder.limit());
        String phrase = FieldType.phrase(finder.type());
        return shown.isEmpty() || shown.length() > MAX_SHOWN ? phrase : shown + ", " + phrase;
    }

    /** The offset in its document of the last value that did not fit. */
    public int offset() {
        return finder.at() - document;
    }

    /**
     * Writes numbers of documents as contents of numeric fields in COPY's binary format. The value of a double is the shortest
     * decimal that identifies it, as in the document's jsonb. Not thread-safe.
     */
    static final class NumberFields {
        private static final long EXACT = 1L << 53;
        private static final BigDecimal LEAST = new BigDecimal("4.9E-324");
        private static final BigDecimal MOST = new BigDecimal("1.7976931348623157E+308");

        private final DoubleText doubles = new DoubleText();
        private final Decimal128Text decimals = new Decimal128Text();
        private final NumericBinary binary = new NumericBinary();
        private final ByteSink scratch = new ByteSink(64);
        private long whole;

        @Nullable
        Fault integer(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (!isWhole(type, bytes, at) || whole != (int) whole) {
                return Fault.COLUMN_NOT_FITTING;
            }
            out.putInt((int) whole);
            return null;
        }

        @Nullable
        Fault bigint(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (!isWhole(type, bytes, at)) {
                return Fault.COLUMN_NOT_FITTING;
            }
            out.putLong(whole);
            return null;
        }

        @Nullable
        Fault numeric(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (!isFinite(type, bytes, at)) {
                return Fault.COLUMN_NOT_FITTING;
            }
            binary.write(scratch.array(), scratch.length(), out);
            return null;
        }

        @Nullable
        Fault doublePrecision(int type, byte[] bytes, int at, int limit, ByteSink out) {
            double value;
            if (type == BsonType.DOUBLE) {
                value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
            } else if (isFinite(type, bytes, at)) {
                BigDecimal exact = new BigDecimal(text());
                BigDecimal size = exact.abs();
                if (exact.signum() != 0 && (size.compareTo(LEAST) < 0 || size.compareTo(MOST) > 0)) {
                    return Fault.COLUMN_NOT_FITTING;
                }
                value = exact.doubleValue();
            } else if (type == BsonType.DECIMAL128) {
                value = Double.parseDouble(text()); // NaN, Infinity
            } else {
                return Fault.COLUMN_NOT_FITTING;
            }
            out.putLong(Double.doubleToLongBits(value + 0.0)); // jsonb has no -0
            return null;
        }

        /** Whether the value is a number that a bigint holds exactly; sets {@link #whole}. */
        private boolean isWhole(int type, byte[] bytes, int at) {
            if (type == BsonType.INT32 || type == BsonType.INT64) {
                whole = IntegerFields.value(type, bytes, at);
                return true;
            }
            if (type == BsonType.DOUBLE) {
                double value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
                if (Math.abs(value) <= EXACT) {
                    whole = (long) value;
                    return whole == value;
                }
            }
            if (!isFinite(type, bytes, at)) {
                return false;
            }
            try {
                whole = new BigDecimal(text()).longValueExact();
                return true;
            } catch (ArithmeticException e) {
                return false; // a fraction, or out of range
            }
        }

        /** Whether the value is a finite number; its text is in the scratch. */
        private boolean isFinite(int type, byte[] bytes, int at) {
            scratch.clear();
            switch (type) {
                case BsonType.INT32, BsonType.INT64 -> Decimals.write(IntegerFields.value(type, bytes, at), scratch);
                case BsonType.DOUBLE -> doubles.write(Double.longBitsToDouble(Bytes.longAt(bytes, at)), scratch);
                case BsonType.DECIMAL128 ->
                    decimals.write(Bytes.longAt(bytes, at), Bytes.longAt(bytes, at + 8), scratch);
                default -> {
                    return false;
                }
            }
            byte last = scratch.array()[scratch.length() - 1];
            return last >= '0' && last <= '9';
        }

        private String text() {
            return new String(scratch.array(), 0, scratch.length(), StandardCharsets.US_ASCII);
        }
    }

    /** Writes values of documents as contents of fields in COPY's binary format. Not thread-safe. */
    static final class TypedFields {
        private static final int JSONB_VERSION = 1;
        private static final long DAY_MILLIS = 86_400_000L;
        /** Days from 1970 to 2000, PostgreSQL's first day. */
        private static final int EPOCH_2000 = 10_957;

        private final Text strings;
        private final DocumentConverter json;

        private TypedFields(JsonOptions options) {
            strings = new Text(Escapes.NONE, options.nul(), options.utf8());
            json = new DocumentConverter(options, Escapes.JSON);
        }

        /** The writer of fields of this type. It returns {@link Fault#COLUMN_NOT_FITTING} for a value that does not fit. */
        static KeyField of(FieldType type, JsonOptions options) {
            return switch (type) {
                case TEXT -> new TypedFields(options)::text;
                case INT -> new NumberFields()::integer;
                case BIGINT -> new NumberFields()::bigint;
                case DOUBLE -> new NumberFields()::doublePrecision;
                case NUMERIC -> new NumberFields()::numeric;
                case BOOLEAN -> TypedFields::bool;
                case TIMESTAMPTZ -> TypedFields::timestamp;
                case DATE -> TypedFields::date;
                case UUID -> TypedFields::uuid;
                case JSONB -> new TypedFields(options)::jsonb;
            };
        }

        private @Nullable Fault text(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (type == BsonType.OBJECT_ID) {
                Encodings.hex(bytes, at, 12, out);
                return null;
            }
            if (type != BsonType.STRING && type != BsonType.SYMBOL) {
                return Fault.COLUMN_NOT_FITTING;
            }
            int end = at + Integer.BYTES + Bytes.intAt(bytes, at) - 1;
            return strings.write(bytes, at + Integer.BYTES, end, out) ? null : Fault.INVALID_UTF8;
        }

        private @Nullable Fault jsonb(int type, byte[] bytes, int at, int limit, ByteSink out) {
            out.put(JSONB_VERSION);
            if (json.value(type, bytes, at, at, limit, out)) {
                return null;
            }
            Reject reject = json.reject();
            return reject == null ? Fault.VALUE_END : reject.fault();
        }

        private static @Nullable Fault bool(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (type != BsonType.BOOLEAN) {
                return Fault.COLUMN_NOT_FITTING;
            }
            out.put(bytes[at]);
            return null;
        }

        private static @Nullable Fault timestamp(int type, byte[] bytes, int at, int limit, ByteSink out) {
            return fitting(FixedFields.timestampBinary(type, bytes, at, limit, out));
        }

        private static @Nullable Fault uuid(int type, byte[] bytes, int at, int limit, ByteSink out) {
            return fitting(FixedFields.uuidBinary(type, bytes, at, limit, out));
        }

        private static @Nullable Fault fitting(@Nullable Fault ofKey) {
            return ofKey == null ? null : Fault.COLUMN_NOT_FITTING;
        }

        private static @Nullable Fault date(int type, byte[] bytes, int at, int limit, ByteSink out) {
            if (type != BsonType.DATE || !Timestamps.holds(Bytes.longAt(bytes, at))) {
                return Fault.COLUMN_NOT_FITTING;
            }
            out.putInt((int) (Math.floorDiv(Bytes.longAt(bytes, at), DAY_MILLIS) - EPOCH_2000));
            return null;
        }
    }

    /**
     * Finds the value at a path of documents, without decoding anything else. Of fields that repeat a name the last one counts, as
     * in jsonb. Finds nothing in malformed documents. Allocates nothing; not thread-safe.
     */
    static final class PathFinder {
        private static final int NONE = -1;

        private final byte[][] names;
        private final int[] positions;
        private int type;
        private int at;
        private int limit;

        PathFinder(FieldPath path) {
            names = path.names().stream()
                    .map(name -> name.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            positions = path.names().stream()
                    .mapToInt(name -> name.matches("[0-9]{1,9}") ? Integer.parseInt(name) : NONE)
                    .toArray();
        }

        /** Whether the document of {@code size} bytes at {@code from} has a value there. */
        boolean find(byte[] bytes, int from, int size) {
            type = BsonType.DOCUMENT;
            at = from;
            limit = from + size;
            for (int i = 0; i < names.length; i++) {
                boolean found = (type == BsonType.DOCUMENT && field(bytes, names[i]))
                        || (type == BsonType.ARRAY && positions[i] >= 0 && element(bytes, positions[i]));
                if (!found) {
                    return false;
                }
            }
            return true;
        }

        /** Whether the last search ended at an array whose elements the path does not number. */
        boolean endsAtArray() {
            return type == BsonType.ARRAY;
        }

        private boolean field(byte[] bytes, byte[] wanted) {
            int end = containerEnd(bytes);
            int element = at + Integer.BYTES;
            int foundType = NONE;
            int foundAt = 0;
            while (element < end) {
                int name = element + 1;
                int nameEnd = Bytes.nulAt(bytes, name, end);
                int next = nameEnd < 0 ? NONE : Elements.end(bytes[element], bytes, nameEnd + 1, end);
                if (next < 0) {
                    break;
                }
                if (Arrays.equals(bytes, name, nameEnd, wanted, 0, wanted.length)) {
                    foundType = bytes[element] & 0xff;
                    foundAt = nameEnd + 1;
                }
                element = next;
            }
            return foundType != NONE && enter(foundType, foundAt, end);
        }

        private boolean element(byte[] bytes, int position) {
            int end = containerEnd(bytes);
            int element = at + Integer.BYTES;
            for (int i = 0; element < end; i++) {
                int nameEnd = Bytes.nulAt(bytes, element + 1, end);
                int next = nameEnd < 0 ? NONE : Elements.end(bytes[element], bytes, nameEnd + 1, end);
                if (next < 0) {
                    break;
                }
                if (i == position) {
                    return enter(bytes[element] & 0xff, nameEnd + 1, end);
                }
                element = next;
            }
            type = BsonType.NULL; // the array has no such element
            return false;
        }

        private boolean enter(int itsType, int value, int end) {
            type = itsType;
            at = value;
            limit = end;
            return true;
        }

        /** Index of the terminator of the document or array that was found last. */
        private int containerEnd(byte[] bytes) {
            return Math.min(limit, at + Bytes.intAt(bytes, at)) - 1;
        }

        /** The type of the value found. */
        int type() {
            return type;
        }

        /** The index at which the value found starts. */
        int at() {
            return at;
        }

        /** An index at which, or before which, the value found ends. */
        int limit() {
            return limit;
        }
    }
}
