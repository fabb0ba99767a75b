package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.cli.Command.Argv;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line in a result. */
final class ArgvTest {
    private static String masked(String argument) {
        return Argv.masked(List.of(argument)).get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h/d?user=u&password=s,ecret&ssl=true |"
                        + " jdbc:postgresql://h/d?user=u&password=***&ssl=true",
                "jdbc:postgresql://h/d?password=p q | jdbc:postgresql://h/d?password=***",
                "--url=jdbc:postgresql://h/d?sslpassword=a,b,clients=96 |"
                        + " --url=jdbc:postgresql://h/d?sslpassword=***,clients=96",
                "jdbc:postgresql://u:p@ss@h/d | jdbc:postgresql://u:***@h/d",
                "jdbc:postgresql://u:p/s@h/d | jdbc:postgresql://u:***@h/d",
            })
    void removesEveryPartOfAPassword(String argument, String expected) {
        assertThat(masked(argument)).isEqualTo(expected);
    }

    @Test
    void removesPasswordsOfConnectionStringsAndCommandsForThem() {
        assertThat(masked("host=h password = 'a b' dbname=d")).isEqualTo("host=h password=***");
        assertThat(masked("--dbname=host=h password=a&b sslpassword=c")).isEqualTo("--dbname=host=h password=***");
        assertThat(Argv.masked(List.of("--password-command", "echo a", "--password-command=echo b", "-q")))
                .containsExactly("--password-command", "***", "--password-command=***", "-q");
    }

    @Test
    void keepsEverythingElse() {
        assertThat(masked("jdbc:postgresql://h:5432/d,clients=96")).isEqualTo("jdbc:postgresql://h:5432/d,clients=96");
        assertThat(masked("find_first:3,find_update:1")).isEqualTo("find_first:3,find_update:1");
    }
}
