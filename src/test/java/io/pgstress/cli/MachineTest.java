package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
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

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("machine");
        TestServer.table(url, "docs", 100);
    }

    private Child stress(Map<String, String> environment, String line) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("PGSTRESS_HOME", home.toString());
        return new Child(home, all, line);
    }

    private void assertExplains(Map<String, String> environment, String told) throws IOException, InterruptedException {
        try (Child child = stress(environment, "explain -t docs --op find_first --url " + url)) {
            assertThat(child.exit()).as(child.err()).isZero();
            assertThat(child.err()).contains(told);
        }
    }

    @Test
    void reportsAPathThatTheLocaleCannotEncode() throws IOException, InterruptedException {
        String name = "d\u00fcmp";
        for (String line : List.of("import " + name, "-t docs -c 1 -T 1s --json " + name)) {
            try (Child child = stress(Map.of("LC_ALL", "C"), line + " --url " + url)) {
                assertThat(child.exit()).as(child.err()).isEqualTo(ExitCode.USAGE);
                assertThat(child.err())
                        .contains("LC_ALL=C.UTF-8")
                        .doesNotContain("expected")
                        .hasLineCount(1);
                assertThat(child.out()).isEmpty();
            }
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

        TestServer.execute(url, "alter system set work_mem = '5MB'", "alter system set jit = off");
        try {
            assertExplains(
                    Map.of(),
                    "a killed run left altered settings in force on " + url
                            + ": jit, work_mem; to restore them: stress settings restore");
        } finally {
            TestServer.execute(url, "alter system reset work_mem", "alter system reset jit");
        }
    }

    @Test
    void ignoresAPasswordFileThatOthersMayReadWithANote() throws IOException, InterruptedException {
        Files.writeString(home.resolve(".pgpass"), "*:*:*:*:secret\n");
        Files.setPosixFilePermissions(home.resolve(".pgpass"), PosixFilePermissions.fromString("rw-r--r--"));

        assertExplains(Map.of("HOME", home.toString()), ".pgpass is ignored: it has group or world access");
    }
}
