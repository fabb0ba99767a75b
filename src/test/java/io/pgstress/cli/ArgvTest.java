package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.cli.Command.Argv;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command line in a result. */
final class ArgvTest {
    private static String masked(String argument) {
        return Argv.masked(List.of(argument)).get(0);
    }

    @Test
    void removesPasswordsOfConnectionStringsAndCommandsForThem() {
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
