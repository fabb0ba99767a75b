package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.JsonTokens;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.testing.Slow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the Extended JSON of random documents with that of MongoDB's own library. Known differences, and why ours is right:
 *
 * <ul>
 *   <li>a double's exponent has a sign (E+18), as in the BSON corpus; the library uses {@link Double#toString(double)};
 *   <li>a double has the fewest digits possible; on JDK 17 the library writes one more for some (fixed in JDK 19, JDK-4511638);
 *   <li>the milliseconds of a date have three digits (.500), according to a footnote of the specification; the library drops trailing zeros;
 *   <li>a pointer is {"$dbPointer": {"$ref": ..., "$id": ...}}, as in the specification; the library omits the outer object;
 *   <li>the hexadecimal digits of a binary's subtype are lower-case, as in the specification; the library's are upper-case;
 *   <li>a decimal128 with a coefficient of more than 34 digits is 0 according to IEEE 754; the library writes its digits. Not tested here.
 * </ul>
 */
@Slow
class OracleTest {
    private static final int DOCUMENTS = 5_000;
    /** Tokens from "$dbPointer" to the bracket that closes it. */
    private static final int POINTER_LENGTH = 13;

    @ParameterizedTest
    @EnumSource(ExtendedJson.class)
    void convertsRandomDocumentsLikeTheLibrary(ExtendedJson mode) {
        JsonMode theirs = mode == ExtendedJson.RELAXED ? JsonMode.RELAXED : JsonMode.EXTENDED;
        JsonWriterSettings settings =
                JsonWriterSettings.builder().outputMode(theirs).build();
        DocumentConverter converter = new DocumentConverter(JsonOptions.of(mode));
        RandomDocuments documents = new RandomDocuments(42);
        ByteSink out = new ByteSink(1_000);
        for (int i = 0; i < DOCUMENTS; i++) {
            BsonDocument document = documents.next();
            byte[] bytes = RandomDocuments.bytes(document);
            out.clear();
            assertThat(converter.convert(bytes, 0, bytes.length, out)).isTrue();
            assertThat(known(JsonTokens.of(out.toByteArray())))
                    .isEqualTo(known(JsonTokens.of(document.toJson(settings))));
        }
    }

    /** Removes the known differences. */
    private static List<String> known(List<String> all) {
        List<String> tokens = new ArrayList<>(all);
        for (int at = tokens.indexOf("s$dbPointer"); at >= 0; at = tokens.indexOf("s$dbPointer")) {
            tokens.remove(at + POINTER_LENGTH);
            tokens.subList(at - 1, at + 2).clear();
        }
        List<String> out = new ArrayList<>();
        String before = "";
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            boolean isDouble = i > 1 && before.equals("s$numberDouble") && token.matches("s-?[0-9].*");
            boolean isNumber = token.startsWith("n") && token.endsWith("f");
            if (isDouble) {
                token = "s" + Double.parseDouble(token.substring(1));
            } else if (isNumber) {
                token = "n" + Double.parseDouble(token.substring(1, token.length() - 1));
            } else if (before.equals("ssubType")) {
                token = token.toLowerCase(Locale.ROOT);
            } else if (before.equals("s$date")) {
                token = token.replaceFirst("\\.([0-9]*?)0+Z$", ".$1Z");
            }
            out.add(token);
            before = token.equals(":") ? before : token;
        }
        return out;
    }

    @Test
    void everyDoubleReadsBackAndIsNotLongerThanJavas() {
        DoubleText doubles = new DoubleText();
        ByteSink out = new ByteSink(32);
        Random random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            double value = i % 2 == 0 ? Double.longBitsToDouble(random.nextLong()) : random.nextInt() / 1_000.0;
            out.clear();
            doubles.write(value, out);
            String text = new String(out.array(), 0, out.length(), StandardCharsets.US_ASCII);
            String java = Double.toString(value);
            assertThat(text.replace("+", "").length()).as(java).isLessThanOrEqualTo(java.length());
            if (Runtime.version().feature() >= 19) {
                assertThat(text.replace("+", "")).isEqualTo(java);
            }
            assertThat(Double.doubleToLongBits(Double.parseDouble(text)))
                    .as(text)
                    .isEqualTo(Double.doubleToLongBits(value));
        }
    }
}
