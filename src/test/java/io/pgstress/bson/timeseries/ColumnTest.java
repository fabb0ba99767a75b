package io.pgstress.bson.timeseries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns that MongoDB wrote, from the tests in its repository ({@code jstests}), and columns made by hand. */
final class ColumnTest {
    static List<@Nullable Value> decode(byte[] column) throws ColumnException {
        List<@Nullable Value> values = new ArrayList<>();
        Column reader = new Column(column, 0, column.length);
        while (reader.next()) {
            Element element = reader.value();
            values.add(element == null ? null : value(element));
        }
        return values;
    }

    private static Value value(Element element) {
        ByteSink out = new ByteSink(64);
        element.write(new byte[0], out);
        byte[] all = out.toByteArray();
        return new Value(element.type(), Arrays.copyOfRange(all, 2, all.length));
    }

    private static List<@Nullable Value> decode(String base64) throws ColumnException {
        return decode(Base64.getDecoder().decode(base64));
    }

    private static Value date(String text) {
        return Value.of(BsonType.DATE, Instant.parse(text).toEpochMilli());
    }

    private static Value objectId(String hex) {
        return new Value(BsonType.OBJECT_ID, HexFormat.of().parseHex(hex));
    }

    private static Value string(String text) {
        return Value.string(BsonType.STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsLiterals() throws Exception {
        assertThat(decode("BwBk3UrposROddEVEoUA")).containsExactly(objectId("64dd4ae9a2c44e75d1151285"));
        assertThat(decode("CQAVoWwAigEAAAA=")).containsExactly(date("2023-08-16T22:17:13.749Z"));
        assertThat(decode("CQBHVKF2lQEAAAA=")).containsExactly(date("2025-03-08T16:40:39.239Z"));
        assertThat(decode("AgALAAAAcHJlVXBncmFkZQAA")).containsExactly(string("preUpgrade"));
        assertThat(decode("AQAAAAAAAADwPwA=")).containsExactly(Value.of(1.0));
        assertThat(decode("AgAEAAAAZm9vAAA=")).containsExactly(string("foo"));
    }

    @Test
    void readsDifferences() throws Exception {
        Value time = date("2024-01-16T20:48:39.448Z");
        assertThat(decode("CQAYhggUjQEAAIAOAAAAAAAAAAA=")).containsExactly(time, time);
        assertThat(decode("AQAAAAAAAAAAAJAuAAAAAAAAAAA=")).containsExactly(Value.of(0.0), Value.of(1.0));
        assertThat(decode("BwBlpuun5tLoSOCMN1CALgAAAAAAAAAA"))
                .containsExactly(objectId("65a6eba7e6d2e848e08c3750"), objectId("65a6eba7e6d2e848e08c3751"));
    }

    @Test
    void readsRepetitions() throws Exception {
        assertThat(decode("AQAAAAAAAAAAQJN/AAAAAAAAAAIAAAAAAAAABwAAAAAAAAAOAAAAAAAAAAA="))
                .isEqualTo(Collections.nCopies(1000, Value.of(2.0)));
    }

    /** Reference object {a: 1, b: {c: 2}} of int32; of the three objects, the second has no b and the third no a. */
    @Test
    void readsInterleavedObjects() throws Exception {
        String reference =
                "1b000000" + "106100" + "01000000" + "036200" + "0c000000" + "106300" + "02000000" + "00" + "00";
        // a: +0, +1, missing: one block of three 20-bit numbers; b.c: +0, missing, +5
        String a = "80" + block(12, 20, 0, 2, 0xfffff);
        String c = "80" + block(12, 20, 0, 0xfffff, 10);
        byte[] column = HexFormat.of().parseHex("f1" + reference + a + c + "00" + "80" + block(14, 60, 0) + "00");

        assertThat(decode(column))
                .containsExactly(
                        document("106100" + "01000000" + "036200" + "0c000000" + "106300" + "02000000" + "00"),
                        document("106100" + "02000000"),
                        document("036200" + "0c000000" + "106300" + "07000000" + "00"),
                        document("036200" + "0c000000" + "106300" + "07000000" + "00"));
    }

    private static String block(int selector, int width, long... numbers) {
        long word = 0;
        for (int i = 0; i < numbers.length; i++) {
            word |= numbers[i] << (i * width);
        }
        return HexFormat.of().toHexDigits(Long.reverseBytes(word << 4 | selector));
    }

    private static Value document(String elements) {
        byte[] fields = HexFormat.of().parseHex(elements);
        byte[] all = new byte[fields.length + 5];
        all[0] = (byte) all.length;
        System.arraycopy(fields, 0, all, 4, fields.length);
        return new Value(BsonType.DOCUMENT, all);
    }

    @ParameterizedTest
    @CsvSource({
        "'', the end of the bytes before the end of the column",
        "0900e803000000000000, the end of the bytes before the end of the column",
        "0000, bytes after the end of the column",
        "0900e80300000000, no valid value of type 0x09",
        "80000000000000000000, a block with selector 0",
        "80a700000000000000, the end of the bytes within differences",
        "80a70000000000000000, a block with an unknown extended selector",
        "900e0000000000000000, differences of doubles after another type",
        "e00e0000000000000000, the control byte 0xe0",
        "f100, no valid value of type 0x03",
        "f1050000000000, a reference object without fields",
        "f109000000086100010000, interleaved objects without an object",
        "0a00802e0000000000000000, a difference to a value of type 0x0a",
        "0a01, a literal with a name",
    })
    void saysWhatIsWrong(String hex, String why) {
        byte[] column = HexFormat.of().parseHex(hex);
        assertThatThrownBy(() -> decode(column))
                .isInstanceOf(ColumnException.class)
                .hasMessageContaining(why);
    }
}
