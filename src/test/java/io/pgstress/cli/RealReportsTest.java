package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Reports;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of runs against a real server. */
@Slow
final class RealReportsTest {
    private static String url;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTables() {
        url = TestServer.freshDatabase("reports");
        TestServer.table(url, "docs", 500);
        TestServer.execute(url, "create table docs_copy (like docs including all)");
    }

    @Test
    void writesEveryFormatAndTheResultMatchesTheSchema() throws IOException {
        List<String> files = new ArrayList<>();
        for (ReportFormat writer : Reports.FILES) {
            files.addAll(List.of("--" + writer.name(), path(writer.name())));
        }

        assertThat(run(files, "--op", "find_first:2,find_update:1,find_insert:1", "--pool", "hikari"))
                .isZero();

        for (ReportFormat writer : Reports.FILES) {
            assertThat(Path.of(path(writer.name()))).isNotEmptyFile();
        }
        assertPublishedForm();
        assertThat(text(out))
                .startsWith("find_first:2,find_update:1,find_insert:1 on docs")
                .contains("\nall ");
        assertThat(text(err)).contains("measure 1.0 s: ");
    }

    @Test
    void openLoadMatchesTheSchemaAndIsSaved() throws IOException {
        assertThat(run(List.of("--json", path("json"), "--save"), "--rate", "500", "--dir", path("kept")))
                .isZero();

        assertPublishedForm();
        assertThat(text(out)).contains("open load of 500 ops/s").contains(" schedule ");
        assertThat(text(err)).contains("stress: saved as " + path("kept"));
        assertThat(ResultOutput.history(Optional.of(Path.of(path("kept")))).list())
                .hasSize(1);
    }

    @Test
    void runWithErrorsOnlyMatchesTheSchema() throws IOException {
        TestServer.execute(
                url,
                "create or replace function refuse() returns trigger language plpgsql as "
                        + "'begin raise exception ''no''; end'",
                "create table refusing (like docs including all)",
                "insert into refusing select * from docs",
                "create trigger t before update on refusing for each row execute function refuse()");

        run(List.of("--json", path("json")), "--table", "refusing", "--op", "find_update");

        assertPublishedForm();
        assertThat(text(out)).contains("error P0001");
    }

    private void assertPublishedForm() throws IOException {
        assertThat(new ResultSchema().problems(Files.readString(Path.of(path("json")))))
                .isEmpty();
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private int run(List<String> files, String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("--url", url, "--table", "docs", "--threads", "2", "--warmup", "0.2", "--duration", "1"));
        arguments.addAll(files);
        for (int i = 0; i < options.length; i += 2) {
            int given = arguments.indexOf(options[i]);
            if (given >= 0) {
                arguments.set(given + 1, options[i + 1]);
            } else {
                arguments.addAll(List.of(options[i], options[i + 1]));
            }
        }
        return Main.run(new Streams(stream(out), stream(err)), arguments.toArray(String[]::new));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
