package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Scenarios that {@code stress compare} runs: workloads, hooks, and failures in the middle. */
@Slow
final class CompareScenarioTest extends ShortComparisons {
    @Test
    void runsAScenarioWithItsHooks() throws IOException {
        TestServer.execute(url, "create table hooked (what text)");
        Path file = directory.resolve("s.yaml");
        Files.writeString(file, """
                name: hooks
                variants:
                  a: {op: find_first}
                  b: {op: find_in}
                rounds: 1
                hooks:
                  setup: insert into hooked values ('setup')
                  reset: insert into hooked values ('reset')
                  teardown: insert into hooked values ('teardown')
                """);

        assertCompared(compare(file.toString(), "-q"));

        assertThat(TestServer.text(url, "select string_agg(what, ',') from hooked"))
                .isEqualTo("setup,reset,reset,reset,reset,teardown");
    }

    @Test
    void writesAndSavesTheJsonOfEachWorkload() throws IOException {
        Path file = directory.resolve("two.yaml");
        Files.writeString(file, """
                workloads:
                  one: {op: find_first}
                  many: {op: find_in}
                vary: {statement: [prepared, plain]}
                rounds: 1
                """);
        Path json = directory.resolve("two.json");
        Path kept = directory.resolve("kept");

        Ended ended = compare("%s -q --json %s --dir %s".formatted(file, json, kept));

        assertCompared(ended);
        assertThat(directory.resolve("two-1.json")).content().contains("find_first");
        assertThat(directory.resolve("two-2.json")).content().contains("find_in");
        assertThat(ended.err().lines()).hasSize(2).allMatch(l -> l.startsWith("stress: saved as " + kept));
        assertThat(compare(file + " --json -").err()).contains("stdout can hold only one result");
    }

    @Test
    void failureReportsTheBlocksMeasuredBeforeAndTheErrorOfTheTeardownToo() throws IOException {
        TestServer.execute(url, "create table counted (n int check (n < 5))");
        Path file = directory.resolve("counted.yaml");
        Files.writeString(file, """
                vary: {statement: [prepared, plain]}
                rounds: 20
                hooks: {reset: insert into counted select count(*) from counted, teardown: drop table no_such}
                """);

        Ended ended = compare(file.toString(), "-q");

        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.out()).contains("after 1 round;", "in 1 round,", "--resume continues it");
        assertThat(ended.err()).contains("hooks.reset", "hooks.teardown");
    }

    /** A complete comparison of two workloads, then one whose second workload fails. Only the latter is continued. */
    @Test
    void failureOfOneWorkloadKeepsTheOthersAndCanBeResumed() throws IOException {
        TestServer.execute(url, "create table counter (n int)", "create table torn (what text)");
        Path file = directory.resolve("workloads.yaml");
        Files.writeString(file, """
                workloads: {one: {op: find_first}, many: {op: find_in}}
                vary: {statement: [prepared, plain]}
                rounds: 1
                hooks:
                  reset: insert into counter select count(*) from counter
                  teardown: insert into torn values ('down')
                """);
        assertCompared(compare(file.toString(), "-q"));
        // each workload has 4 blocks: the sixth fails
        TestServer.execute(url, "truncate torn", "truncate counter; alter table counter add check (n < 5)");

        Ended failed = compare(file.toString(), "-q");

        assertThat(failed.code()).isEqualTo(ExitCode.TARGET);
        assertThat(failed.out()).contains("in 1 round,");
        assertThat(failed.err()).contains("not compared: many", "hooks.reset");
        assertThat(TestServer.number(url, "select count(*) from torn")).isOne();
        TestServer.execute(url, "truncate counter");
        Ended resumed = compare(file + " -q --resume");
        assertCompared(resumed);
        assertThat(resumed.out()).contains("variants of one on docs", "variants of many on docs");
        assertThat(TestServer.number(url, "select count(*) from counter")).isEqualTo(4);
        Files.writeString(file, Files.readString(file).replace("count(*)", "count(1)"));
        assertThat(compare(file + " -q --resume").err()).contains("this comparison has not been started");
    }

    @Test
    void reportsEveryProblemOfAScenarioWithFileAndLine() throws IOException {
        Path file = directory.resolve("wrong.yaml");
        Files.writeString(file, "base: {thraeds: 3}\nrouns: 3\n");

        Ended ended = compare(file.toString());

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err())
                .contains("wrong.yaml:1: base.thraeds", "wrong.yaml:2: rouns")
                .contains("did you mean 'rounds'?");
        assertThat(compare("--vary statment=plain,prepared").err()).contains("did you mean 'statement'?");
        assertThat(compare("--vary statement").err()).contains("must be OPTION=VALUE,VALUE");
        assertThat(compare("--dry-run --drain -1s --rounds x").err())
                .contains("--drain: must", "--rounds: must be a whole number, was 'x'");
        assertThat(compare("no-such.yaml").code()).isEqualTo(ExitCode.USAGE);
        Path csv = directory.resolve("tables");
        Ended runsOnly = compare("--csv " + csv + " --hdr-log h.hlog");
        assertThat(runsOnly.code()).isEqualTo(ExitCode.USAGE);
        assertThat(runsOnly.err()).contains("--csv: can only show runs", "--hdr-log: can only");
        assertThat(csv).doesNotExist();
    }

    @Test
    void missingTableIsNotBlamedOnAnotherOption() throws IOException {
        Path file = directory.resolve("tableless.yaml");
        Files.writeString(file, "base:\n  url: " + url + "\nvary:\n  statement: [plain, prepared]\n");

        Ended ended = stress("compare " + file + " --dry-run");

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err())
                .isEqualTo(
                        "stress: " + file + ": base.table: is missing, and the server is " + url
                                + ". Give the name of a table that stress import made, or an operation that needs none, such as --op tpcb.\n");
    }

    @Test
    void resolvesFilesOfAScenarioAgainstItsDirectory() throws IOException {
        Files.writeString(directory.resolve("my.yaml"), "mine:\n  steps: [{sql: 'select 1 from ${table} limit 1'}]\n");
        Path scenario = Files.createDirectory(directory.resolve("scenarios")).resolve("s.yaml");
        Files.writeString(scenario, """
                base: {operations: ../my.yaml, op: mine}
                variants:
                  one: {statement: plain}
                  other: {statement: prepared, operations: none.yaml}
                """);

        Ended missing = compare(scenario + " --dry-run");
        assertThat(missing.code()).isEqualTo(ExitCode.USAGE);
        assertThat(missing.err())
                .contains(directory.resolve("scenarios/none.yaml") + " cannot be read")
                .doesNotContain("my.yaml");
        Files.writeString(scenario, Files.readString(scenario).replace(", operations: none.yaml", ""));
        assertThat(compare(scenario + " --dry-run").code()).isEqualTo(ExitCode.DONE);
    }
}
