package io.pgstress.operation.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.pool.Pools;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts of pgbench run as operations. */
@Slow
final class ScriptOperationTest {
    private static final List<String> MODES = List.of("plain", "extended", "prepared");

    @TempDir
    private Path directory;

    private String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.emptyDatabase("scripts");
        TestServer.execute(
                url,
                "create table seen (client int, n bigint, t text)",
                "create table one (id int primary key, n int)",
                "insert into one select i, 0 from generate_series(1, 100) i");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private RunResult run(String text, String... more) throws IOException {
        return run(file("mine.sql", text), "--op mine", more);
    }

    private RunResult run(Path file, String op, String... more) {
        return Runs.run("-c 2 --think 2ms --warmup 0 -T 0.15 --url " + url + " --operations " + file + " " + op, more);
    }

    private static OperationResult mine(RunResult run) {
        OperationResult mine = run.operations().get("mine");
        assertThat(mine.errors()).isEmpty();
        assertThat(mine.ok()).isPositive();
        return mine;
    }

    private String seen(String what) {
        return TestServer.text(url, "select " + what + " from seen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void functionWithSeveralStatementsInItsBodyIsCreated(String mode) throws IOException {
        RunResult run = run("""
                create or replace function pg_temp.next(i int) returns int language sql begin atomic
                  select 0; select case when i > 0 then i + 1 end;
                end;
                select pg_temp.next(1) as n \\gset
                insert into seen (n) values (:n);
                """, "-M", mode);

        assertThat(mine(run).statements()).hasSize(3);
        assertThat(seen("distinct n")).isEqualTo("2");
    }

    /** Over all cases, each mode meets each pool. */
    static Stream<Arguments> modesAndPools() {
        List<String> pools = List.copyOf(Pools.names());
        return IntStream.range(0, MODES.size() * pools.size())
                .mapToObj(i -> Arguments.of(MODES.get(i % MODES.size()), pools.get(i / MODES.size())));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("modesAndPools")
    void everyCommandWorksInEveryModeWithEveryPool(String mode, String pool) throws IOException {
        RunResult run = run("""
                -- everything
                \\set id random(1, 100)
                \\set big 9223372036854775807 - :scale
                begin;
                select n, id * 2 as twice, 'it''s' as word, null as nothing from one
                  where id = :id \\gset got_
                \\if :got_twice = 2 * :id
                update one set n = :got_n + 1
                  where id = :id;
                \\elif :nowhere
                select 1/0;
                \\else
                select 1/0;
                \\endif
                select 1 as a \\; select 7 as b union select 8 order by 1 \\aset
                insert into seen values (:client_id, :b, :a::text);
                \\set b case when :big > 0 and :b = 8 then :b else 1/0 end
                \\sleep 100 us
                insert into seen (n, t) values (:big, '-- no :comment');
                end;
                """, "-M", mode, "--pool", pool, "-D", "nowhere=false");

        OperationResult mine = mine(run);
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(mine.statements().keySet())
                .containsExactly(
                        "begin",
                        "select_one",
                        "update_one",
                        "select",
                        "select_2",
                        "select_3",
                        "insert_seen",
                        "insert_seen_2",
                        "end");
        assertThat(TestServer.number(url, "select count(*) from seen"))
                .isEqualTo(2 * mine.statements().get("end").callsInAll());
        assertThat(seen("string_agg(distinct coalesce(n, 0) || ' ' || t, ', ' order by coalesce(n, 0) || ' ' || t)"))
                .isEqualTo("8 1, 9223372036854775806 -- no :comment");
        assertThat(seen("string_agg(distinct client::text, ' ' order by client::text)"))
                .isEqualTo("0 1");
        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void valuesAreThoseOfTheExpressions(String mode) throws IOException {
        RunResult run = run(
                "\\set d 1.5 * 2\n\\set t true\n\\set small -5\ninsert into seen values (0 - :small, :d, :t::text || :word);",
                "-c 1 -M " + mode,
                mode.equals("plain") ? "-D word=\"'abc'\"" : "-D word=abc");

        mine(run);
        assertThat(seen("distinct client || ' ' || n || ' ' || t")).isEqualTo("5 3 trueabc");
    }

    /** Of float8, the server sends the fewest digits that no other value has. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void valuesOfColumnsAreTheServersText(String mode) throws IOException {
        String sql = "select 0.1::float8 + 0.2::float8 as a, 1e20::float8 as b, 100::float8 as c, 'nan'::float8 as d,"
                + " 1.5::float4 as e, 1.10::numeric as f, true as g, date '2020-01-02' as h, '\\x01ff'::bytea as i,"
                + " null::float8 as j, 9007199254740993::float8 as k"
                + " \\gset\n";

        run(
                sql + "\\set n :c / 8\ninsert into seen (n, t) values (:n, concat_ws(' ', "
                        + Stream.of("abcdefghijk".split(""))
                                .map(name -> mode.equals("plain") ? "':" + name + "'" : ":" + name + "::text")
                                .collect(Collectors.joining(", "))
                        + "));",
                "-M " + mode);

        assertThat(seen("string_agg(distinct n || ' ' || t, ', ')"))
                .isEqualTo("12 0.30000000000000004 1e+20 100 NaN 1.5 1.10 t 2020-01-02 \\x01ff"
                        + "  9.007199254740992e+15");
    }

    @Test
    void plainReplacesVariablesInQuotesAndOtherModesRefuseThem() throws IOException {
        String text = "\\set n 7\ninsert into seen (t) values ('n is :n, and not :m');";

        mine(run(text, "-M plain"));
        assertThat(seen("distinct t")).isEqualTo("n is 7, and not :m");
        assertThatThrownBy(() -> run(text, "-M prepared"))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageEndingWith("mine.sql:2: variable ':n' is in quotes, where only -M simple replaces it");
    }

    @Test
    void valuesOfColumnsInQuotesAreRefusedToo() throws IOException {
        String text = "select 7 as n \\gset got_\ninsert into seen (t) values ('n is :got_n');";

        mine(run(text, "-M plain"));
        assertThat(seen("distinct t")).isEqualTo("n is 7");
        assertThatThrownBy(() -> run(text, "-M extended"))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageEndingWith("mine.sql:2: variable ':got_n' is in quotes, where only -M simple replaces it");
    }

    @Test
    void scaleAndDefinitionsAreVariables() throws IOException {
        Path file = file("mine.sql", "insert into seen values (:client_id, :scale, :name || ' ' || :random_seed);");

        mine(run(file, "--op mine", "-c 1", "-M plain --scale 3 --seed 9 -D name=\"'x''y'\""));
        mine(run(file, "--op mine", "-c 1", "--seed 9 -D name=z -D scale=5"));
        assertThat(seen("string_agg(distinct n || t, ', ' order by n || t)")).isEqualTo("3x'y 9, 5z 9");
    }

    @Test
    void scriptsAreWeightedInAMixWithOtherOperations() throws IOException {
        Path a = file("a.sql", "insert into seen (n) values (1);");
        Path b = file("b.sql", "insert into seen (n) values (2);");

        RunResult run = run(a, "--operations " + b + " --op a:8,b:1,select_only:1", "-T 0.3");

        assertThat(run.operations().keySet()).containsExactly("a", "b", "select_only");
        long ofA = TestServer.number(url, "select count(*) from seen where n = 1");
        long ofB = TestServer.number(url, "select count(*) from seen where n = 2");
        assertThat(ofB).isPositive();
        assertThat((double) ofA / ofB).isBetween(5.0, 12.0);
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22012 | 2 | select 1;~\\set x 1 / 0 * :client_id",
                "02000 | 1 | select 1 as a where false \\gset",
                "21000 | 1 | select 1 as a union select 2 \\gset",
                "02000 | 1 | drop table if exists nowhere \\gset",
                "42602 | 1 | select 1 \\gset",
                "42602 | 1 | select 1 as \"bad name!\" \\gset",
                "42704 | 2 | select 5 as i8 where false \\aset~\\set i :i8",
                "22023 | 1 | \\sleep :word~select 1;",
                "25001 | 2 | begin;~insert into seen values (1);",
                "25001 | 1 | select 1 \\; begin;",
                "42P01 | 1 | select * from nowhere;",
            })
    void failuresHaveTheirLineAndLeaveTheSessionUsable(String failure) throws IOException {
        String[] parts = failure.split(" \\| ", -1);
        RunResult run = run(parts[2].replace('~', '\n'), "-D word=bla");

        assertThat(run.operations().get("mine").ok()).isZero();
        assertThat(run.operations().get("mine").errors()).hasSize(1).allSatisfy((state, error) -> {
            assertThat(state).isEqualTo(parts[0]);
            assertThat(error.sample()).contains("mine.sql:" + parts[1] + ": ");
            assertThat(error.count()).as("the session is used again").isGreaterThan(2);
        });
        assertThat(TestServer.number(url, "select count(*) from seen")).isZero();
    }

    /** As steps of operations files do. */
    @Test
    void aValueThatAnEmptyResultDoesNotProvideMakesTheRunNotValid() throws IOException {
        RunResult run = run(
                "\\set n random(1, 2)\nselect 1 as a where :n = 1 \\gset\ninsert into seen (n) values (:a);",
                "--max-error-rate 100%");

        assertThat(run.operations().get("mine").ok()).isPositive();
        long times = run.operations().get("mine").errors().get("02000").count();
        assertThat(Runs.found(run, RemarkCode.EMPTY_RESULT_USED))
                .singleElement()
                .satisfies(figures ->
                        assertThat(((Number) figures.get("times")).longValue()).isGreaterThanOrEqualTo(times));
        assertThat(Runs.reasonsOfTheRunItself(run)).isNotEmpty();
    }

    @Test
    void aMistakeOfSyntaxIsFoundBeforeTheRun() {
        assertThatThrownBy(() -> run("select 1;\nselect 1 + ;"))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("mine.sql:2: syntax error")
                .hasMessageContaining("42601");
    }

    @Test
    void aScriptMayCreateItsTables() throws IOException {
        OperationResult mine = mine(run(
                "create temp table own (n int);\n\\set n random(1, 9)\ninsert into own values (:n);\ndrop table own;"));

        assertThat(mine.statements().keySet()).containsExactly("create_own", "insert_own", "drop_own");
    }

    @Test
    void aRetryDrawsTheSameNumbers() throws IOException {
        TestServer.execute(
                url,
                "create table tried (drawn bigint)",
                "create sequence tries",
                "create function sometimes(drawn bigint) returns int language plpgsql as $$ begin if nextval('tries') % 3 = 0"
                        + " then raise exception 'again' using errcode = '40001'; end if; return 1; end $$");
        // the first statement is not undone by the failure of the second one
        RunResult run =
                run("\\set n random(1, 1000000000000)\ninsert into tried values (:n);\nselect sometimes(:n);", "-c 1");

        assertThat(mine(run).retries()).isPositive();
        assertThat(TestServer.number(url, "select count(*) - count(distinct drawn) from tried"))
                .isEqualTo(mine(run).retries());
    }

    @Test
    void rowsAndSleepsAreThoseOfTheWholeScript() throws IOException {
        OperationResult mine =
                mine(run("select 1 from one;\n\\sleep 20 ms\nupdate one set n = 1 where id < 4;", "-c 1"));

        assertThat(mine.rows()).isEqualTo(103 * mine.ok());
        assertThat(mine.latencyMicros().get("total").p50()).isGreaterThan(20_000);
    }

    @Test
    void refusesATransactionAroundATransaction() {
        assertThatThrownBy(() -> run("begin; select 1; end;", "--transaction"))
                .hasMessage("--transaction: mine is already one transaction; leave out --transaction");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin;~insert into seen values (1);~savepoint s;~insert into seen values (2);~rollback to s;~end;",
                "select 1 \\; delete from seen;~insert into seen values (1);",
                "begin \\; insert into seen values (1) \\; commit;~insert into seen values (2);",
                "begin;~insert into seen values (1) \\; commit;~insert into seen values (2);",
                "insert into seen values (1);~truncate seen;"
            })
    void writesWhoseEffectIsUnknownAreNotChecked(String text) throws IOException {
        RunResult run = run(text.replace('~', '\n'), "-c 1");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(mine(run).ok()).isPositive();
        assertThat(Runs.found(run, RemarkCode.STEP_NOT_CHECKED)).isNotEmpty();
        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"commit and chain", "end work and chain", "rollback and chain", "commit and no chain;begin"})
    void whatAChainedTransactionRollsBackIsNotLost(String end) throws IOException {
        RunResult run = run("begin;\ninsert into seen values (1);\n" + end.replace(";", ";\n")
                + ";\ninsert into seen values (2);\nrollback;\ninsert into seen values (3);");

        assertThat(mine(run).ok()).isPositive();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.INSERTS_FOUND))
                .singleElement()
                .satisfies(figures -> assertThat(figures)
                        .containsEntry("inserted", TestServer.number(url, "select count(*) from seen")));
    }

    @Test
    void discardedRowsOfAScriptAreFound() throws IOException {
        TestServer.execute(
                url,
                "create function discard() returns trigger language plpgsql as 'begin return null; end'",
                "create trigger loss before insert on seen for each row execute function discard()");

        RunResult run = run("begin;\ninsert into seen values (1);\nend;");

        assertThat(run.valid()).isFalse();
        assertThat(run.dataset().afterwards()).extracting(Remark::severity).contains(RemarkCode.Severity.NOT_VALID);
    }
}
