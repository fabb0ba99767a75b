package io.pgstress.bson;

import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Documents with all types; the same seed gives the same documents. */
public final class RandomDocuments {
    private static final int[] POINTS = {0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};
    private final Random random;

    public RandomDocuments(long seed) {
        random = new Random(seed);
    }

    public static byte[] bytes(BsonDocument document) {
        var buffer = new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    public BsonDocument next() {
        return document(0);
    }

    private BsonDocument document(int depth) {
        BsonDocument document = new BsonDocument();
        int count = random.nextInt(10);
        for (int i = 0; i < count; i++) {
            document.append(text(), value(depth + 1));
        }
        return document;
    }

    private BsonArray array(int depth) {
        BsonArray array = new BsonArray();
        int count = random.nextInt(8);
        for (int i = 0; i < count; i++) {
            array.add(value(depth + 1));
        }
        return array;
    }

    private BsonValue value(int depth) {
        return switch (random.nextInt(depth > 6 ? 19 : 22)) {
            case 0 -> new BsonInt32(random.nextInt() >> random.nextInt(32));
            case 1 -> new BsonInt64(random.nextLong() >> random.nextInt(64));
            case 2 -> new BsonDouble(number());
            case 3 -> new BsonDecimal128(decimal());
            case 4 -> BsonBoolean.valueOf(random.nextBoolean());
            case 5 -> BsonNull.VALUE;
            case 6 -> new BsonUndefined();
            case 7 -> new BsonMinKey();
            case 8 -> new BsonMaxKey();
            case 9 -> new BsonDateTime(random.nextLong() >> random.nextInt(64));
            case 10 -> new BsonTimestamp(random.nextInt(), random.nextInt());
            case 11 -> new BsonBinary((byte) binarySubtype(), data(random.nextInt(20)));
            case 12 -> new BsonObjectId(objectId());
            case 13 -> new BsonRegularExpression(text(), "imsx".substring(random.nextInt(4)));
            case 14 -> new BsonDbPointer(text(), objectId());
            case 15 -> new BsonJavaScript(text());
            case 16 -> new BsonSymbol(text());
            case 17, 18 -> new BsonString(text());
            case 19 -> new BsonJavaScriptWithScope(text(), document(depth + 1));
            case 20 -> array(depth);
            default -> document(depth);
        };
    }

    private int binarySubtype() {
        int subtype = random.nextInt(256);
        return subtype == 2 ? 0 : subtype;
    }

    private byte[] data(int count) {
        byte[] data = new byte[count];
        random.nextBytes(data);
        return data;
    }

    private ObjectId objectId() {
        return new ObjectId(data(12));
    }

    private double number() {
        return switch (random.nextInt(4)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextInt(1_000_000) / 100.0;
            case 2 -> random.nextLong() >> random.nextInt(64);
            default -> random.nextGaussian();
        };
    }

    /** Coefficients below 2^112: those over 34 digits count as 0, which the library does not know. */
    private Decimal128 decimal() {
        long high = random.nextLong() >>> random.nextInt(64) & ~(1L << 48);
        Decimal128 any = Decimal128.fromIEEE754BIDEncoding(high, random.nextLong());
        return random.nextBoolean() ? any : new Decimal128(random.nextLong());
    }

    /** Text without U+0000, which neither keys nor patterns can contain. */
    private String text() {
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(1 + random.nextInt(40));
        int range = POINTS[random.nextInt(POINTS.length)];
        while (text.length() < count) {
            int point = 1 + random.nextInt(range);
            if (point < 0xd800 || point > 0xdfff) {
                text.appendCodePoint(point);
            }
        }
        return text.toString();
    }
}
