package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.runner.CompilerTime.CompilerShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CPU time of the JVM's compiler, as Linux shows it, and its share of the process's. */
final class CompilerTimeTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path tasks;

    private long processNanos = 9 * SECOND;

    private void thread(String number, String name, long seconds) throws IOException {
        Path thread = Files.createDirectories(tasks.resolve(number));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), seconds + "000000000 999999999999 17\n");
    }

    private void ends(String number) throws IOException {
        Files.delete(tasks.resolve(number).resolve("comm"));
        Files.delete(tasks.resolve(number).resolve("schedstat"));
        Files.delete(tasks.resolve(number));
    }

    @Test
    void countsThreadsOfTheCompilerEvenIfTheyEnd() throws IOException {
        thread("11", "C2 CompilerThre", 5);
        thread("12", "C1 CompilerThre", 1);
        thread("13", "loop-0", 90);
        CompilerTime time = new CompilerTime(tasks);
        assertThat(time.seconds()).isZero();

        thread("11", "C2 CompilerThre", 8);
        thread("13", "loop-0", 99);
        thread("14", "C2 CompilerThre", 2);
        time.read();
        assertThat(time.seconds()).isEqualTo(5);

        ends("14");
        thread("12", "C1 CompilerThre", 2);
        time.read();
        assertThat(time.seconds()).isEqualTo(6);

        time.start();
        assertThat(time.seconds()).isZero();
    }

    @Test
    void takesTheFigureOfTheJvmElsewhere() throws IOException {
        Files.writeString(Files.createDirectory(tasks.resolve("11")).resolve("comm"), "C2 CompilerThre\n");

        assertThat(new CompilerTime(tasks).seconds()).isZero(); // this JVM has a compiler
        assertThat(new CompilerTime(tasks.resolve("none")).seconds()).isZero();
    }

    private void compilerHasUsed(long nanos) throws IOException {
        thread("11", "C2 CompilerThre", nanos);
    }

    @Test
    void shareCoversTheTimeSinceThePreviousCall() throws IOException {
        compilerHasUsed(5);
        CompilerShare share = new CompilerShare(new CompilerTime(tasks), () -> processNanos);

        compilerHasUsed(8);
        processNanos += 10 * SECOND;
        assertThat(share.sinceLast()).isEqualTo(0.3, within(1e-9));

        compilerHasUsed(9);
        processNanos += 10 * SECOND;
        assertThat(share.sinceLast()).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void shareIsNothingIfTheProcessWasIdle() throws IOException {
        compilerHasUsed(5);

        assertThat(new CompilerShare(new CompilerTime(tasks), () -> processNanos).sinceLast())
                .isZero();
    }
}
