package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * How commands depend on the machine: its locale and the user's files. Runs in a separate JVM, because these apply to a whole
 * process.
 */
@Slow
@EnabledOnOs(value = OS.LINUX, disabledReason = "locales and permissions of others differ")
final class MachineTest {
    private static String url;

    @TempDir
    private Path home;

    private record Ended(int code, String output) {}

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("machine");
        TestServer.table(url, "docs", 100);
    }

    private Ended stress(Map<String, String> environment, String... args) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Child.command("256m", args)).redirectErrorStream(true);
        builder.environment().put("PGSTRESS_HOME", home.toString());
        builder.environment().remove("LC_CTYPE");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    @Test
    void reportsAPathThatTheLocaleCannotEncode() throws IOException, InterruptedException {
        String name = "d\u00fcmp";
        for (String[] args : List.of(
                new String[] {"import", name, "--url", url},
                new String[] {"--url", url, "--table", "docs", "--threads", "1", "--duration", "1s", "--json", name})) {
            Ended ended = stress(Map.of("LC_ALL", "C"), args);
            assertThat(ended.output()).contains("LC_ALL=C.UTF-8").doesNotContain("expected");
            assertThat(ended.output().trim().lines()).hasSize(1);
            assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void reportsSettingsLeftByAKilledRun() throws IOException, InterruptedException {
        long gone = new ProcessBuilder("true").start().pid();
        ProcessHandle.of(gone).ifPresent(handle -> handle.onExit().join());
        String change = "{\"url\":\"" + url + "\",\"user\":\"postgres\",\"name\":\"";
        Files.writeString(
                home.resolve("altered-settings-" + gone + ".json"),
                change + "work_mem\"}\n" + change + "jit\"}\n" + change);
        Ended ended = stress(Map.of(), "explain", "--url", url, "--table", "docs", "--op", "find_first");
        assertThat(ended.output())
                .contains("a killed run left altered settings in force on " + url
                        + ": jit, work_mem; to restore them: stress settings restore");
    }

    @Test
    void ignoresAPasswordFileThatOthersMayReadWithANote() throws IOException, InterruptedException {
        Files.writeString(home.resolve(".pgpass"), "*:*:*:*:secret\n");
        Files.setPosixFilePermissions(
                home.resolve(".pgpass"), java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        Ended ended = stress(
                Map.of("HOME", home.toString()), "explain", "--url", url, "--table", "docs", "--op", "find_first");
        assertThat(ended.output()).contains(".pgpass is ignored: it has group or world access");
    }
}
