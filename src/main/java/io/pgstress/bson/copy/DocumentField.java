package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import io.pgstress.bson.FieldPath;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.IdJson;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Checks whether the values at a path of documents fit the type of a column. Not thread-safe; one per worker. */
public final class DocumentField {
    /** What a document's value is to the column. */
    public enum Outcome {
        VALUE,
        /** The field is missing or null. */
        NULL,
        /** The field has a value that does not fit. */
        MISFIT
    }

    private static final int MAX_SHOWN = 60;
    private static final BigDecimal LEAST = new BigDecimal("4.9E-324");
    private static final BigDecimal MOST = new BigDecimal("1.7976931348623157E+308");

    private final FieldType type;
    private final PathFinder finder;
    private final Decimal128Text decimals = new Decimal128Text();
    private final ByteSink scratch = new ByteSink(64);
    private final IdJson json = new IdJson();
    private int document;
    private boolean isInsideArray;

    public DocumentField(FieldPath path, FieldType type) {
        this.type = type;
        this.finder = new PathFinder(path);
    }

    /** Checks the document of {@code size} bytes at {@code from}, which may be one that no jsonb can hold. */
    public Outcome check(byte[] bytes, int from, int size) {
        document = from;
        boolean found = finder.find(bytes, from, size);
        isInsideArray = !found && finder.endsAtArray();
        if (!found) {
            return isInsideArray ? Outcome.MISFIT : Outcome.NULL;
        }
        int bsonType = finder.type();
        if (bsonType == BsonType.NULL || (bsonType == BsonType.UNDEFINED && type != FieldType.JSONB)) {
            return Outcome.NULL;
        }
        return fits(bsonType, bytes, finder.at()) ? Outcome.VALUE : Outcome.MISFIT;
    }

    private boolean fits(int bsonType, byte[] bytes, int at) {
        return switch (type) {
            case TEXT -> bsonType == BsonType.OBJECT_ID || bsonType == BsonType.STRING || bsonType == BsonType.SYMBOL;
            case INT -> isWhole(bsonType, bytes, at, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> isWhole(bsonType, bytes, at, Long.MIN_VALUE, Long.MAX_VALUE);
            case DOUBLE -> isDouble(bsonType, bytes, at);
            case NUMERIC -> isFinite(bsonType, bytes, at);
            case BOOLEAN -> bsonType == BsonType.BOOLEAN;
            case TIMESTAMPTZ, DATE -> KeyKind.of(bsonType, bytes, at) == KeyKind.DATE;
            case UUID -> KeyKind.of(bsonType, bytes, at) == KeyKind.UUID;
            case JSONB -> true;
        };
    }

    private boolean isWhole(int bsonType, byte[] bytes, int at, long least, long most) {
        switch (bsonType) {
            case BsonType.INT32 -> {
                return true;
            }
            case BsonType.INT64 -> {
                long value = Bytes.longAt(bytes, at);
                return value >= least && value <= most;
            }
            case BsonType.DOUBLE -> {
                // The shortest decimal of -2^63, which is the value in jsonb, is less than the least bigint.
                double value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
                return value == Math.rint(value) && Math.abs(value) < 0x1p63 && value >= least && value <= most;
            }
            case BsonType.DECIMAL128 -> {
                return isFinite(bsonType, bytes, at) && isWhole(decimal(), least, most);
            }
            default -> {
                return false;
            }
        }
    }

    private static boolean isWhole(BigDecimal value, long least, long most) {
        try {
            long whole = value.longValueExact();
            return whole >= least && whole <= most;
        } catch (ArithmeticException e) {
            return false; // a fraction, or out of range
        }
    }

    private boolean isDouble(int bsonType, byte[] bytes, int at) {
        if (bsonType != BsonType.DECIMAL128 || !isFinite(bsonType, bytes, at)) {
            return bsonType == BsonType.DECIMAL128 || isNumber(bsonType);
        }
        BigDecimal size = decimal().abs();
        return size.signum() == 0 || (size.compareTo(LEAST) >= 0 && size.compareTo(MOST) <= 0);
    }

    private static boolean isNumber(int bsonType) {
        return bsonType == BsonType.INT32 || bsonType == BsonType.INT64 || bsonType == BsonType.DOUBLE;
    }

    /** Whether the value is a finite number; the text of a decimal is then in the scratch. */
    private boolean isFinite(int bsonType, byte[] bytes, int at) {
        if (bsonType == BsonType.DOUBLE) {
            return Double.isFinite(Double.longBitsToDouble(Bytes.longAt(bytes, at)));
        }
        if (bsonType != BsonType.DECIMAL128) {
            return isNumber(bsonType);
        }
        scratch.clear();
        decimals.write(Bytes.longAt(bytes, at), Bytes.longAt(bytes, at + 8), scratch);
        return Character.isDigit(scratch.array()[scratch.length() - 1]);
    }

    private BigDecimal decimal() {
        return new BigDecimal(new String(scratch.array(), 0, scratch.length(), StandardCharsets.US_ASCII));
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
                if (!step(bytes, i)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether the last search ended at an array whose elements the path does not number. */
        boolean endsAtArray() {
            return type == BsonType.ARRAY;
        }

        /** Enters the value of a name in the document that was found last, or of a position in the array. */
        private boolean step(byte[] bytes, int step) {
            boolean array = type == BsonType.ARRAY;
            if (array ? positions[step] < 0 : type != BsonType.DOCUMENT) {
                return false;
            }
            int end = Math.min(limit, at + Bytes.intAt(bytes, at)) - 1;
            int element = at + Integer.BYTES;
            type = NONE;
            for (int i = 0; element < end && !(array && i > positions[step]); i++) {
                int name = element + 1;
                int nameEnd = Bytes.nulAt(bytes, name, end);
                int next = nameEnd < 0 ? NONE : Elements.end(bytes[element], bytes, nameEnd + 1, end);
                if (next < 0) {
                    break;
                }
                byte[] wanted = names[step];
                if (array ? i == positions[step] : Arrays.equals(bytes, name, nameEnd, wanted, 0, wanted.length)) {
                    type = bytes[element] & 0xff;
                    at = nameEnd + 1;
                }
                element = next;
            }
            limit = end;
            return type != NONE;
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
