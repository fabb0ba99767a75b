package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON as maps. */
final class JsonTest {
    private static final String ALL = """
            {"a": [1, 2147483648, 9223372036854775808, 0.1, 1e400], "b": {"c": {}, "d": []}, "e": "\\u00e9\\n",
             "f": [true, false, null], "g": null, "a b": 1, "x": 1, "x": 2}
            """;

    @Test
    void readsEveryKindOfValueInOrder() {
        Map<String, Object> map = Json.readMap(ALL);

        assertThat(map.keySet()).containsExactly("a", "b", "e", "f", "g", "a b", "x");
        assertThat(map.get("a"))
                .isEqualTo(
                        List.of(1, 2147483648L, new BigInteger("9223372036854775808"), 0.1, Double.POSITIVE_INFINITY));
        assertThat(map.get("b")).isEqualTo(Map.of("c", Map.of(), "d", List.of()));
        assertThat(map).containsEntry("e", "\u00e9\n").containsEntry("x", 2);
        assertThat(map.get("f")).isEqualTo(Arrays.asList(true, false, null));
        assertThat(map.get("g")).isNull();
    }

    @Test
    void exactNumbersAreNotRounded() {
        assertThat(Json.readExactMap(ALL).get("a"))
                .isEqualTo(List.of(
                        1,
                        2147483648L,
                        new BigInteger("9223372036854775808"),
                        new BigDecimal("0.1"),
                        new BigDecimal("1e400")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~|is empty, not a JSON object",
                "null|is null, not a JSON object",
                "[1]|is an array, not a JSON object",
                "1.5|is a number, not a JSON object",
                "\"a\"|is a string, not a JSON object",
                "{} {}|has more than one JSON value",
                "{\"a\": tru}|line 1, column 7: Unrecognized token 'tru': was expecting",
                "{\"a\": [1|line 1, column 9: Unexpected end-of-input",
                "{\"a\" 1}|line 1, column 6: Unexpected character"
            })
    void otherTextIsAnError(String json, String message) {
        assertThatThrownBy(() -> Json.readMap(json))
                .isInstanceOf(TextException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void deepNestingIsAnError() {
        assertThatThrownBy(() -> Json.readMap("{\"a\":" + "[".repeat(100_000)))
                .isInstanceOf(TextException.class)
                .hasMessageContaining("nesting depth");
    }
}
