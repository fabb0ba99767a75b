package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Documents;
import io.pgstress.bson.Fault;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import java.nio.charset.StandardCharsets;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended JSON becomes the BSON that MongoDB's library makes of it. */
final class ExtendedJsonParserTest {
    private final ExtendedJsonParser parser = new ExtendedJsonParser();
    private final ByteSink out = new ByteSink(16);

    private @Nullable Reject reject(byte[] text) {
        return reject(text, false);
    }

    private @Nullable Reject reject(byte[] text, boolean onlyId) {
        out.clear();
        parser.begin(text, text.length);
        Reject reject = parser.parse(0, text.length, onlyId, out);
        parser.end();
        return reject;
    }

    private byte[] parse(String json) {
        assertThat(reject(json.getBytes(StandardCharsets.UTF_8))).as(json).isNull();
        return out.toByteArray();
    }

    /** The value of {@code v}. */
    private BsonValue value(String json) {
        byte[] bytes = parse("{\"v\": " + json + "}");
        return new RawBsonDocument(bytes).decode(new BsonDocumentCodec()).get("v");
    }

    @Test
    void randomDocumentsBecomeWhatTheLibraryMakesOfThem() {
        RandomDocuments random = new RandomDocuments(20261128);
        for (int i = 0; i < 3_000; i++) {
            BsonDocument document = random.next();
            String canonical = document.toJson(
                    JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
            assertThat(parse(canonical)).as(canonical).isEqualTo(Documents.ofJson(canonical));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, int",
        "-0, int",
        "2147483647, int",
        "2147483648, long",
        "-2147483649, long",
        "9223372036854775807, long",
        "9223372036854775808, double",
        "1.0, double",
        "1e3, double",
        "123456789012345678901234567890, double"
    })
    void numberBecomesTheFirstTypeThatHoldsIt(String number, String type) {
        BsonValue value = value(number);

        assertThat(value)
                .isInstanceOf(
                        switch (type) {
                            case "int" -> BsonInt32.class;
                            case "long" -> BsonInt64.class;
                            default -> BsonDouble.class;
                        });
        assertThat(value.asNumber().doubleValue()).isEqualTo(Double.parseDouble(number) + 0.0);
    }

    @ParameterizedTest
    @CsvSource({"NaN, NaN", "Infinity, Infinity", "-Infinity, -Infinity", "-INF, -Infinity"})
    void doublesThatAreNoNumbersAreReadAsOldMongoexportWroteThem(String json, double value) {
        assertThat(value(json)).isEqualTo(new BsonDouble(value));
    }

    /** Digits are not appended or cut by the million to find out that it has no such exponent. */
    @ParameterizedTest
    @ValueSource(strings = {"1E-2000000000", "1E+2000000000", "12E-6177"})
    @Timeout(5)
    void decimalsOutOfRangeAreRejectedAtOnce(String number) {
        byte[] json = "{\"a\": {\"$numberDecimal\": \"%s\"}}".formatted(number).getBytes(StandardCharsets.UTF_8);

        assertThat(reject(json)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'$date': '2012-12-24T12:15:30.501Z'} | 1356351330501",
                "{'$date': '2012-12-24T12:15:30Z'} | 1356351330000",
                "{'$date': '2012-12-24T12:15:30.501+0100'} | 1356347730501",
                "{'$date': '2012-12-24T12:15:30.501+01:00'} | 1356347730501",
                "{'$date': '1926-01-01T00:00:00Z'} | -1388534400000",
                "{'$date': '+10000-01-01T00:00:00Z'} | 253402300800000",
                "{'$date': 123} | 123",
                "{'$date': -62135596800000} | -62135596800000",
                "{'$date': {'$numberLong': '5'}} | 5"
            })
    void datesOfOldAndNewForms(String json, long millis) {
        assertThat(value(json.replace('\'', '"'))).isEqualTo(new BsonDateTime(millis));
    }

