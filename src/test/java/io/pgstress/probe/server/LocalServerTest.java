package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineCounters;
import io.pgstress.machine.MachineFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a session's server is found among the processes of this machine. */
final class LocalServerTest {
    @TempDir
    private Path proc;

    @BeforeEach
    void makeProcesses() throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\n");
        process(40, 1, "postgres", 2_000, 5);
        process(41, 40, "postgres: checkpointer", 2_001, 10);
        process(57, 40, "postgres: a) b (c", 90_000, 20);
        process(58, 1, "java", 90_000, 1_000);
    }

    /** @param start in ticks since the machine was started */
    private void process(long pid, long parent, String name, long start, long ticks) throws IOException {
        Path own = Files.createDirectories(proc.resolve(String.valueOf(pid)));
        Files.writeString(
                own.resolve("stat"),
                String.format(
                        Locale.ROOT,
                        "%d (%s) S %d 1 1 0 -1 4194560 1 2 3 4 %d 0 0 0 20 0 1 0 %d 1000 10%n",
                        pid,
                        name,
                        parent,
                        ticks,
                        start));
        Files.writeString(own.resolve("cgroup"), "0::/of/" + pid + "\n");
    }

    @Test
    void backendOfThisMachineShowsItsPostmaster() {
        assertThat(LocalServer.of(57, 899.5, 900.5, proc)).contains(new LocalServer(proc, 40));
        assertThat(LocalServer.of(57, 900.8, 900.9, proc)).contains(new LocalServer(proc, 40));
    }

    /** That of a server behind a tunnel has another number, name or age here. */
    @Test
    void anotherProcessOfTheSameNumberIsNoBackend() {
        assertThat(LocalServer.of(57, 901.1, 902, proc)).isEmpty();
        assertThat(LocalServer.of(57, 890, 898.9, proc)).isEmpty();
        assertThat(LocalServer.of(58, 899.5, 900.5, proc)).isEmpty();
        assertThat(LocalServer.of(59, 899.5, 900.5, proc)).isEmpty();
        assertThat(LocalServer.of(57, Double.NaN, Double.NaN, proc)).isEmpty();
    }

    @Test
    void processesAreThePostmasterAndItsChildren() throws IOException {
        String lines = new LocalServer(proc, 40).processes();

        assertThat(lines.lines()).hasSize(4).anyMatch(line -> line.startsWith("cpu  1 2"));
        assertThat(MachineCounters.processTicks(lines)).isEqualTo(35);
    }

    @Test
    void filesOfTheReaderAreThoseOfThePostmaster() {
        String own = "/proc/self/cgroup";

        MachineFiles files = new LocalServer(proc, 40).files(List.of(own, proc + "/stat"));

        assertThat(files.text(own)).isEqualTo("0::/of/40");
        assertThat(files.text(proc + "/stat")).startsWith("cpu ");
    }
}
