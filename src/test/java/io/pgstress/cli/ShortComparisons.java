package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** {@code stress compare} on a real server, with the shortest of blocks. */
abstract class ShortComparisons {
    static String url;

    @TempDir
    Path directory;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("compare");
        TestServer.table(url, "docs", 5000);
    }

    static Ended compare(String... options) {
        return compareFor(80, String.join(" ", options));
    }

    /** With blocks of this length. */
    static Ended compareFor(int millis, String options) {
        return stress(
                "compare -c 2 --warmup 20ms -P 100ms -t docs --url " + url + Runs.ON_A_BUSY_MACHINE,
                "-T " + millis + "ms",
                options);
    }

    /** Asserts that it compared all there is; a reason that a busy machine explains is only a warning. */
    static void assertCompared(Ended ended) {
        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
    }
}
