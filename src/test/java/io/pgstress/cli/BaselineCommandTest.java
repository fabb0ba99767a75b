package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Child;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The child processes share the embedded server of the tests. */
final class BaselineCommandTest {
    private static final Path KEPT = TestServer.DIRECTORY.resolve("ceilings.json");

    private static final Map<String, String> HOME = Map.of("PGSTRESS_HOME", TestServer.DIRECTORY.toString());

    @TempDir
    private Path directory;

    @AfterEach
    void forget() throws Exception {
        Files.deleteIfExists(KEPT);
    }

    @Test
    void laterResultsTellHowNearTheyAreToTheCeiling() throws Exception {
        TestServer.maintenanceUrl();
        String options = "--clients 2 --warmup 0 --duration 500ms --statement plain";
        String anyMachine = Runs.ON_A_BUSY_MACHINE + ",ceiling_far";
        try (Child baseline = new Child(directory, HOME, ("baseline " + options + anyMachine).split(" "))) {
            assertThat(baseline.exit()).as(baseline.err()).isZero();
            assertThat(baseline.out()).hasLineCount(2).contains("find_first", "plain", "valid");
            assertThat(baseline.err()).contains("1 measurement: about 2.5 s", "1 ceiling kept after ");
        }
        Path json = directory.resolve("run.json");

        try (Child run = new Child(directory, HOME, (options + " -q --json " + json).split(" "))) {
            assertThat(run.exit()).as(run.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        }

        RunResult result = (RunResult) ResultFile.read(json);
        assertThat(result.serverProfile().bottleneck()).anyMatch(remark -> remark.code() == RemarkCode.GENERATOR_SHARE);
        Files.writeString(
                KEPT, Files.readString(KEPT).replaceAll("\"opsPerSecond\" : [0-9.E]+", "\"opsPerSecond\" : 1"));
        Path compared = directory.resolve("compared.json");
        String blocks =
                "compare --clients 2 --warmup 0 --warmup-executions 0 --duration 100ms --rounds 2 --statement plain"
                        + " --vary transaction=false,false -q --json " + compared;
        try (Child compare = new Child(directory, HOME, blocks.split(" "))) {
            assertThat(compare.exit()).as(compare.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        }
        assertThat(ResultFile.read(compared).warnings())
                .anyMatch(remark -> remark.code() == RemarkCode.GENERATOR_CEILING);
    }

    @Test
    void ceilingThatIsNotValidIsNotKept() throws Exception {
        TestServer.maintenanceUrl();
        String waiting =
                "baseline --clients 2 --think 500ms --warmup 0 --duration 2s --statement plain --accept idle_clients"
                        + Runs.ON_A_BUSY_MACHINE.replace(" --accept ", ",");
        try (Child baseline = new Child(directory, HOME, waiting.split(" "))) {
            assertThat(baseline.exit()).as(baseline.err()).isEqualTo(ExitCode.NOT_VALID);
            assertThat(baseline.out()).contains("not valid");
            assertThat(baseline.err())
                    .contains("find_first, plain: not kept: The clients used only ", "0 ceilings kept after ");
        }
        assertThat(KEPT).doesNotExist();
    }

    @Test
    void serverForOtherHostsAnswersUntilASignal() throws Exception {
        TestServer.maintenanceUrl();
        try (Child server = new Child(directory, HOME, "baseline", "--serve", "0")) {
            server.await(() -> server.out().contains("\n"));
            Matcher url = Pattern.compile("jdbc:\\S+").matcher(server.err());
            assertThat(url.find()).isTrue();
            try (Connection client = DriverManager.getConnection(url.group());
                    Statement statement = client.createStatement()) {
                assertThat(statement.execute("select 1")).isTrue();
            }
            server.signal("TERM");
            assertThat(server.exit()).isEqualTo(ExitCode.TERMINATED);
            assertThat(server.err()).doesNotContain("Exception");
        }
    }

    @Test
    void otherHostsAreServedOnlyIfThatIsPermitted() throws Exception {
        try (Child server = new Child(directory, HOME, "baseline", "--serve", "0.0.0.0:0")) {
            assertThat(server.exit()).as(server.err()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void addressOfAnotherHostIsRefusedInOneLine() throws Exception {
        TestServer.maintenanceUrl();
        try (Child server = new Child(directory, HOME, "baseline", "--serve", "192.0.2.1:7000", "--serve-others")) {
            assertThat(server.exit()).isEqualTo(ExitCode.TARGET);
            assertThat(server.err())
                    .contains("embedded PostgreSQL starts", "stress: --serve: cannot listen on")
                    .hasLineCount(2);
        }
        assertThat(KEPT).doesNotExist();
    }
}
