package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Elements;
import io.pgstress.bson.Fault;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.text.JsonStream;
import io.pgstress.text.JsonStream.InvalidJsonException;
import io.pgstress.text.JsonStream.Token;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts documents of Extended JSON, as mongoexport writes them, to BSON: version 2, canonical or relaxed, and the forms of version 1
 * that mean the same. Numbers without a wrapper become int32, int64 or double, the first that fits, as mongoimport does. Each object
 * is written as a document; if it turns out at its end to stand for a value, the value replaces it. Not thread-safe.
 *
 * <p>What jsonb cannot store, but BSON can, stays for {@link DocumentConverter} to decide: U+0000 and invalid UTF-8 in strings,
 * repeated names, and nesting.
 */
public final class ExtendedJsonParser implements Chunk.Parser {
    /** Fields of a document that are looked at. No value has more than two, so a third one says that it is none. */
    private static final int MAX_FIELDS = 3;

    private static final int OBJECT_ID_SIZE = 12;
    private static final int KEPT = 1 << 20;

    /** Stands for a byte that is not UTF-8: a surrogate without its counterpart, which {@link BsonWriter} writes as such a byte. */
    private static final char NOT_UTF8 = Character.MIN_LOW_SURROGATE;

    private static final char REPLACEMENT = '\ufffd';

