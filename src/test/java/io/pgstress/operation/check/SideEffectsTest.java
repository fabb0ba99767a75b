package io.pgstress.operation.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that the run's own statements remove without reporting it, or that somebody takes away with a table, are not lost by the server. */
@Slow
final class SideEffectsTest {
    private static final String ADD = """
            add:
              parameters: {i: {sequence: 1}}
              steps: [{name: insert, sql: "insert into child (id, parent) values (:i, 1 + :i % 50)"}]
            """;

    @TempDir
    private Path directory;

    private String url;

    @BeforeEach
    void makeTables() {
        url = TestServer.emptyDatabase("side_effects");
        TestServer.execute(
                url,
                "create table parent (id int primary key)",
                "insert into parent select generate_series(1, 1000)",
                "create table child (id int, parent int)",
                "create function clear_children() returns int volatile language plpgsql as"
                        + " 'begin delete from child; return 1; end'");
    }

    /** Adds rows to a table and executes SQL beside that. */
    private RunResult run(String sql, String... more) throws IOException {
        String other = """
                other:
                  parameters: {PARAMETERS}
                  steps: [{name: step, miss: never, sql: "SQL"}]
                """.replace("SQL", sql).replace("PARAMETERS", sql.contains(":p") ? "p: {range: 1..50}" : "");
        Path file = Files.writeString(directory.resolve("own.yaml"), ADD + other);
        return Runs.run(
                "-c 2 --think 2ms --warmup 0 -T 0.3 --max-error-rate 100% --op add:9,other:1 --url " + url
                        + " --operations " + file,
                more);
    }

