package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Spans.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StealTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path directory;

    private Steal steal(String steal) throws IOException {
        write(steal);
        return new Steal(directory.resolve("stat").toString(), 2, n -> n);
    }

    private void write(String steal) throws IOException {
        Files.writeString(
                directory.resolve("stat"), "cpu  9 8 7 6 5 4 3 " + steal + " 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    }

    @Test
    void stolenTimeEndsAtTheReading() throws IOException {
        Steal steal = steal("100");
        steal.sample(SECOND);
        write("180");
        steal.sample(3 * SECOND);
        steal.sample(4 * SECOND);

        assertThat(steal.spans()).containsExactly(new Span(3 * SECOND - 400_000_000, 3 * SECOND));
    }

    @Test
    void systemWithoutTheFileHasNoSteal() {
        Steal steal = new Steal(directory.resolve("none").toString(), 2, n -> n);
        steal.sample(1);
        steal.sample(2);

        assertThat(steal.spans()).isEmpty();
    }
}