    @Test
    void formsOfOldToolsAndThoseThatMeanTheSame() {
        byte[] two = {1, 2};
        assertThat(value("{\"$binary\": \"AQI=\", \"$type\": \"80\"}")).isEqualTo(new BsonBinary((byte) 0x80, two));
        assertThat(value("{\"$type\": \"00\", \"$binary\": \"AQI=\"}")).isEqualTo(new BsonBinary((byte) 0, two));
        assertThat(value("{\"$binary\": {\"subType\": \"02\", \"base64\": \"AQI=\"}}"))
                .isEqualTo(new BsonBinary((byte) 2, two));
        assertThat(value("{\"$uuid\": \"00112233-4455-6677-8899-aabbccddeeff\"}"))
                .isEqualTo(value("{\"$binary\": {\"base64\": \"ABEiM0RVZneImaq7zN3u/w==\", \"subType\": \"04\"}}"));
        assertThat(value("{\"$regex\": \"^a\", \"$options\": \"i\"}")).isEqualTo(new BsonRegularExpression("^a", "i"));
        assertThat(value("{\"$options\": \"i\", \"$regex\": \"^a\"}")).isEqualTo(new BsonRegularExpression("^a", "i"));
        assertThat(value("{\"$numberLong\": 7}")).isEqualTo(new BsonInt64(7));
        assertThat(value("{\"$scope\": {}, \"$code\": \"f\"}")).isEqualTo(value("{\"$code\": \"f\", \"$scope\": {}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$regex\": \"^a\"}",
                "{\"$regex\": {\"$regularExpression\": {\"pattern\": \"a\", \"options\": \"\"}}, \"$options\": \"i\"}",
                "{\"$type\": 2}",
                "{\"$ref\": \"c\", \"$id\": 5, \"$db\": \"d\"}",
                "{\"$gt\": {\"$date\": 5}}",
                "{\"a\": 1, \"$oid\": \"no\"}",
                "{}"
            })
    void otherNamesWithDollarsStayDocuments(String json) {
        assertThat(value(json).isDocument()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "1",
                "-1.50",
                "1E+3",
                ".5",
                "1.",
                "NaN",
                "Infinity",
                "-Infinity",
                "0E-6176",
                "0E+6111",
                "9999999999999999999999999999999999E+6111",
                "1E-6176",
                "1E+6144",
                "12345678901234567890123456789012340E+2",
                "10E-6177"
            })
    void decimals(String text) {
        assertThat(value("{\"$numberDecimal\": \"" + text + "\"}"))
                .isEqualTo(new BsonDecimal128(Decimal128.parse(text.equals("1.") ? "1" : text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$oid\": \"abc\"}",
                "{\"$oid\": \"zz0000000000000000000000\"}",
                "{\"$oid\": 5}",
                "{\"$oid\": \"000000000000000000000000\", \"a\": 1}",
                "{\"$numberInt\": \"2147483648\"}",
                "{\"$numberInt\": 5}",
                "{\"$numberLong\": \"9223372036854775808\"}",
                "{\"$numberDouble\": \"one\"}",
                "{\"$numberDouble\": \"0x1p3\"}",
                "{\"$numberDouble\": \"1d\"}",
                "{\"$numberDouble\": \" 1 \"}",
                "{\"$numberDouble\": \"\"}",
                "{\"$numberInt\": \"\u0663\"}",
                "{\"$numberLong\": \"\u0663\"}",
                "{\"$numberDecimal\": \"\u0663\"}",
                "{\"$uuid\": \"000112233-455-6677-8899-aabbccddeeff\"}",
                "{\"$binary\": {\"base64\": \"\", \"subType\": \"+5\"}}",
                "{\"$binary\": {\"base64\": \"\", \"subType\": \"\"}}",
                "{\"$numberDecimal\": \"12345678901234567890123456789012345\"}",
                "{\"$numberDecimal\": \"1E+6145\"}",
                "{\"$numberDecimal\": \"--1\"}",
                "{\"$numberDecimal\": \"1E-6177\"}",
                "{\"$date\": \"yesterday\"}",
                "{\"$date\": \"2012-12-24T12:15:30.501\"}",
                "{\"$date\": 1.5}",
                "{\"$date\": \"2021-02-29T00:00:00Z\"}",
                "{\"$date\": \"2020-02-30T00:00:00Z\"}",
                "{\"$date\": \"2020-01-02T24:00:00Z\"}",
                "{\"$date\": \"2020-01-02T03:04:60Z\"}",
                "{\"$binary\": \"AQI=\"}",
                "{\"$binary\": {\"base64\": \"?\", \"subType\": \"00\"}}",
                "{\"$binary\": {\"base64\": \"\", \"subType\": \"100\"}}",
                "{\"$uuid\": \"00112233\"}",
                "{\"$timestamp\": {\"t\": -1, \"i\": 0}}",
                "{\"$timestamp\": {\"t\": 4294967296, \"i\": 0}}",
                "{\"$regularExpression\": {\"pattern\": \"a\\u0000\", \"options\": \"\"}}",
                "{\"$dbPointer\": {\"$ref\": \"c\", \"$id\": 5}}",
                "{\"$minKey\": 2}",
                "{\"$undefined\": false}",
                "{\"$code\": 5}"
            })
    void formThatOnlyLooksLikeAValueIsRejected(String json) {
        Reject reject = reject(("{\"v\": " + json + "}").getBytes(StandardCharsets.UTF_8));

        assertThat(reject).isNotNull();
        assertThat(reject.fault()).isEqualTo(Fault.INVALID_JSON);
        assertThat(out.length()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\": 1,} | 8",
                "{\"a\": 01} | 7",
                "{\"é\": 1,} | 9",
                "{\"a\": 1e400} | 6",
                "{\"a\\u0000b\": 1} | 1",
                "{\"\\ud800\": 1} | 8",
                "{\"\\udcc3é\": 1} | 8",
                "{\"a\": NAN} | 6",
                "{'a': 1} | 1",
                "{\"a\": +1} | 6",
                "{\"a\": 0x1} | 7",
                "{\"a\": .5} | 6",
                "{\"a\": [1, 2}} | 11",
                "{\"a\": tru} | 6"
            })
    void invalidTextIsRejectedWithTheByte(String json, int offset) {
        Reject reject = reject(json.getBytes(StandardCharsets.UTF_8));

        assertThat(reject).isNotNull();
        assertThat(reject.offset()).as(reject.message()).isBetween(offset - 1, offset + 4);
        assertThat(reject.message())
                .contains("not Extended JSON: ")
                .doesNotContain("\n", "Source", "JsonReadFeature", "Constraints");
    }

    @Test
    void whatOnlyJsonbCannotStoreIsLeftToItsOptions() {
        byte[] text =
                "{\"a\": \"x\u00ff\", \"b\": \"\\ud800\", \"c\": \"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(reject(text)).isNull();
        byte[] bson = out.toByteArray();
        DocumentConverter strict = new DocumentConverter(JsonOptions.of(ExtendedJson.RELAXED));
        assertThat(strict.convert(bson, 0, bson.length, new ByteSink(16))).isFalse();
        assertThat(strict.reject()).extracting(Reject::fault).isEqualTo(Fault.INVALID_UTF8);
        DocumentConverter replacing = new DocumentConverter(new JsonOptions(
                ExtendedJson.RELAXED, NulPolicy.REJECT, Utf8Policy.REPLACE, DuplicateKeyPolicy.KEEP_LAST, 100));
        ByteSink json = new ByteSink(16);
        assertThat(replacing.convert(bson, 0, bson.length, json)).isTrue();
        assertThat(new String(json.toByteArray(), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"x\ufffd\",\"b\":\"\ufffd\",\"c\":\"\ufffd\"}");

        assertThat(value("\"\\ud83d\\ude00 \ud83d\ude00\"")).isEqualTo(new BsonString("\ud83d\ude00 \ud83d\ude00"));
        assertThat(value("\"a\\u0000b\"")).isEqualTo(new BsonString("a\0b"));
        assertThat(parse("{\"a\": 1, \"a\": 2}")).hasSize(5 + 2 * 7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a': {'_id': 1, 'b': [1, {'_id': 2}]}, '_id': {'$numberLong': '3'}, 's': 'x', 'n': 1.5} | {'_id': {'$numberLong': '3'}}",
                "{'_id': {'_id': 1}, '_id': null, 'd': {'$date': 'soon'}} | {'_id': {'_id': 1}, '_id': null}",
                "{'a': 1} | {}"
            })
    void onlyTheIdIsReadIfThatIsAsked(String json, String ids) {
        byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        assertThat(reject(text, true)).isNull();
        byte[] only = out.toByteArray();

        assertThat(only).isEqualTo(parse(ids.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": [1,], \"_id\": 1}",
                "{\"_id\": 1, \"a\": {\"b\": }}",
                "{\"_id\": 1, \"a\"}",
                "[{\"_id\": 1"
            })
    void textThatIsNoJsonHasNoId(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);

        assertThat(reject(text, true)).isNotNull();
        assertThat(out.length()).isZero();
    }

    /** Python writes such escapes for bytes that are not UTF-8, and JavaScript for half an emoji. They are never another character. */
    @ParameterizedTest
    @CsvSource({
        "\\ud800, \ufffd",
        "\\udcc3\\udca9, \ufffd\ufffd",
        "\\udfff\\ud800, \ufffd\ufffd",
        "a\\ud83d, a\ufffd",
        "\\ud83d\u00e9, \ufffd\u00e9",
        "\\ud800~, \ufffd\ufffd",
        "\\ud800~~, \ufffd\ufffd\ufffd",
        "~\\udc00, \ufffd\ufffd",
        "\u00e9~, \u00e9\ufffd"
    })
    void halfASurrogatePairIsNoCharacter(String string, String replaced) {
        byte[] text = ("{\"s\": \"" + string + "\"}").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < text.length; i++) {
            text[i] = text[i] == '~' ? (byte) 0x80 : text[i];
        }
        assertThat(reject(text)).isNull();
        byte[] bson = out.toByteArray();

        DocumentConverter strict = new DocumentConverter(JsonOptions.of(ExtendedJson.RELAXED));
        assertThat(strict.convert(bson, 0, bson.length, new ByteSink(16))).isFalse();
        assertThat(strict.reject()).extracting(Reject::fault).isEqualTo(Fault.INVALID_UTF8);
        DocumentConverter replacing = new DocumentConverter(new JsonOptions(
                ExtendedJson.RELAXED, NulPolicy.REJECT, Utf8Policy.REPLACE, DuplicateKeyPolicy.KEEP_LAST, 100));
        ByteSink json = new ByteSink(16);
        assertThat(replacing.convert(bson, 0, bson.length, json)).isTrue();
        assertThat(new String(json.toByteArray(), StandardCharsets.UTF_8)).isEqualTo("{\"s\":\"" + replaced + "\"}");
        assertThat(replacing.tally().utf8Documents()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400", "{\"$numberDouble\": \"1e999\"}", "{\"$numberDouble\": \"-1.5E+400\"}"})
    void numberBeyondDoublesIsNotInfinity(String json) {
        Reject reject = reject(("{\"v\": " + json + "}").getBytes(StandardCharsets.UTF_8));

        assertThat(reject).isNotNull();
        assertThat(reject.message()).contains("a number beyond the range of doubles; only the word Infinity");
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, NaN",
        "Infinity, Infinity",
        "-Infinity, -Infinity",
        "-0.0, -0.0",
        "1E+3, 1000",
        "5, 5",
        "1e-400, 0"
    })
    void doublesInWrappers(String text, double value) {
        assertThat(value("{\"$numberDouble\": \"" + text + "\"}")).isEqualTo(new BsonDouble(value));
    }

    @Test
    void deepNestingTakesNoStack() {
        int levels = 200_000;
        byte[] bson = parse("{\"a\": " + "[".repeat(levels) + "]".repeat(levels) + "}");

        DocumentConverter converter = new DocumentConverter(JsonOptions.of(ExtendedJson.RELAXED));
        assertThat(converter.convert(bson, 0, bson.length, new ByteSink(16))).isFalse();
        assertThat(converter.reject()).extracting(Reject::fault).isEqualTo(Fault.TOO_DEEP);
    }

    @Test
    void largerDocumentThanBsonHasIsRejected() {
        byte[] text = ("{\"a\": \"" + "x".repeat(17 << 20) + "\"}").getBytes(StandardCharsets.US_ASCII);

        assertThat(reject(text)).extracting(Reject::message).asString().contains("bytes as BSON");
    }

    @Test
    void relaxedFormIsReadAsTheLibraryReadsIt() {
        String json = "{\"_id\": {\"$oid\": \"5f0000000000000000000001\"}, \"n\": 1, \"d\": 1.5, \"at\": {\"$date\":"
                + " \"2020-01-02T03:04:05.678Z\"}, \"a\": [1, {\"b\": null}, [true]], \"t\": {\"$timestamp\": {\"t\": 1,"
                + " \"i\": 2}}}";

        assertThat(parse(json)).isEqualTo(Documents.ofJson(json));
    }
}
