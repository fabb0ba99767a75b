package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.MoreSamples;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.Scaling;
import io.pgstress.target.driver.TargetException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the user reads of a failure. */
final class FailureTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Streams streams =
            new Streams(new PrintStream(err), new PrintStream(err, true, StandardCharsets.UTF_8));

    @Test
    void clientsThatEndByAFullHeapAreOneLine() {
        Thread.UncaughtExceptionHandler handler = Failure.ofThreads(streams, List.of());
        for (int client = 0; client < 3; client++) {
            handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError("Java heap space"));
        }

        assertThat(err.toString(StandardCharsets.UTF_8))
                .hasLineCount(1)
                .startsWith("stress: the heap of ")
                .contains("is full: use fewer --clients");
    }

    @Test
    void verboseShowsWhereItCameFrom() {
        Failure.ofThreads(streams, List.of("--verbose"))
                .uncaughtException(Thread.currentThread(), new IllegalStateException("odd"));

        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("stress: odd\n")
                .contains("at io.pgstress.cli.");
    }

    @Test
    void resultThatAFailureCutShortIsNotValid() {
        Scaling found = MoreSamples.scaling();

        assertThat(ResultLine.of(Failure.cutShort(found, new TargetException("no connection"), List.of())))
                .endsWith(": not valid, 1 reason");
        assertThat(Failure.cutShort(found, null, List.of())).isSameAs(found);
    }
}
