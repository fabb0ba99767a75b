package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.runner.CompilerTime.CompilerShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compiler's share of the CPU time of a process with one other thread. */
final class CompilerShareTest {
    @TempDir
    private Path tasks;

    private long processNanos = 9_000;

    private void compilerHasUsed(long nanos) throws IOException {
        Path thread = Files.createDirectories(tasks.resolve("11"));
        Files.writeString(thread.resolve("comm"), "C2 CompilerThre\n");
        Files.writeString(thread.resolve("schedstat"), nanos + " 0 1\n");
    }

    @Test
    void coversTheTimeSinceThePreviousCall() throws IOException {
        compilerHasUsed(5_000);
        CompilerShare share = new CompilerShare(new CompilerTime(tasks), () -> processNanos);

        compilerHasUsed(5_300);
        processNanos += 1_000;
        assertThat(share.sinceLast()).isEqualTo(0.3, within(1e-9));

        compilerHasUsed(5_310);
        processNanos += 1_000;
        assertThat(share.sinceLast()).isEqualTo(0.01, within(1e-9));
    }

    @Test
    void isNothingIfTheProcessWasIdle() throws IOException {
        compilerHasUsed(5_000);

        assertThat(new CompilerShare(new CompilerTime(tasks), () -> processNanos).sinceLast())
                .isZero();
    }
}
