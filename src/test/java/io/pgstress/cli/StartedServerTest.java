package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.importer.SampleDump;
import io.pgstress.importer.SampleDump.SampleShape;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.target.embedded.EmbeddedServer.TemporaryDirectory;
import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Servers that a command starts on new data and removes: the bundled version as if it were installed under several names. */
@Slow
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the names are links, and signals are sent by kill")
final class StartedServerTest {
    private static final String SHORT = " --op find_first -c 1 --warmup 20ms -T 100ms -P 100ms -q ";

    @TempDir
    private Path directory;

    @BeforeEach
    void link() throws IOException {
        TestServer.port(); // which unpacks the programs
        for (String name : List.of("a", "b")) {
            Files.createSymbolicLink(
                    directory.resolve(name),
                    TestServer.DIRECTORY.resolve("postgresql-18").resolve("PG-18"));
        }
    }

    private String bin(String name) {
        return directory.resolve(name).resolve("bin").toString();
    }

    private static void assertNothingIsLeft(Path home) throws IOException {
        String own = ProcessHandle.current().pid() + "-";
        try (Stream<Path> left = Files.list(home.resolve("temporary"))) {
            assertThat(left.filter(path -> !home.equals(DataHome.of(System.getenv()))
                            || path.getFileName().toString().startsWith(own)))
                    .isEmpty();
        }
    }

    private static List<RemarkCode> codes(List<Remark> remarks) {
        return remarks.stream().map(Remark::code).toList();
    }

    @Test
    void runSaysWhichProgramsItStarted() throws IOException {
        Path json = directory.resolve("run.json");
        Ended ended = stress("--server " + bin("a") + " --server-set work_mem=5MB --json " + json + SHORT);

        assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        ServerInfo server = ((RunResult) ResultFile.read(json)).servers().get(0);
        assertThat(server.settings()).containsEntry("work_mem", "5MB");
        assertThat(Objects.requireNonNull(server.build()).origin()).isEqualTo(bin("a"));
        assertThat(server.build().sha256()).hasSize(64);
        assertThat(ended.out()).contains("from " + bin("a"));
        assertNothingIsLeft(DataHome.of(System.getenv()));
    }

    @Test
    void refusedSettingIsOneLine() throws IOException {
        Ended ended = stress("--server " + bin("a") + " --server-set shared_buffer=1GB" + SHORT);

        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.err()).contains("shared_buffer").hasLineCount(1);
        assertNothingIsLeft(DataHome.of(System.getenv()));
    }

    @Test
    void equalBuildsWithTheDumpThatIsNamedDifferInNothing() throws IOException {
        Path dump = directory.resolve("shop");
        new SampleDump("shop", "few", SampleShape.SMALL, 10, 1, true).write(dump);
        new SampleDump("shop", "orders.old", SampleShape.LARGE, 300, 1, true).write(dump);
        Path json = directory.resolve("equal.json");
        Ended ended = stress("compare --vary server=%1$s,%1$s --clusters 1 --dump %2$s --rounds 2 --json %3$s"
                        .formatted(bin("a"), dump, json)
                + SHORT);

        assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        Comparison found = (Comparison) ResultFile.read(json);
        assertThat(found.servers())
                .extracting(ServerInfo::url)
                .doesNotHaveDuplicates()
                .hasSize(2);
        assertThat(codes(found.warnings())).doesNotContain(RemarkCode.DEFAULTS_DIFFER, RemarkCode.SERVERS_DIFFER);
        assertThat(found.effects())
                .isNotEmpty()
                .allSatisfy(effect -> assertThat(codes(effect.causes())).doesNotContain(RemarkCode.CAUSE_PLANS));
        DatasetInfo dataset = found.header().dataset();
        assertThat(dataset.table()).isEqualTo("orders.old");
        assertThat(dataset.rowsBefore()).isEqualTo(300);
        assertNothingIsLeft(DataHome.of(System.getenv()));
    }

    @Test
    void dumpThatCannotBeImportedIsOneLineBesideTheNote() throws IOException {
        Path dump = Files.write(directory.resolve("cut.bson"), new byte[] {60, 0, 0, 0, 1});
        Ended ended = stress("--server %s --dump %s".formatted(bin("a"), dump) + SHORT);

        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.err()).contains("PostgreSQL in " + bin("a")).hasLineCount(2);
        assertNothingIsLeft(DataHome.of(System.getenv()));
    }

    @Test
    void differentDocumentsAreNotCompared() throws IOException {
        Path scenario = Files.writeString(directory.resolve("different.yaml"), """
                hooks: {setup: ["create table own as select 1 _id, to_jsonb(random()) data"]}
                """);
        Ended ended =
                stress("compare %s --vary server=%s,%s --clusters 1".formatted(scenario, bin("a"), bin("b")) + SHORT);

        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.err()).contains("public.own").hasLineCount(1);
        assertNothingIsLeft(DataHome.of(System.getenv()));
    }

    @Test
    void serverWithoutIndexScansIsSlowerByItsPlans() throws IOException {
        Path json = directory.resolve("plans.json");
        Path scenario = Files.writeString(directory.resolve("plans.yaml"), """
                variants:
                  indexed: {server: %s}
                  scanning: {server: %s, server-set: {enable_indexscan: "off", enable_bitmapscan: "off"}}
                """.formatted(bin("a"), bin("b")));
        Ended ended = stress("compare " + scenario + " --clusters 1 --rounds 8 --json " + json + SHORT);

        assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        Effect effect = ((Comparison) ResultFile.read(json)).effects().get(0);
        assertThat(effect.verdict()).isEqualTo("slower");
        assertThat(effect.causes().get(0).code()).isEqualTo(RemarkCode.CAUSE_PLANS);
        assertThat(effect.causes().get(0).figures())
                .containsAllEntriesOf(Map.of("own", "Seq Scan", "other", "Index Scan"));
    }

    @Test
    void signalLeavesNothing() throws Exception {
        Path home = directory.resolve("home");
        Path nap = Files.writeString(directory.resolve("nap.yaml"), "nap: {steps: [{sql: select pg_sleep(0.01)}]}\n");
        String run = "--server " + bin("a") + " --op nap --operations " + nap
                + " -c 1 --warmup 0 -T 60s --progress-format plain";
        try (Child child = new Child(directory, Map.of("PGSTRESS_HOME", home.toString()), run)) {
            child.awaitErr("measure ");
            child.signal("INT");
            assertThat(child.exit()).isEqualTo(130);
        }
        assertNothingIsLeft(home);
        try (Child child = new Child(directory, Map.of("PGSTRESS_HOME", home.toString()), run)) {
            child.awaitErr("measure ");
            child.kill();
        }
        long server = server(home);
        assertThat(ProcessHandle.of(server)).isPresent();
        TemporaryDirectory.removeLeft(home); // as the next command does
        assertThat(ProcessHandle.of(server)).isEmpty();
        assertNothingIsLeft(home);
    }

    private static long server(Path home) throws IOException {
        try (Stream<Path> directories = Files.list(home.resolve("temporary"))) {
            Path pid = directories.findFirst().orElseThrow().resolve("data").resolve("postmaster.pid");
            return Long.parseLong(Files.readAllLines(pid).get(0).trim());
        }
    }
}
