package io.pgstress.bson.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.copy.KeyFields.TextFields;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.KeyForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class CopyRowsTest {
    private static final JsonOptions OPTIONS = JsonOptions.of(ExtendedJson.RELAXED);
    private static final String OBJECT_ID = "0123456789abcdef01234567";

    private static byte[] document(BsonValue id) {
        return RandomDocuments.bytes(new BsonDocument("a", new BsonString("tab\tquote\"")).append("_id", id));
    }

    /** The row, or an empty array if the document is rejected; {@code rows} has the reason. */
    private static byte[] row(CopyRows rows, byte[] document) {
        ByteSink out = new ByteSink(16);
        boolean done = rows.append(document, 0, document.length, out);
        assertThat(out.length() > 0).isEqualTo(done);
        return out.toByteArray();
    }

    private static String text(KeyForm form, BsonValue id) {
        CopyRows rows = new CopyRows(form, OPTIONS);
        byte[] row = row(rows, document(id));
        return row.length == 0
                ? "reject: " + Objects.requireNonNull(rows.reject()).message()
                : CopyKeyText.of(form, row, Short.BYTES);
    }

    private static String binary(KeyForm form, BsonValue id) {
        byte[] bytes = row(new CopyRows(form, OPTIONS), document(id));
        if (bytes.length == 0) {
            return "reject";
        }
        ByteBuffer row = ByteBuffer.wrap(bytes);
        assertThat(row.getShort()).isEqualTo((short) 2);
        byte[] key = new byte[row.getInt()];
        row.get(key);
        byte[] data = new byte[row.getInt()];
        row.get(data);
        assertThat(row.hasRemaining()).isFalse();
        assertThat(data[0]).isEqualTo((byte) 1);
        assertThat(new String(data, 1, data.length - 1, StandardCharsets.UTF_8))
                .startsWith("{\"a\":\"tab\\tquote\\\"\",\"_id\":");
        return HexFormat.of().formatHex(key);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void integersFitAccordingToTheirValue() {
        assertThat(text(KeyForm.INT, new BsonInt32(-7))).isEqualTo("-7");
        assertThat(text(KeyForm.INT, new BsonInt64(7))).isEqualTo("7");
        assertThat(text(KeyForm.INT, new BsonDouble(7))).isEqualTo("7");
        assertThat(text(KeyForm.BIGINT, new BsonInt64(Long.MIN_VALUE))).isEqualTo("-9223372036854775808");
        assertThat(binary(KeyForm.INT, new BsonInt32(-2))).isEqualTo("fffffffe");
        assertThat(binary(KeyForm.BIGINT, new BsonInt32(-2))).isEqualTo("fffffffffffffffe");
        assertThat(text(KeyForm.INT, new BsonInt64(1L << 31)))
                .isEqualTo("reject: an _id that does not fit the key type: it is an int64, the key's type is int"
                        + " (--key-type), at byte 27 of the document");
        assertThat(text(KeyForm.INT, new BsonDouble(0.5))).startsWith("reject");
        assertThat(text(KeyForm.BIGINT, new BsonDouble(0x1p63))).startsWith("reject");
        assertThat(text(KeyForm.BIGINT, new BsonDouble(Double.NaN))).startsWith("reject");
        assertThat(text(KeyForm.BIGINT, new BsonString("7"))).contains("it is a string, the key's type is bigint");
        assertThat(binary(KeyForm.INT, BsonBoolean.TRUE)).isEqualTo("reject");
    }

    @Test
    void numbersOfAllTypesBecomeNumeric() {
        assertThat(text(KeyForm.NUMERIC, new BsonInt32(1))).isEqualTo("1");
        assertThat(text(KeyForm.NUMERIC, new BsonDouble(1))).isEqualTo("1");
        assertThat(text(KeyForm.NUMERIC, new BsonDouble(-0.0))).isEqualTo("0");
        assertThat(text(KeyForm.NUMERIC, new BsonDouble(1e22))).isEqualTo("10000000000000000000000");
        assertThat(text(KeyForm.NUMERIC, new BsonDecimal128(Decimal128.parse("1.20"))))
                .isEqualTo("1.20");
        assertThat(text(KeyForm.NUMERIC, new BsonDecimal128(Decimal128.NaN))).startsWith("reject");
        assertThat(text(KeyForm.NUMERIC, new BsonDouble(Double.NEGATIVE_INFINITY)))
                .startsWith("reject");
        // number of digits, weight, sign, display scale; then digits in base 10,000
        assertThat(binary(KeyForm.NUMERIC, new BsonInt32(0))).isEqualTo("0000000000000000");
        assertThat(binary(KeyForm.NUMERIC, new BsonInt64(-123_456_789)))
                .isEqualTo("0003000240000000" + "00010929" + "1a85");
        assertThat(binary(KeyForm.NUMERIC, new BsonDouble(0.00123))).isEqualTo("0002ffff00000005" + "000c" + "0bb8");
    }

    @Test
    void uuidsAndDatesKeepTheirValues() {
        UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        assertThat(text(KeyForm.UUID, new BsonBinary(uuid))).isEqualTo(uuid.toString());
        assertThat(binary(KeyForm.UUID, new BsonBinary(uuid))).isEqualTo("00112233445566778899aabbccddeeff");
        assertThat(text(KeyForm.UUID, new BsonBinary(new byte[16]))).startsWith("reject");
        assertThat(text(KeyForm.TIMESTAMPTZ, new BsonDateTime(1_500))).isEqualTo("1970-01-01 00:00:01.500+00");
        assertThat(text(KeyForm.TIMESTAMPTZ, new BsonDateTime(-62_135_596_800_001L)))
                .isEqualTo("0001-12-31 23:59:59.999+00 BC");
        assertThat(text(KeyForm.TIMESTAMPTZ, new BsonDateTime(253_402_300_800_000L)))
                .isEqualTo("10000-01-01 00:00:00+00");
        assertThat(binary(KeyForm.TIMESTAMPTZ, new BsonDateTime(946_684_800_001L)))
                .isEqualTo("00000000000003e8");
        assertThat(binary(KeyForm.TIMESTAMPTZ, new BsonDateTime(Long.MAX_VALUE)))
                .isEqualTo("reject");
    }

    @Test
    void textKeysAreStringsHexDigitsOrCanonicalJson() {
        BsonValue objectId = new BsonObjectId(new ObjectId(OBJECT_ID));
        assertThat(text(KeyForm.TEXT, objectId)).isEqualTo(OBJECT_ID);
        assertThat(binary(KeyForm.TEXT, objectId)).isEqualTo(hex(OBJECT_ID));
        assertThat(binary(KeyForm.TEXT, new BsonString("\t\"\\\u00e9"))).isEqualTo(hex("\t\"\\\u00e9"));
        assertThat(text(KeyForm.TEXT, new BsonInt32(1))).isEqualTo("{\"$numberInt\":\"1\"}");
        assertThat(text(KeyForm.TEXT_OF_JSON, objectId)).isEqualTo("{\"$oid\":\"" + OBJECT_ID + "\"}");
        assertThat(binary(KeyForm.TEXT_OF_JSON, new BsonString("x\"y"))).isEqualTo(hex("\"x\\\"y\""));
        BsonDocument compound = new BsonDocument("b", new BsonArray()).append("a", new BsonInt64(2));
        assertThat(text(KeyForm.TEXT_OF_JSON, compound)).isEqualTo("{\"b\":[],\"a\":{\"$numberLong\":\"2\"}}");
    }

    @Test
    void rejectsAKeyLongerThanAnIndexEntry() {
        for (String text : new String[] {"x", "\t"}) {
            assertThat(binary(KeyForm.TEXT, new BsonString(text.repeat(TextFields.MAX_LENGTH))))
                    .hasSize(2 * TextFields.MAX_LENGTH);
            assertThat(binary(KeyForm.TEXT, new BsonString(text.repeat(TextFields.MAX_LENGTH + 1))))
                    .isEqualTo("reject");
        }
    }

    @Test
    void rejectsADocumentWithoutIdAndReportsMalformedOnesAsSuch() {
        CopyRows rows = new CopyRows(KeyForm.INT, OPTIONS);
        byte[] none = RandomDocuments.bytes(new BsonDocument("a", new BsonInt32(1)));
        assertThat(rows.append(none, 0, none.length, new ByteSink(16))).isFalse();
        assertThat(Objects.requireNonNull(rows.reject()).message())
                .isEqualTo("no _id; --missing-id generate makes one, at byte 0 of the document");
        none[4] = 0x33;
        assertThat(rows.append(none, 0, none.length, new ByteSink(16))).isFalse();
        assertThat(Objects.requireNonNull(rows.reject()).message())
                .isEqualTo("an unknown element type: 0x33, at byte 4 of the document");
    }

    @Test
    void binaryFormatHasSignatureAndTrailer() {
        ByteSink out = new ByteSink(16);
        CopyRows.begin(out);
        CopyRows.end(out);
        assertThat(HexFormat.of().formatHex(out.toByteArray()))
                .isEqualTo("5047434f50590aff0d0a00" + "0000000000000000" + "ffff");
    }

    @Test
    void largeDocumentInPiecesGivesTheSameRow() {
        ByteSink document = new ByteSink(1 << 20);
        BsonWriter writer = new BsonWriter(document).document().int32("_id", 7);
        for (int i = 0; i < 60_000; i++) {
            writer.int32("k" + (i % 3 == 0 ? "\"" : "") + i % 40_000, i);
        }
        writer.document("in")
                .int32("k1", 1)
                .end()
                .string("_id", "x".repeat(400_000) + "\n")
                .int32("_id", 8);
        writer.end();
        CopyRows rows = new CopyRows(KeyForm.INT, OPTIONS);
        ByteSink whole = new ByteSink(16);
        assertThat(rows.append(document.array(), 0, document.length(), whole)).isTrue();

        CopyRows halves = new CopyRows(KeyForm.INT, OPTIONS);
        ByteSink out = new ByteSink(16);
        ByteSink pieces = new ByteSink(16);
        assertThat(halves.appendHead(document.array(), 0, document.length(), out, new ByteSink(16)))
                .isTrue();
        out.spillTo((bytes, count) -> pieces.put(bytes, 0, count));
        halves.appendBody(document.array(), 0, document.length(), out);
        assertThat(pieces.length()).isPositive();
        pieces.put(out.array(), 0, out.length());

        assertThat(document.length()).isGreaterThan(1 << 20);
        assertThat(pieces.toByteArray()).isEqualTo(whole.toByteArray());
        assertThat(halves.hasRepeatedKeys()).isTrue();
        assertThat(halves.tally()).isEqualTo(rows.tally());
        assertThat(rows.tally().duplicateKeys()).isGreaterThan(6_000);
    }

    @Test
    void lastOfRepeatedIdsIsTheKey() {
        ByteSink document = new ByteSink(64);
        new BsonWriter(document)
                .document()
                .int32("_id", 3)
                .string("a", "b")
                .int32("_id", 4)
                .end();
        assertThat(CopyKeyText.of(
                        KeyForm.INT, row(new CopyRows(KeyForm.INT, OPTIONS), document.toByteArray()), Short.BYTES))
                .isEqualTo("4");
    }

    /** Short, plain keys take a fast path if the keys are known to be distinct. */
    @Test
    void writesKeysOfEveryLengthAndKind() {
        StringBuilder plain = new StringBuilder();
        for (int length = 0; length < 60; length++) {
            for (String end : new String[] {"", "\"", "\\", "\n", "\u00e9", "\u007f"}) {
                byte[] bytes = RandomDocuments.bytes(
                        new BsonDocument("_id", new BsonInt32(1)).append(plain + end, new BsonInt32(length)));
                assertThat(BsonDocument.parse(json(bytes))).isEqualTo(new RawBsonDocument(bytes));
            }
            plain.append((char) ('a' + length % 26));
        }
    }

    @Test
    void detectsARepeatedKey() {
        for (int depth : new int[] {0, 1, 40}) {
            ByteSink sink = new ByteSink(1 << 10);
            BsonWriter writer = new BsonWriter(sink).document().int32("_id", 1);
            for (int i = 0; i < depth; i++) {
                writer.document("in");
            }
            writer.int32("twice", 1).int32("twice", 2);
            for (int i = 0; i <= depth; i++) {
                writer.end();
            }
            CopyRows rows = new CopyRows(KeyForm.INT, OPTIONS);
            assertThat(rows.append(sink.array(), 0, sink.length(), new ByteSink(16)))
                    .isTrue();
            assertThat(rows.hasRepeatedKeys()).as("depth " + depth).isTrue();
        }
    }

    private static String json(byte[] bytes) {
        String row = new String(row(new CopyRows(KeyForm.INT, OPTIONS), bytes), StandardCharsets.UTF_8);
        return row.substring(row.indexOf('{'));
    }
}
