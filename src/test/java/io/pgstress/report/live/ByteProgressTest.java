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

        assertThat(shown())
                .isEqualTo("check_in: 15 s to go, 25.0% of 400 MB, 50,000 documents, 10,000 documents/s, 20.0 MB/s\n");
    }

    @Test
    void unknownTotalHasNoBarAndNoRemainingTime() {
        ByteProgress progress = open(ProgressFormat.LINE, 0);

        now = 2 * SECOND;
        progress.update(4_000_000, 20);

        assertThat(shown()).isEqualTo("\rcheck_in 4.0 MB, 20 documents, 10.0 documents/s, 2.0 MB/s\u001b[K");
    }

    @Test
    void firstSecondsHaveNoRates() {
        ByteProgress progress = open(ProgressFormat.LINE, 400_000_000);

        now = SECOND;
        progress.update(100_000_000, 20);

        assertThat(shown()).isEqualTo("\rcheck_in [#####...............] 25.0% of 400 MB, 20 documents\u001b[K");
    }

    @Test
    void remainingTimeFitsANarrowTerminal() {
        for (int columns : new int[] {80, 60, 40}) {
            ByteProgress progress = open(ProgressFormat.LINE, 400_000_000_000L, columns);
            now += 10 * SECOND;
            progress.update(1_000_000_000, 2_000_000);

            String line = shown().substring(shown().lastIndexOf('\r') + 1).replace("\u001b[K", "");
            assertThat(line)
                    .startsWith("check_in ")
                    .contains("1:06:30 to go, 0.25% of 400 GB")
                    .hasSizeLessThan(columns);
        }
        assertThat(shown()).contains("check_in 1:06:30 to go, 0.25% of 400 GB, 200,000 documents/s, 100 MB/s");
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

    private ByteProgress open(ProgressFormat format, long total) {
        return open(format, total, 200);
    }

    private ByteProgress open(ProgressFormat format, long total, int columns) {
        StepProgress shown = new StepProgress(format, new Terminal(true, columns, false), out, () -> now);
        return new ByteProgress("check_in", total, shown, () -> now);
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
