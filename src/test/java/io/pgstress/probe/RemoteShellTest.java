package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.machine.MachineFiles;
import io.pgstress.probe.WatchedHosts.RemoteShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shell that is started by a command, here one of this machine instead of ssh. */
final class RemoteShellTest {
    @TempDir
    Path directory;

    /** A command that takes the host's name and {@code sh}. */
    private List<String> command(String script) throws IOException {
        Path file = directory.resolve("connect");
        Files.writeString(file, script);
        return List.of("sh", file.toString());
    }

    @Test
    void readsFilesAgainAndAgainThroughOneShell() throws IOException {
        Path file = Files.writeString(directory.resolve("stat"), "one");
        Path missing = directory.resolve("missing");
        List<String> paths = List.of(file.toString(), missing.toString());
        try (RemoteShell shell = new RemoteShell(command("echo \"connected to $1\"; exec \"$2\""), "gtm")) {
            assertThat(shell.read(paths).text(file.toString())).isEqualTo("one");
            Files.writeString(file, "two\nlines");

            MachineFiles again = shell.read(paths);

            assertThat(again.text(file.toString())).isEqualTo("two\nlines");
            assertThat(again.text(missing.toString())).isEmpty();
        }
    }

    @Test
    void failureIsWhatTheCommandSaidLast() throws IOException {
        try (RemoteShell shell = new RemoteShell(command("echo \"$1: Connection refused\" >&2; exit 255"), "gtm")) {
            assertThatThrownBy(() -> shell.read(List.of("/proc/stat")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("gtm: Connection refused");
        }
    }
}