    /** Characters of an escape: a backslash, u and four digits. */
    private static final int ESCAPE = 6;

    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[XXX][XX][X]")
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT); // otherwise February 30 would become the 29th

    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
    private final ByteSink scratch = new ByteSink(64);
    private ByteSink out = scratch;
    private boolean readsOnlyId;
    private byte[] text = {};
    private int textEnd;
    /** Reads one document after the other, because opening it takes as long as a small document. */
    private @Nullable JsonStream stream;
    /** The place in the text where the stream began, and where the last document that it read ends. */
    private int streamStart;

    private int parsedTo;
    /** Where the type of each open document and array is written; the outermost has none. */
    private int[] typesAt = new int[16];

    /** A field of a document that was written. */
    private record Field(int type, String name, int at, int end) {}

    /** Thrown for a document that is JSON, but cannot become BSON. */
    private static class Invalid extends RuntimeException {
        private static final long serialVersionUID = 1;

        Invalid(String what) {
            super(what, null, false, false);
        }
    }

    /** Thrown for a number that no double is. */
    private static final class OutOfRange extends Invalid {
        private static final long serialVersionUID = 1;

        OutOfRange() {
            super("a number beyond the range of doubles; only the word Infinity stands for infinity");
        }
    }

    /** Begins UTF-8, which may be invalid in strings. */
    @Override
    public void begin(byte[] utf8Text, int length) {
        text = utf8Text;
        textEnd = length;
        scratch.shrink(KEPT);
    }

    /** A reject has the byte of the document. */
    @Override
    public @Nullable Reject parse(int from, int to, boolean onlyId, ByteSink sink) {
        int mark = sink.length();
        out = sink;
        readsOnlyId = onlyId;
        if (Text.isValid(text, from, to)) {
            JsonStream in = streamAt(from);
            Failure failure = document(in, to - streamStart);
            if (failure == null) {
                parsedTo = to;
                return null;
            }
            end();
            return refuse(mark, Math.min(failure.offset() + streamStart, to) - from, failure.what());
        }
        char[] chars = new char[to - from];
        int count = decode(text, from, to - from, chars);
        try (JsonStream in = JsonStream.of(chars, 0, count)) {
            Failure failure = document(in, count);
            return failure == null ? null : refuse(mark, bytes(chars, failure.offset()), failure.what());
        }
    }

    /** The stream that has just read the document before this place, or a new one. */
    private JsonStream streamAt(int from) {
        JsonStream open = stream;
        if (open != null && parsedTo == from) {
            return open;
        }
        end();
        JsonStream opened = JsonStream.of(text, from, textEnd - from);
        stream = opened;
        streamStart = from;
        return opened;
    }

    @Override
    public void end() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }

    private record Failure(int offset, String what) {}

    private Reject refuse(int mark, int offset, String what) {
        out.length(mark);
        return new Reject(Fault.INVALID_JSON, offset, what);
    }

    /** Decodes text; each byte that is not UTF-8 becomes a surrogate without its counterpart. */
    private int decode(byte[] text, int at, int length, char[] chars) {
        ByteBuffer from = ByteBuffer.wrap(text, at, length);
        CharBuffer to = CharBuffer.wrap(chars);
        utf8.reset();
        CoderResult result = utf8.decode(from, to, true);
        while (result.isError()) {
            for (int i = 0; i < result.length(); i++) {
                from.get();
                to.put(followsEscapedHigh(chars, to.position()) ? REPLACEMENT : NOT_UTF8);
            }
            result = utf8.decode(from, to, true);
        }
        return to.position();
    }

    /** Whether the escape of a high surrogate ends here, with which a low one would be a character. */
    private static boolean followsEscapedHigh(char[] chars, int at) {
        int digit = at < ESCAPE ? -1 : Character.digit(chars[at - ESCAPE + 3], 16);
        return digit >= 8
                && digit < 12
                && chars[at - ESCAPE] == '\\'
                && chars[at - ESCAPE + 1] == 'u'
                && Character.digit(chars[at - ESCAPE + 2], 16) == 13;
    }

    /** The number of bytes that the first characters were. */
    private static int bytes(char[] chars, int count) {
        int bytes = 0;
        for (int i = 0; i < Math.min(count, chars.length); i++) {
            char c = chars[i];
            boolean isRaw = Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(chars[i - 1]));
            bytes += c < 0x80 || isRaw ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    /** Reads a document that should end there. */
    private @Nullable Failure document(JsonStream in, int end) {
        try {
            in.next();
            read(in);
            if (in.end() != end) {
                throw new Invalid("more than one value");
            }
            return null;
        } catch (InvalidJsonException e) {
            return new Failure(e.offset(), String.valueOf(e.getMessage()));
        } catch (Invalid e) {
            return new Failure(in.offset(), String.valueOf(e.getMessage()));
        }
    }

    private void read(JsonStream in) {
        BsonWriter writer = new BsonWriter(out);
        int start = out.length();
        writer.document();
        String name = "";
        for (int depth = 1; depth > 0; ) {
            Token token = in.next();
            switch (token) {
                case NAME -> {
                    name = name(in.text());
                    if (readsOnlyId && depth == 1 && !name.equals("_id")) {
                        in.skipValue();
                    }
                }
                case OBJECT, ARRAY -> {
                    if (depth == typesAt.length) {
                        typesAt = Arrays.copyOf(typesAt, 2 * depth);
                    }
                    typesAt[depth++] = out.length();
                    if (token == Token.OBJECT) {
                        writer.document(name);
                    } else {
                        writer.array(name);
                    }
                }
                case END_OBJECT, END_ARRAY -> {
                    writer.end();
                    depth--;
                    if (token == Token.END_OBJECT && depth > 0) {
                        replace(typesAt[depth]);
                    }
                }
                case STRING -> writer.string(name, in.text());
                case INTEGER -> integer(writer, name, in.text());
                case DECIMAL -> writer.float64(name, float64(in.text()));
                case TRUE, FALSE -> writer.bool(name, token == Token.TRUE);
                case NULL -> writer.nothing(name);
                case END -> throw new Invalid("the end of the text");
            }
            if (out.length() - start > 2 * BsonType.MAX_DOCUMENT) {
                throw tooLarge();
            }
        }
        if (out.length() - start > BsonType.MAX_DOCUMENT) {
            throw tooLarge();
        }
    }

    private static Invalid tooLarge() {
        return new Invalid("more than " + BsonType.MAX_DOCUMENT + " bytes as BSON");
    }

    private static String name(String name) {
        if (name.indexOf('\0') >= 0) {
            throw new Invalid("U+0000 in a name");
        }
        return name;
    }

    private static void integer(BsonWriter writer, String name, String digits) {
        Long value = null;
        try {
            value = Long.valueOf(digits);
        } catch (NumberFormatException e) {
            writer.float64(name, number(digits)); // it has more digits
        }
        if (value != null && value == value.intValue()) {
            writer.int32(name, value.intValue());
        } else if (value != null) {
            writer.int64(name, value);
        }
    }

    /** mongoexport wrote doubles that are no numbers as such words before it wrote {@code $numberDouble}. */
    private static double float64(String text) {
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity", "+Infinity", "INF", "+INF" -> Double.POSITIVE_INFINITY;
            case "-Infinity", "-INF" -> Double.NEGATIVE_INFINITY;
            default -> number(text);
        };
    }

    /** Only a word stands for infinity, and no number. */
    private static double number(String digits) {
        double value = Double.parseDouble(decimalDigits(digits));
        if (Double.isInfinite(value)) {
            throw new OutOfRange();
        }
        return value;
    }

    /**
     * The text of a number, for one of Java's own parsers: these also read digits of other scripts, hexadecimal numbers, spaces and
     * letters at the end.
     */
    private static String decimalDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            require((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E');
        }
        return text;
    }

    /** Replaces the document that has just ended by the value that it stands for, if it does. */
    private void replace(int typeAt) {
        int value = Bytes.nulAt(out.array(), typeAt + 1, out.length()) + 1;
        int first = value + Integer.BYTES;
        if (out.array()[first] == 0 || out.array()[first + 1] != '$') {
            return;
        }
        scratch.clear();
        int type = value(fields(value));
        if (type != BsonType.DOCUMENT) {
            out.length(value);
            out.put(scratch.array(), 0, scratch.length());
            out.array()[typeAt] = (byte) type;
        }
    }

    /** The first fields of a document, at most {@link #MAX_FIELDS}. */
    private List<Field> fields(int document) {
        byte[] bytes = out.array();
        int limit = document + Bytes.intAt(bytes, document) - 1;
        List<Field> fields = new ArrayList<>(MAX_FIELDS);
        for (int at = document + Integer.BYTES; at < limit && fields.size() < MAX_FIELDS; ) {
            int type = bytes[at] & 0xff;
            int nameEnd = Bytes.nulAt(bytes, at + 1, limit);
            int end = Elements.end(type, bytes, nameEnd + 1, limit);
            String name = new String(bytes, at + 1, nameEnd - at - 1, StandardCharsets.UTF_8);
            fields.add(new Field(type, name, nameEnd + 1, end));
            at = end;
        }
        return fields;
    }

    /**
     * Writes the value that these fields stand for, and returns its type; that of a document if they stand for none, because operators
     * of queries that are stored in documents have the same names.
     */
    private int value(List<Field> fields) {
        Field first = fields.get(0);
        try {
            if (fields.size() == 2) {
                Field second = fields.get(1);
                boolean isFirst = first.name().compareTo(second.name()) < 0;
                int type = ofTwo(isFirst ? first : second, isFirst ? second : first);
                if (type != BsonType.DOCUMENT) {
                    return type;
                }
            }
            return ofOne(fields.size(), first);
        } catch (OutOfRange e) {
            throw e;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException | Invalid e) {
            throw new Invalid("{\"" + first.name() + "\": ...} in another form than Extended JSON has");
        }
    }

    /** The type of two fields in the order of their names; that of a document if they are no value together. */
    private int ofTwo(Field first, Field second) {
        switch (first.name() + " " + second.name()) {
            case "$binary $type" -> {
                String subtype = second.type() == BsonType.STRING ? text(second) : Long.toHexString(whole(second));
                return binary(Base64.getDecoder().decode(text(first)), subtype);
            }
            case "$options $regex" -> {
                return first.type() == BsonType.STRING && second.type() == BsonType.STRING
                        ? regex(second, first)
                        : BsonType.DOCUMENT;
            }
            case "$code $scope" -> {
                require(first.type() == BsonType.STRING && second.type() == BsonType.DOCUMENT);
                int code = first.end() - first.at();
                int scope = second.end() - second.at();
                int32(Integer.BYTES + code + scope);
                copy(first.at(), first.end());
                copy(second.at(), second.end());
                return BsonType.CODE_WITH_SCOPE;
            }
            default -> {
                return BsonType.DOCUMENT;
            }
        }
    }

    private static boolean isValue(String name) {
        return switch (name) {
            case "$oid",
                    "$numberInt",
                    "$numberLong",
                    "$numberDouble",
                    "$numberDecimal",
                    "$binary",
                    "$uuid",
                    "$date",
                    "$timestamp",
                    "$regularExpression",
                    "$code",
                    "$symbol",
                    "$dbPointer",
                    "$minKey",
                    "$maxKey",
                    "$undefined" -> true;
            default -> false;
        };
    }

    /** The type of the value that begins with this field, if it is the only one; that of a document if none does. */
    private int ofOne(int count, Field field) {
        if (!isValue(field.name())) {
            return BsonType.DOCUMENT;
        }
        require(count == 1);
        switch (field.name()) {
            case "$oid" -> {
                byte[] id = HexFormat.of().parseHex(text(field));
                require(id.length == OBJECT_ID_SIZE);
                scratch.put(id);
                return BsonType.OBJECT_ID;
            }
            case "$numberInt" -> {
                int32(Integer.parseInt(decimalDigits(text(field))));
                return BsonType.INT32;
            }
            case "$numberLong" -> {
                int64(field.type() == BsonType.STRING ? Long.parseLong(decimalDigits(text(field))) : whole(field));
                return BsonType.INT64;
            }
            case "$numberDouble" -> {
                int64(Double.doubleToRawLongBits(float64(text(field))));
                return BsonType.DOUBLE;
            }
            case "$numberDecimal" -> {
                decimal(text(field));
                return BsonType.DECIMAL128;
            }
            case "$binary" -> {
                List<Field> inner = inner(field, "base64", "subType");
                return binary(Base64.getDecoder().decode(text(inner.get(0))), text(inner.get(1)));
            }
            case "$uuid" -> {
                UUID id = UUID.fromString(text(field));
                require(id.toString().equalsIgnoreCase(text(field)));
                byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
                return binary(bytes, "04");
            }
            case "$date" -> {
                int64(
                        field.type() == BsonType.STRING
                                ? OffsetDateTime.parse(text(field), DATE)
                                        .toInstant()
                                        .toEpochMilli()
                                : whole(field));
                return BsonType.DATE;
            }
            case "$timestamp" -> {
                List<Field> inner = inner(field, "t", "i");
                int32(unsigned(inner.get(1)));
                int32(unsigned(inner.get(0)));
                return BsonType.TIMESTAMP;
            }
            case "$regularExpression" -> {
                List<Field> inner = inner(field, "pattern", "options");
                return regex(inner.get(0), inner.get(1));
            }
            case "$code", "$symbol" -> {
                require(field.type() == BsonType.STRING);
                copy(field.at(), field.end());
                return field.name().equals("$code") ? BsonType.CODE : BsonType.SYMBOL;
            }
            case "$dbPointer" -> {
                List<Field> inner = inner(field, "$ref", "$id");
                require(inner.get(0).type() == BsonType.STRING && inner.get(1).type() == BsonType.OBJECT_ID);
                copy(inner.get(0).at(), inner.get(0).end());
                copy(inner.get(1).at(), inner.get(1).end());
                return BsonType.DB_POINTER;
            }
            case "$undefined" -> {
                require(field.type() == BsonType.BOOLEAN && out.array()[field.at()] == 1);
                return BsonType.UNDEFINED;
            }
            default -> {
                require(whole(field) == 1);
                return field.name().equals("$minKey") ? BsonType.MIN_KEY : BsonType.MAX_KEY;
            }
        }
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new Invalid("");
        }
    }

    /** The two fields of the document in a field, in the order of these names. */
    private List<Field> inner(Field field, String first, String second) {
        require(field.type() == BsonType.DOCUMENT);
        List<Field> inner = fields(field.at());
        require(inner.size() == 2);
        boolean swapped = inner.get(0).name().equals(second);
        Field one = inner.get(swapped ? 1 : 0);
        Field other = inner.get(swapped ? 0 : 1);
        require(one.name().equals(first) && other.name().equals(second));
        return List.of(one, other);
    }

    private String text(Field field) {
        require(field.type() == BsonType.STRING);
        return new String(out.array(), field.at() + 4, field.end() - field.at() - 5, StandardCharsets.UTF_8);
    }

    private long whole(Field field) {
        require(field.type() == BsonType.INT32 || field.type() == BsonType.INT64);
        return field.type() == BsonType.INT32
                ? Bytes.intAt(out.array(), field.at())
                : Bytes.longAt(out.array(), field.at());
    }

    private int unsigned(Field field) {
        long value = whole(field);
        require(value >= 0 && value < 1L << Integer.SIZE);
        return (int) value;
    }

    private int binary(byte[] bytes, String subtype) {
        require(!subtype.isEmpty() && subtype.length() <= 2);
        int type = HexFormat.fromHexDigits(subtype);
        boolean isOld = type == ValueWriters.OLD_BINARY;
        int32(bytes.length + (isOld ? Integer.BYTES : 0));
        scratch.put(type);
        if (isOld) {
            int32(bytes.length);
        }
        scratch.put(bytes);
        return BsonType.BINARY;
    }

    private int regex(Field pattern, Field options) {
        for (Field each : List.of(pattern, options)) {
            require(each.type() == BsonType.STRING);
            int end = each.end() - 1;
            require(Bytes.nulAt(out.array(), each.at() + 4, end) < 0);
            copy(each.at() + 4, each.end());
        }
        return BsonType.REGEX;
    }

    private void copy(int from, int to) {
        scratch.put(out.array(), from, to - from);
    }

    private void int32(int value) {
        Bytes.putInt(scratch.ensure(Integer.BYTES), scratch.length(), value);
        scratch.length(scratch.length() + Integer.BYTES);
    }

    private void int64(long value) {
        Bytes.putLong(scratch.ensure(Long.BYTES), scratch.length(), value);
        scratch.length(scratch.length() + Long.BYTES);
    }

    /** Writes a decimal128 in the binary encoding of IEEE 754: sign, exponent, and a coefficient of 34 digits at most. */
    private void decimal(String text) {
        boolean isNegative = text.startsWith("-");
        long sign = isNegative ? 1L << 63 : 0;
        String unsigned =
                text.substring(isNegative || text.startsWith("+") ? 1 : 0).toLowerCase(Locale.ROOT);
        switch (unsigned) {
            case "nan" -> words(0, DecimalRange.NAN);
            case "infinity", "inf" -> words(0, sign | DecimalRange.INFINITY);
            default -> {
                require(!unsigned.startsWith("-") && !unsigned.startsWith("+"));
                BigDecimal value = DecimalRange.fitted(new BigDecimal(decimalDigits(unsigned)));
                BigInteger coefficient = value.unscaledValue();
                long exponent = DecimalRange.BIAS - (long) value.scale();
                words(
                        coefficient.longValue(),
                        sign
                                | exponent << DecimalRange.EXPONENT_AT
                                | coefficient.shiftRight(Long.SIZE).longValue());
            }
        }
    }

    private void words(long low, long high) {
        int64(low);
        int64(high);
    }

    /** The numbers that a decimal128 can be. */
    private static final class DecimalRange {
        static final long NAN = 0x7cL << 56;
        static final long INFINITY = 0x78L << 56;
        static final int EXPONENT_AT = 49;
        static final int BIAS = 6176;
        private static final int DIGITS = 34;
        private static final int MAX_EXPONENT = 6111;

        private DecimalRange() {}

        /**
         * The same number with a coefficient and an exponent in the range.
         *
         * @throws ArithmeticException if it has none
         */
        static BigDecimal fitted(BigDecimal value) {
            if (value.signum() == 0) {
                return new BigDecimal(BigInteger.ZERO, Math.max(-MAX_EXPONENT, Math.min(BIAS, value.scale())));
            }
            BigDecimal fitted = value;
            int digits = value.precision();
            if (digits > DIGITS || value.scale() > BIAS) {
                int fewer = Math.max(digits - DIGITS, value.scale() - BIAS);
                require(fewer < digits); // only zeros at the end can be left out
                fitted = value.setScale(Math.subtractExact(value.scale(), fewer));
            } else if (value.scale() < -MAX_EXPONENT) {
                require(-(long) value.scale() - MAX_EXPONENT <= DIGITS - digits);
                fitted = value.setScale(-MAX_EXPONENT);
            }
            require(fitted.precision() <= DIGITS && fitted.scale() >= -MAX_EXPONENT && fitted.scale() <= BIAS);
            return fitted;
        }
    }
}
