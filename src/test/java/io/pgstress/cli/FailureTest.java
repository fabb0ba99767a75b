package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonException;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.Scaling;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.TextException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
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

    /** What the JVM throws then has a type of its own only by where it comes from. */
    @Test
    void threadsThatTheSystemRefusesAreNoFullHeap() {
        OutOfMemoryError refused = new OutOfMemoryError("unable to create native thread");
        refused.setStackTrace(
                new StackTraceElement[] {new StackTraceElement("java.lang.Thread", "start0", "Thread.java", -2)});

        assertCode(ExitCode.TARGET, refused);

        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("stress: the system permits no more threads: ");
    }

    private void assertCode(int expected, Throwable... failures) {
        for (Throwable failure : failures) {
            assertThat(Failure.tell(failure, streams, false, List.of()))
                    .as(failure.toString())
                    .isEqualTo(expected);
        }
    }

    /** Scripts tell by it what is to be mended. */
    @Test
    void exitCodeSaysWhatFailed() {
        assertCode(
                ExitCode.USAGE,
                new InvalidPlanException("no such option"),
                new TextException("not JSON"),
                new InvalidPathException("\0", "a zero byte"),
                new NoSuchFileException("a"),
                new AccessDeniedException("a"),
                new FileAlreadyExistsException("a"),
                new FileSystemException("a", null, "No space left on device"),
                new UncheckedIOException(new AccessDeniedException("a")));
        assertCode(ExitCode.DATA, new BsonException("a", 0, "a document", "none"));
        assertCode(
                ExitCode.TARGET,
                new TargetException("no connection"),
                new SQLException("gone", "08006"),
                new IOException("reset by peer"));
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
