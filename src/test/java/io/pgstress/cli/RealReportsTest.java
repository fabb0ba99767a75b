package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Reports;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of runs against a real server. */
@Slow
final class RealReportsTest {
    private static String url;

    private Ended ended = new Ended(0, "", "");

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
        String files = Reports.FILES.stream()
                .map(writer -> " --" + writer.name() + " " + path(writer.name()))
                .collect(Collectors.joining(" ", "", " --csv " + path("tables") + " --pgbench-log " + path("log")));

        assertThat(run("-t docs --op find_first:2,find_update:1,find_insert:1 --pool hikari" + files))
                .isZero();

        for (ReportFormat writer : Reports.FILES) {
            assertThat(Path.of(path(writer.name()))).isNotEmptyFile();
        }
        for (ReportFormat table : Reports.TABLES) {
            assertThat(Path.of(path("tables"), table.name() + ".csv")).isNotEmptyFile();
        }
        assertPublishedForm();
        assertThat(ended.out())
                .startsWith("find_first:2,find_update:1,find_insert:1 on docs")
                .contains("\nall ");
        assertThat(ended.err())
                .contains("measuring for 1.0 s")
                .contains("stress: wrote " + path("log") + ", " + path("json"), ", " + path("tables") + "\n");
    }

    @Test
    void openLoadMatchesTheSchemaAndIsSaved() throws IOException {
        assertThat(run("-t docs --rate 500 --save --json %s --dir %s".formatted(path("json"), path("kept"))))
                .isZero();

        assertPublishedForm();
        assertThat(ended.out()).contains(" schedule ");
        assertThat(ended.err()).contains("stress: saved as " + path("kept"));
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

        run("--table refusing --op find_update --json " + path("json"));

        assertPublishedForm();
        assertThat(ended.out()).contains("error P0001");
    }

    private void assertPublishedForm() throws IOException {
        assertThat(new ResultSchema().problems(Files.readString(Path.of(path("json")))))
                .isEmpty();
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private int run(String options) {
        ended = Ended.stress("-c 2 --warmup 0.2 -T 1 --url " + url, options, Runs.ON_A_BUSY_MACHINE);
        return ended.code();
    }
}
