package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others' statements are shown as: a value in them may be anybody's card number. */
final class SqlTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "select 4111111111111111, 1.5e-3, .5, 0xff, -2 | select ?, ?, .?, ?, -?",
                "select 'it''s', E'a\\'b', $tag$ 7 $tag$, B'01' | select ?, E?, ?, B?",
                "update t1 set c2 = $1, \"3 d\" = $22 where a_4 = 5 | update t1 set c2 = $1, \"3 d\" = $22 where a_4 = ?",
                "select a -- card 4111 | select a",
                "select /* 'x' 1 */ a | select   a",
                "select 'cut off in the middl | select ?",
                "select t.a2, x'1F', numeric '1' | select t.a2, x?, numeric ?",
            })
    void valuesAreQuestionMarks(String sql, String shown) {
        assertThat(SqlText.withoutLiterals(sql).strip()).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "E'a''b\\'c secret'",
                "e'\\'''\\'secret'",
                "E'a'\n  'b\\'c secret'",
                "E'a' -- a comment\r\n 'b\\'c secret'",
                "-- a comment\r'b\n secret'",
            })
    void literalIsOneToItsEnd(String literal) {
        assertThat(SqlText.withoutLiterals("select " + literal + ", b from t"))
                .doesNotContain("secret")
                .endsWith("?, b from t");
    }

    /** Only the session knows whether a backslash escapes in a literal without E ({@code standard_conforming_strings}). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "select 'it\\'s secret', b from t | select ?",
                "select 'C:\\', 'secret' from t | select ?",
                "select 'it''\\'s secret', b from t | select ?",
                "select 'a\\n\\\\', b from t | select ?, b from t",
            })
    void nothingIsShownAfterALiteralThatMayHaveEnded(String sql, String shown) {
        assertThat(SqlText.withoutLiterals(sql).strip()).isEqualTo(shown);
    }
}
