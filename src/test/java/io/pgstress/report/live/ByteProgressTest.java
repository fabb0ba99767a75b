package io.pgstress.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ByteProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long now;

    @Test
    void plainShowsRateAndRemainingTime() {
        ByteProgress progress = open(ProgressFormat.PLAIN, 400_000_000);

        now = SECOND;
        progress.update(1, 1);
        now = 5 * SECOND;
        progress.update(100_000_000, 50_000);

        assertThat(shown()).isEqualTo("check_in: 25.0% of 400 MB, 20.0 MB/s, 50,000 rows, 10,000 rows/s, 15 s to go\n");
    }

    @Test
    void unknownTotalHasNoBarAndNoRemainingTime() {
        ByteProgress progress = open(ProgressFormat.LINE, 0);

        now = SECOND;
        progress.update(2_000_000, 10);

        assertThat(shown()).isEqualTo("\r\u001b[Kcheck_in 2.0 MB, 2.0 MB/s, 10 rows, 10.0 rows/s");
    }

    @Test
    void lineIsRedrawnTenTimesASecondAndCleared() {
        ByteProgress progress = open(ProgressFormat.LINE, 100);
        for (int i = 0; i < 1000; i++) {
            now += SECOND / 1000;
            progress.update(i / 10, i);
        }
        progress.close();

        assertThat(shown().split("check_in")).hasSize(11);
        assertThat(shown()).endsWith("\r\u001b[K");
    }

    @Test
    void longRemainingTimeIsInHours() {
        ByteProgress progress = open(ProgressFormat.PLAIN, 10_000);

        now = 10 * SECOND;
        progress.update(10, 1);

        assertThat(shown()).contains("2:46:30 to go");
    }

    @Test
    void jsonEndsWithTheTotal() {
        ByteProgress progress = open(ProgressFormat.JSON, 10);
        now = SECOND;
        progress.update(10, 3);
        progress.close();

        assertThat(shown())
                .isEqualTo("{\"event\":\"progress\",\"what\":\"check_in\",\"bytes\":10,\"totalBytes\":10,\"rows\":3,"
                        + "\"seconds\":1.0,\"secondsToGo\":0.0}\n");
    }

    private ByteProgress open(ProgressFormat format, long total) {
        return new ByteProgress("check_in", total, format, new Terminal(true, 200, false), out, () -> now);
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
