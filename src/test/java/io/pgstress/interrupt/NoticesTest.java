package io.pgstress.interrupt;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.interrupt.Interruption.Notices;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What an interrupted command waits for, and what it prints meanwhile, on one terminal. */
final class NoticesTest {
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

    private String shown(boolean isTerminal) {
        try (Notices notices = new Notices(new PrintStream(screen, true, StandardCharsets.UTF_8), isTerminal);
                PrintStream result = new PrintStream(notices.clearedFor(screen), true, StandardCharsets.UTF_8)) {
            notices.show("waiting for the reports to be written");
            result.print("first\n");
            result.print("second\n");
        }
        return screen.toString(StandardCharsets.UTF_8);
    }

    @Test
    void resultReplacesTheStatusLine() {
        assertThat(shown(true)).isEqualTo("\r\u001b[Kwaiting for the reports to be written\r\u001b[Kfirst\nsecond\n");
    }

    @Test
    void filesGetNoEscapeSequences() {
        assertThat(shown(false).lines()).containsExactly("waiting for the reports to be written", "first", "second");
    }
}
