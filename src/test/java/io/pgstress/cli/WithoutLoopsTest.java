package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that does not let us give virtual threads a scheduler: here, {@code java.lang} is not open to the classes. */
@EveryJdk
final class WithoutLoopsTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("without_loops");
        TestServer.table(url, "docs", 100);
    }

    @Test
    void autoSelectsThreadsOfTheJdk() throws Exception {
        Path json = directory.resolve("r.json");
        try (Child child = run("--json", json.toString())) {
            assertThat(child.exit()).as(child.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        }
        assertThat(Files.readString(json)).containsPattern("\"threadKind\" ?: ?\"(platform|virtual)\"");
    }

    @Test
    void loopsAreRefusedInOneLine() throws Exception {
        try (Child child = run("--client-threads", "loop")) {
            boolean isTooOld = Runtime.version().feature() < 24; // which is known without a try
            assertThat(child.exit()).isEqualTo(isTooOld ? ExitCode.USAGE : ExitCode.TARGET);
            assertThat(child.err().lines())
                    .singleElement()
                    .asString()
                    .contains("client-threads", "loop", isTooOld ? "JDK 24 or newer" : "--client-threads virtual");
        }
    }

    private Child run(String option, String value) throws Exception {
        String load = "-t docs -c 40 --warmup 0 -T 300ms --quiet --url " + url;
        return new Child(directory, load, option, value);
    }
}
