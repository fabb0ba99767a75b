package io.pgstress.probe.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CPU time of the JVM's compiler, as Linux shows it. */
final class CompilerTimeTest {
    @TempDir
    private Path tasks;

    private void thread(String number, String name, String cpu) throws IOException {
        Path thread = Files.createDirectory(tasks.resolve(number));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), cpu + " 999999999999 17\n");
    }

    @Test
    void countsOnlyThreadsOfTheCompiler() throws IOException {
        thread("11", "C2 CompilerThre", "2500000000");
        thread("12", "C1 CompilerThre", "500000000");
        thread("13", "loop-0", "90000000000");
        CompilerTime before = new CompilerTime(Map.of("11", 1_000_000_000L), 7000);

        CompilerTime now = new CompilerTime(CompilerTime.threads(tasks), 9000);

        assertThat(now.secondsSince(before)).isEqualTo(2.0);
    }

    @Test
    void takesTheFigureOfTheJvmElsewhere() throws IOException {
        Files.createDirectory(tasks.resolve("11"));
        assertThat(CompilerTime.threads(tasks)).isEmpty();
        assertThat(CompilerTime.threads(tasks.resolve("none"))).isEmpty();

        assertThat(new CompilerTime(Map.of(), 9000).secondsSince(new CompilerTime(Map.of(), 7000)))
                .isEqualTo(2.0);
        assertThat(new CompilerTime(Map.of(), -1).secondsSince(new CompilerTime(Map.of(), -1)))
                .isNull();
    }
}
