package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.ResultFile;
import io.pgstress.result.Scaling;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stress tune} on a real server, with the shortest of steps. */
final class TuneCommandTest {
    @TempDir
    private Path directory;

    @Test
    void aClimbIsReportedWithItsKnee() throws IOException {
        String url = TestServer.freshDatabase("tune");
        TestServer.table(url, "docs", 1000);
        Path json = directory.resolve("t.json");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new Streams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                "tune",
                "--url",
                url,
                "--table",
                "docs",
                "--warmup",
                "50ms",
                "--duration",
                "400ms",
                "--interval",
                "40ms",
                "--max-threads",
                "8",
                "--json",
                json.toString());

        assertThat(code).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("1 clients: ", "2 clients: ");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("clients are enough", "knee", "peak");
        Scaling found = (Scaling) ResultFile.read(json);
        assertThat(found.steps()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(found.steps().get(0).clients()).isEqualTo(1);
        assertThat(found.knee()).isNotNull();
    }
}
