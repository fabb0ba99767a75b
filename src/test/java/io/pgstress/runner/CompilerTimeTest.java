package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.runner.CompilerTime.CompilerWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CPU time of the JVM's compiler, as Linux shows it, and whether it is notable. */
final class CompilerTimeTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path tasks;

    private long processNanos = 9 * SECOND;
    private long now = 3 * SECOND;

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

    @Test
    void wantsACoreAlsoWhileItWaitsForOne() throws IOException {
        compiler(5 * SECOND, 2 * SECOND);
        CompilerTime time = new CompilerTime(tasks);

        compiler(6 * SECOND, 5 * SECOND);
        time.read();
        assertThat(time.seconds()).isEqualTo(1);
        assertThat(time.wantedSeconds()).isEqualTo(4);

        time.start();
        assertThat(time.wantedSeconds()).isZero();
    }

    @Test
    void workIsNotableFromAFiftiethOfTheProcessOn() throws IOException {
        compiler(0, 0);
        CompilerWork work = work();

        passes(10, 10);
        compiler(SECOND / 5, 0);
        assertThat(work.isNotableSinceLast()).as("2%").isFalse();

        passes(10, 10);
        compiler(SECOND / 2, 0);
        assertThat(work.isNotableSinceLast()).as("3%").isTrue();

        passes(10, 10);
        assertThat(work.isNotableSinceLast()).as("none since").isFalse();
    }

    @Test
    void workIsNotableIfItMostlyWaitsForACore() throws IOException {
        compiler(0, 0);
        CompilerWork work = work();

        passes(1, 1);
        compiler(SECOND / 100, SECOND / 4);
        assertThat(work.isNotableSinceLast()).as("waited for a quarter").isFalse();

        passes(1, 1);
        compiler(SECOND / 50, SECOND);
        assertThat(work.isNotableSinceLast()).as("waited for three quarters").isTrue();
    }

    private CompilerWork work() {
        return new CompilerWork(new CompilerTime(tasks), () -> processNanos, () -> now);
    }

    private void passes(int seconds, int ofProcess) {
        now += seconds * SECOND;
        processNanos += ofProcess * SECOND;
    }

    private void compiler(long cpuNanos, long waitNanos) throws IOException {
        Path thread = Files.createDirectories(tasks.resolve("11"));
        Files.writeString(thread.resolve("comm"), "C2 CompilerThre\n");
        Files.writeString(thread.resolve("schedstat"), cpuNanos + " " + waitNanos + " 17\n");
    }
}
