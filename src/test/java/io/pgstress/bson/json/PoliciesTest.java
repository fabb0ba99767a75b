package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Documents;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {
    private static DocumentConverter converter(
            NulPolicy nul, Utf8Policy utf8, DuplicateKeyPolicy duplicates, int depth) {
        return new DocumentConverter(new JsonOptions(ExtendedJson.RELAXED, nul, utf8, duplicates, depth));
    }

    private static DocumentConverter converter(NulPolicy nul) {
        return converter(nul, Utf8Policy.REJECT, DuplicateKeyPolicy.KEEP_LAST, 10);
    }

    private static DocumentConverter converter(DuplicateKeyPolicy duplicates) {
        return converter(NulPolicy.REJECT, Utf8Policy.REPLACE, duplicates, 10);
    }

    private static String convert(DocumentConverter converter, byte[] document) {
        ByteSink out = new ByteSink(16);
        return converter.convert(document, 0, document.length, out)
                ? new String(out.toByteArray(), StandardCharsets.UTF_8)
                : Objects.requireNonNull(converter.reject()).message();
    }

    private static byte[] string(String value) {
        ByteSink out = new ByteSink(16);
        new BsonWriter(out).document().string("a", value).end();
        return out.toByteArray();
    }

    /** A document with one string of these bytes. */
    private static byte[] bytes(byte[] value) {
        byte[] document = string("x".repeat(value.length));
        System.arraycopy(value, 0, document, 11, value.length);
        return document;
    }

    @Test
    void rejectsStripsOrReplacesAndCountsNuls() {
        byte[] document = string("\0a\0\0b\0");
        assertThat(convert(converter(NulPolicy.REJECT), document))
                .isEqualTo(
                        "the character U+0000, which jsonb cannot store; --nul strip removes it, at byte 11 of the document");
        DocumentConverter strip = converter(NulPolicy.STRIP);
        assertThat(convert(strip, document)).isEqualTo("{\"a\":\"ab\"}");
        assertThat(convert(strip, string("no NUL"))).isEqualTo("{\"a\":\"no NUL\"}");
        assertThat(strip.tally()).isEqualTo(new Alterations(1, 0, 0, 0, 0, 0));
        assertThat(convert(converter(NulPolicy.REPLACE), document)).isEqualTo("{\"a\":\"\ufffda\ufffd\ufffdb\ufffd\"}");
    }

    @Test
    void replacesInvalidUtf8LikeJava() {
        Random random = new Random(3);
        DocumentConverter replace = converter(NulPolicy.REPLACE, Utf8Policy.REPLACE, DuplicateKeyPolicy.KEEP_LAST, 10);
        for (int i = 0; i < 20_000; i++) {
            byte[] value = new byte[1 + random.nextInt(12)];
            for (int k = 0; k < value.length; k++) {
                byte any = (byte) (random.nextInt(4) == 0 ? 'a' : 0x80 | random.nextInt(0x80));
                // Java replaces the three bytes of a surrogate with one character; Unicode does not recommend this.
                value[k] = any == (byte) 0xed ? (byte) 0xec : any;
            }
            assertThat(convert(replace, bytes(value)))
                    .isEqualTo("{\"a\":\"" + new String(value, StandardCharsets.UTF_8) + "\"}");
        }
        assertThat(replace.tally().utf8Documents()).isBetween(10_000L, 20_000L);
        assertThat(convert(converter(NulPolicy.STRIP), bytes(new byte[] {'o', 'k', (byte) 0xc3})))
                .isEqualTo(
                        "bytes that are not UTF-8, or half a surrogate pair; --invalid-utf8 replace changes them, at byte 13 of the document");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 40})
    void findsAnEscapeAtEveryPositionOfAString(int before) {
        for (char c : "\"\\\n\u0001\u00e9\u20ac".toCharArray()) {
            for (int after : new int[] {0, 1, 8}) {
                String value = "x".repeat(before) + c + "y".repeat(after);
                String escaped = value.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\u0001", "\\u0001");
                assertThat(convert(converter(NulPolicy.REJECT), string(value)))
                        .isEqualTo("{\"a\":\"" + escaped + "\"}");
            }
        }
    }

    @Test
    void countsOrRejectsDuplicateKeysOfAnObject() {
        ByteSink out = new ByteSink(16);
        new BsonWriter(out)
                .document()
                .int32("a", 1)
                .document("b")
                .int32("a", 2)
                .end()
                .int32("a", 3)
                .int32("a", 4)
                .end();
        byte[] document = out.toByteArray();
        DocumentConverter keeps = converter(DuplicateKeyPolicy.KEEP_LAST);
        assertThat(convert(keeps, document)).isEqualTo("{\"a\":1,\"b\":{\"a\":2},\"a\":3,\"a\":4}");
        assertThat(keeps.tally()).isEqualTo(new Alterations(0, 0, 2, 1, 0, 0));
        assertThat(convert(converter(DuplicateKeyPolicy.REJECT), document))
                .isEqualTo("a duplicate key in an object, at byte 27 of the document");
    }

    @Test
    void keysThatBecomeEqualAreDuplicates() {
        byte[] document = Documents.concat(new byte[] {11, 0, 0, 0, 0x0a, (byte) 0xff, 0, 0x0a, (byte) 0xfe, 0, 0});
        DocumentConverter keeps = converter(DuplicateKeyPolicy.KEEP_LAST);
        assertThat(convert(keeps, document)).isEqualTo("{\"\ufffd\":null,\"\ufffd\":null}");
        assertThat(keeps.tally().duplicateKeys()).isEqualTo(1);
    }

    @Test
    void distinguishesManyKeysFromManyDuplicates() {
        ByteSink out = new ByteSink(16);
        BsonWriter writer = new BsonWriter(out).document();
        for (int i = 0; i < 300_000; i++) {
            writer.nothing("k" + i % 200_000);
        }
        writer.end();
        DocumentConverter keeps = converter(DuplicateKeyPolicy.KEEP_LAST);
        for (int round = 1; round <= 3; round++) {
            convert(keeps, out.toByteArray());
            assertThat(keeps.tally().duplicateKeys()).isEqualTo(100_000L * round);
            assertThat(convert(keeps, string("x"))).isEqualTo("{\"a\":\"x\"}");
        }
    }

    @Test
    void convertsNestingUpToTheLimit() {
        assertThat(convert(converter(NulPolicy.REJECT), nested(10)))
                .isEqualTo("{\"a\":".repeat(9) + "{" + "}".repeat(10));
        assertThat(convert(converter(NulPolicy.REJECT), nested(11))).startsWith("nesting deeper than --max-depth");
        DocumentConverter deep = converter(NulPolicy.REJECT, Utf8Policy.REJECT, DuplicateKeyPolicy.KEEP_LAST, 100_000);
        assertThat(convert(deep, nested(100_000))).startsWith("{\"a\":{");
    }

    private static byte[] nested(int depth) {
        ByteSink out = new ByteSink(16);
        BsonWriter writer = new BsonWriter(out).document();
        for (int i = 1; i < depth; i++) {
            writer.document("a");
        }
        for (int i = 0; i < depth; i++) {
            writer.end();
        }
        return out.toByteArray();
    }

    @Test
    void rejectLeavesTheSinkUnchangedAndTheConverterUsable() {
        DocumentConverter converter = converter(NulPolicy.REJECT);
        ByteSink out = new ByteSink(16);
        byte[] bad = string("text and then \0");
        byte[] good = string("fine");
        out.put('|');
        assertThat(converter.convert(bad, 0, bad.length, out)).isFalse();
        assertThat(out.length()).isEqualTo(1);
        assertThat(converter.convert(good, 0, good.length, out)).isTrue();
        assertThat(converter.reject()).isNull();
        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).isEqualTo("|{\"a\":\"fine\"}");
    }
}
