package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No message repeats a password, wherever on the command line it was. */
final class SecretMessagesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--url | postgresql://u:S3CR/ET@h/app",
                "--url | postgresql://u:S3CR?ET@h/app",
                "--url | postgresql://u:S3CR@ET@h/app",
                "--url | postgresql://u:S3CR=ET@h/app",
                "--url | postgresql:/u:S3CR-ET@h",
                "--url | u:S3CR-ET@h/app",
                "--url | u:S3CR=ET@h/app",
                "--url | jdbc:postgresql://u:S3CR-ET@h/app",
                "--dbname | postgresql://u:S3CR/ET@h/app",
                "--dbname | host=h u:S3CR=ET@h",
                "--host | u:S3CR-ET@h",
                "--port | S3CR-ET",
                "--hosts | a,u:S3CR-ET@h",
                "--hosts | a,u:S3CR' ET@h",
                "--urll | postgresql://u:S3CR-ET@h/app",
                "--op | postgresql://u:S3CR-ET@h/app",
                "--clients | u:S3CR' ET@h/app",
                "--target | u:S3CR-ET@h/app",
                "--verbose | u:S3CR-ET@h/app",
                "import | u:S3CR-ET@h/app",
                "report | u:S3CR-ET@h/app",
                "compare | u:S3CR-ET@h/app",
                "--operations | u:S3CR-ET@h/app",
            })
    void noPartOfAPasswordIsRepeated(String option, String value) {
        Ended ended = Ended.ofWords(option, value);
        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).startsWith("stress: ").doesNotContain("S3CR", "ET");
        assertThat(ended.out()).isEmpty();
        Ended joined = Ended.ofWords(option + "=" + value);
        assertThat(joined.err()).startsWith("stress: ").doesNotContain("S3CR", "ET");
    }

    @Test
    void noPartOfAPasswordInAScenarioIsRepeated(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("s.yaml"), """
                base:
                  url: postgresql://u:S3CR/ET@h/app
                  hosts: a,u:S3CR-ET@h
                  clients: "u:S3CR' ET@h"
                """);
        Ended ended = Ended.ofWords("compare", file.toString());
        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).startsWith("stress: ").doesNotContain("S3CR", "ET@", "' ET");
    }
}
