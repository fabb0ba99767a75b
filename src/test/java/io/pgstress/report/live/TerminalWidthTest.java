package io.pgstress.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.live.Terminal.TerminalWidth;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalWidthTest {
    @ParameterizedTest
    @CsvSource({"'24 132\n', 132", "'0 0\n', 0", "'', 0", "stty: 'standard input': not a tty, 0", "1 99999999999, 0"})
    void isReadFromTheOutputOfStty(String output, int columns) {
        assertThat(TerminalWidth.columns(output)).isEqualTo(columns);
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "5, 20", "wide, 80"})
    void environmentGoesBefore(String columns, int width) {
        Terminal terminal = Terminal.stderrWithWidth(Map.of("PGSTRESS_TERMINAL", "true", "COLUMNS", columns));

        assertThat(terminal.columns()).isEqualTo(width);
    }
}