    private static void assertNothingIsCalledLost(RunResult run) {
        assertThat(run.operations().get("add").ok()).isPositive();
        assertThat(run.operations().get("other").ok()).isPositive();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.WRITES_NOT_CHECKED))
                .extracting(figures -> figures.get("table"))
                .contains("child");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate child",
                "do 'begin delete from child; end'",
                "explain analyze delete from child",
                "select clear_children()",
            })
    void rowsThatTheRunRemovesInOtherWaysAreNotLost(String sql) throws IOException {
        assertNothingIsCalledLost(run(sql));
    }

    @Test
    void childrenOfDeletedParentsAreNotLost() throws IOException {
        TestServer.execute(
                url,
                "create table grandparent (id int primary key)",
                "insert into grandparent select generate_series(1, 1000)",
                "alter table parent add foreign key (id) references grandparent on delete cascade",
                "alter table child add foreign key (parent) references parent on delete cascade");

        assertNothingIsCalledLost(run("delete from grandparent where id = :p", "--max-miss-rate 100%"));
    }

    @Test
    void rowsDeletedThroughAViewAreNotLost() throws IOException {
        TestServer.execute(url, "create view even as select * from child where id % 2 = 0");

        assertNothingIsCalledLost(run("delete from even where parent = :p", "--max-miss-rate 100%"));
    }

    @Test
    void rowsDeletedFromAPartitionAreNotLost() throws IOException {
        TestServer.execute(
                url,
                "drop table child",
                "create table child (id int, parent int) partition by range (parent)",
                "create table low partition of child for values from (0) to (25)",
                "create table high partition of child for values from (25) to (100)");

        assertNothingIsCalledLost(run("delete from low where parent = :p", "--max-miss-rate 100%"));
    }

    @Test
    void rowsThatATriggerOfAnotherTableRemovesAreNotLost() throws IOException {
        TestServer.execute(
                url,
                "create function clear() returns trigger language plpgsql as"
                        + " 'begin perform clear_children(); return null; end'",
                "create trigger clear after update on parent for each row execute function clear()");

        assertNothingIsCalledLost(run("update parent set id = id where id = :p"));
    }

    @Test
    void rowsThatTheRunRollsBackToASavepointAreNotLost() throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
                mine:
                  transaction: true
                  parameters: {i: {sequence: 1}}
                  steps:
                    - {sql: "savepoint s", miss: never}
                    - {sql: "insert into child values (:i, 0)"}
                    - {sql: "rollback to s", miss: never}
                    - {sql: "insert into child values (:i, 1)"}
                """);

        RunResult run =
                Runs.run("-c 2 --think 2ms --warmup 0 -T 0.15 --op mine --url " + url + " --operations " + file);

        assertThat(run.operations().get("mine").ok()).isPositive();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.STEP_NOT_CHECKED))
                .as("said once")
                .containsExactly(Map.of("operation", "mine", "why", "it has savepoints"));
    }

    @Test
    void lossesOfTheTableItselfAreFoundBesideHarmlessForeignKeysAndFunctions() throws IOException {
        TestServer.execute(
                url,
                "alter table child add foreign key (parent) references parent",
                "create function number() returns int volatile language plpgsql as 'begin return 1; end'",
                "create function lose() returns trigger language plpgsql as"
                        + " 'begin delete from child where id = new.id and id % 5 = 0; return null; end'",
                "create trigger lose after insert on child for each row execute function lose()");

        RunResult run = run("delete from parent where id = 100 + :p * number()", "--max-miss-rate 100%");

        assertThat(run.reasons()).extracting(Remark::code).contains(RemarkCode.INSERTS_MISSING);
    }

    @Test
    void checksOfOperationsDoNotCountWhatOthersRemove() throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
                own:
                  parameters: {k: {range: 1..10000}}
                  steps: [{miss: never, sql: "delete from sbtest1 where k = :k or id % 3 = 0"}]
                """);

        RunResult run =
                Runs.run("-c 2 --think 2ms --warmup 0 -T 0.3 --op oltp_insert:9,own:1 --max-miss-rate 100% --url " + url
                        + " --operations " + file);

        assertThat(TestServer.number(url, "select count(*) from sbtest1"))
                .isLessThan(run.operations().get("oltp_insert").ok());
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.WRITES_NOT_CHECKED))
                .extracting(figures -> figures.get("table"))
                .contains("sbtest1");
    }

    /** Does something as soon as the table has rows. */
    private CompletableFuture<Void> meanwhile(String... statements) {
        return CompletableFuture.runAsync(() -> {
            while (TestServer.number(url, "select count(*) from child where id > 0") < 20) {
                Thread.onSpinWait();
            }
            TestServer.execute(url, statements);
        });
    }

    private RunResult add() throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), ADD);
        return Runs.run("-c 2 --think 2ms --warmup 0 -T 1 --max-error-rate 100% --op add --url " + url
                + " --operations " + file);
    }

    @Test
    void rowsThatGoWithAPartitionAreNotLost() throws Exception {
        TestServer.execute(
                url,
                "drop table child",
                "create table child (id int, parent int) partition by range (parent)",
                "create table low partition of child for values from (0) to (25)",
                "create table high partition of child for values from (25) to (100)",
                "insert into low select -1, 3 from generate_series(1, 50)");
        CompletableFuture<Void> detach = meanwhile("begin; alter table child detach partition low;"
                + " create table new_low partition of child for values from (0) to (25); commit");

        RunResult run = add();
        detach.get();

        assertThat(Runs.found(run, RemarkCode.INSERTS_MISSING)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.TABLE_CHANGED))
                .singleElement()
                .satisfies(figures -> assertThat(figures)
                        .containsEntry("change", "one of its partitions or child tables was detached or dropped"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"truncate child", "drop table child; create table child (id int, parent int)"})
    void rowsThatSomebodyRemovesWithTheirFileAreToldAsThat(String sql) throws Exception {
        CompletableFuture<Void> change = meanwhile(sql);

        RunResult run = add();
        change.get();

        assertThat(Runs.found(run, RemarkCode.INSERTS_MISSING)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.TABLE_CHANGED)).hasSize(1);
    }

    /** The server counts the updates of the new table only. */
    @Test
    void updatesOfATableThatIsCreatedAnewAreNotLost() throws Exception {
        Path file = Files.writeString(directory.resolve("own.yaml"), """
                mine:
                  parameters: {i: {range: 1..50}}
                  steps: [{sql: "update child set id = 1 where parent = :i", miss: never}]
                """);
        TestServer.execute(url, "insert into child select 0, generate_series(1, 50)");
        CompletableFuture<Void> change = meanwhile("drop table child; create table child (id int, parent int)");

        RunResult run = Runs.run("-c 2 --think 2ms --warmup 0 -T 0.5 --max-error-rate 100% --op mine --url " + url
                + " --operations " + file);
        change.get();

        assertThat(Runs.found(run, RemarkCode.UPDATES_NOT_COUNTED)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.WRITES_NOT_CHECKED)).hasSize(1);
    }
}
