package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Passwords in what users type, right or wrong. */
final class SecretsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h/d?user=u&password=s,ecret&ssl=true |"
                        + " jdbc:postgresql://h/d?user=u&password=***&ssl=true",
                "jdbc:postgresql://h/d?password=p q | jdbc:postgresql://h/d?password=***",
                "--url=jdbc:postgresql://h/d?sslpassword=a,b,clients=96 |"
                        + " --url=jdbc:postgresql://h/d?sslpassword=***,clients=96",
                "jdbc:postgresql://u:p@ss@h/d | jdbc:postgresql://***@h/d",
                "jdbc:postgresql://u:p/s@h/d?password=x | jdbc:postgresql://***@h/d?password=***",
                "postgresql://u:S3CR/ET@h/app | postgresql://***@h/app",
                "--url=postgresql://u:S3CR?ET@h/app | --url=postgresql://***@h/app",
                "-dpostgresql://u:SECRET@h/app | -dpostgresql://***@h/app",
                "postgresql:/u:SECRET@h | postgresql:/***@h",
                "postgresql://u:S3&password=CRET@h/app | postgresql://***",
                "jdbc:postgresql://h/d?user=u&password=SEC@RET | jdbc:postgresql://***",
                "u:SECRET@h/app | ***@h/app",
                "mysql://u:SECRET@h/app | ***@h/app",
                "host=h password = 'a b' dbname=d | host=h password=***",
                "--dbname=host=h password=a&b sslpassword=c | --dbname=host=h password=***",
            })
    void removesEveryPartOfAPassword(String word, String expected) {
        assertThat(Secrets.masked(word)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"jdbc:postgresql://h:5432/d;clients=96", "find_first:3;find_update:1", "dir/script.sql@5", "@"})
    void keepsEverythingElse(String word) {
        assertThat(Secrets.masked(word)).isEqualTo(word);
    }

    @Test
    void findsWordsAndPartsOfThemInMessages() {
        List<String> words = List.of("--hosts", "a,u:SE'C RET@h");
        assertThat(Secrets.inMessage("no such file: a,u:SE'C RET@h", words)).isEqualTo("no such file: ***@h");
        assertThat(Secrets.inMessage("must be HOST, was 'u:SE'C RET@h'", words)).isEqualTo("must be HOST, was '***@h'");
        assertThat(Secrets.inMessage("'x' is not FILE@WEIGHT", List.of("x"))).isEqualTo("'x' is not FILE@WEIGHT");
    }

    /** Masked first, the shorter one would hide where the longer one is. */
    @Test
    void wordThatIsPartOfAnotherHidesNothingOfIt() {
        String message = "no answer of u:p@h/d?password=SECRET, nor of u:p@h";
        String safe = "no answer of ***@h/d?password=***, nor of ***@h";
        assertThat(Secrets.inMessage(message, List.of("u:p@h", "u:p@h/d?password=SECRET")))
                .isEqualTo(safe);
        assertThat(Secrets.inMessage(message, List.of("u:p@h/d?password=SECRET", "u:p@h")))
                .isEqualTo(safe);
    }
}
