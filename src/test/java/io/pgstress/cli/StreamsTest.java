package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.interrupt.Interruption;
import io.pgstress.report.format.Style;
import io.pgstress.target.driver.PasswordPrompt;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class StreamsTest {
    private static final String WORDS =
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";

    private static String error(int columns, String text) {
        return printed(columns, streams -> streams.error(text));
    }

    private static String printed(int columns, Consumer<Streams> printing) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        printing.accept(new Streams(
                stream,
                stream,
                Interruption.none(),
                Style.PLAIN,
                Style.PLAIN,
                () -> columns,
                () -> columns,
                PasswordPrompt.NONE));
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void terminalGetsLinesThatFitAndTheCommandUnbroken() {
        assertThat(error(40, Streams.withCommand(WORDS + "; type:", "stress " + WORDS))
                        .lines())
                .containsExactly(
                        "stress: one two three four five six",
                        "  seven eight nine ten eleven twelve",
                        "  thirteen fourteen; type:",
                        "  stress " + WORDS);
    }

    @Test
    void progressFitsTheTerminalToo() {
        assertThat(printed(40, streams -> streams.progress(WORDS + " fifteen")).lines())
                .containsExactly(
                        "one two three four five six seven eight",
                        "  nine ten eleven twelve thirteen",
                        "  fourteen fifteen");
    }

    @Test
    void logGetsOneLine() {
        assertThat(error(Integer.MAX_VALUE, Streams.withCommand(WORDS + "; type:", "stress " + WORDS))
                        .lines())
                .containsExactly("stress: " + WORDS + "; type: stress " + WORDS);
    }
}
