package io.pgstress.operation.check;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that loses one write in ten, with or without reporting it, under each operation that writes. */
@Slow
final class PlantedLossTest {
    private static final int ROWS = 3_000;

    /** Before each row: one in ten is not written, and the server does not count it. */
    private static final String DISCARD = """
            create function discard() returns trigger language plpgsql as $$
            begin
                if nextval('turns') % 10 = 0 then return null; end if;
                return case tg_op when 'DELETE' then old else new end;
            end $$""";

    /** After each row: one in ten is undone, though the server has counted it. */
    private static final String UNDO = """
            create function undo() returns trigger language plpgsql as $$
            begin
                if nextval('turns') % 10 = 0 then
                    if tg_op = 'DELETE' then insert into docs_copy values (old.*);
                    else execute format('delete from %I where ctid = $1', tg_table_name) using
                        (select ctid from docs_copy where _id = new._id); end if;
                end if;
                return null;
            end $$""";

    @TempDir
    private static Path files;

    private String url;

    @BeforeEach
    void makeTables() {
        url = TestServer.emptyDatabase("planted_loss");
        TestServer.table(url, "docs", ROWS);
        TestServer.execute(
                url,
                "create table docs_copy (like docs including all)",
                "create sequence turns start 8",
                DISCARD,
                UNDO);
    }

    private void plant(String when, String what, String table, String function) {
        TestServer.execute(
                url,
                "create trigger loss " + when + " " + what + " on " + table + " for each row execute function "
                        + function + "()");
    }

    private RunResult run(String op, String mode, String pool, String... more) {
        String way = " --op " + op + " -M " + mode + " --pool " + pool;
        return Runs.run("-c 2 --think 2ms --warmup 0 -T 0.3 --url " + url + way, more);
    }

    /**
     * The cases, texts separated by commas, each with a mode and a pool. Over nine cases in a row, such as those that discard and undo
     * writes, each mode meets each pool.
     */
    private static Stream<Arguments> ways(int first, String... cases) {
        List<String> modes = List.of("plain", "extended", "prepared");
        List<String> pools = List.copyOf(Pools.names());
        return IntStream.range(0, cases.length).mapToObj(i -> {
            int way = first + i;
            String mode = modes.get(way % modes.size());
            String pool = pools.get((way + way / modes.size()) % pools.size());
            return Arguments.of((Object[]) (cases[i] + ", " + mode + ", " + pool).split(", "));
        });
    }

    static Stream<Arguments> discarded() {
        return ways(
                0,
                "find_insert, insert, docs_copy",
                "find_delete, delete, docs_copy",
                "find_update, update, docs",
                "oltp_insert, insert, sbtest1",
                "bulk_insert, insert, pgstress_bulk_insert_1",
                "tpcb, insert, pgbench_history",
                "tpcb, update, pgbench_accounts");
    }

    @ParameterizedTest(name = "{0} ({1} of {2}), {3}, {4}")
    @MethodSource("discarded")
    void findsADiscardedWrite(String op, String what, String table, String mode, String pool) {
        if (op.startsWith("find")) {
            plant("before", what, table, "discard");
        } else {
            plantOnCreation(what, table);
        }

        RunResult run = run(op, mode, pool, op.startsWith("find") ? "-t docs" : "");

        assertThat(run.valid()).as(run.dataset().afterwards().toString()).isFalse();
        assertThat(findings(run)).as("what was lost is named").anyMatch(reason -> isAbout(reason, op, table));
    }

    @Test
    void aLossSaysThatTheTableIsUnlogged() {
        TestServer.execute(url, "alter table docs set unlogged", "alter table docs_copy set unlogged");
        plant("after", "insert", "docs_copy", "undo");

        RunResult run = run("find_insert", "prepared", "none", "-t docs");

        assertThat(run.valid()).isFalse();
        assertThat(Runs.found(run, RemarkCode.UNLOGGED_ROWS_LOST))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("table", "docs_copy"));
        assertThat(Runs.found(run, RemarkCode.INSERTS_MISSING)).isEmpty();
    }

    /** Whether a reason names the operation or the table, or says that the balances differ. */
    private static boolean isAbout(Remark reason, String op, String table) {
        return reason.code() == RemarkCode.BALANCES_DIFFER
                || Stream.of("operation", "operations", "table", "check")
                        .map(name -> String.valueOf(reason.figures().get(name)))
                        .anyMatch(name -> name.contains(op) || name.contains(table));
    }

    /** What the checks of a run have found to be wrong. */
    private static List<Remark> findings(RunResult run) {
        return run.dataset().afterwards().stream()
                .filter(remark -> remark.severity() == RemarkCode.Severity.NOT_VALID)
                .toList();
    }

    /** The single reason with this code. */
    private static Map<String, Object> finding(RunResult run, RemarkCode code) {
        List<Map<String, Object>> found = run.reasons().stream()
                .filter(reason -> reason.code() == code)
                .map(Remark::figures)
                .toList();
        assertThat(found).as("%s in %s", code, run.reasons()).hasSize(1);
        return found.get(0);
    }

    /** They are gone, and no lost updates. */
    @Test
    void rowsThatOthersDeleteAreNotLostUpdates() {
        TestServer.execute(
                url,
                "create function remove() returns trigger language plpgsql as $$ begin"
                        + " if nextval('turns') % 10 = 0 then delete from docs where _id = new._id; end if;"
                        + " return null; end $$",
                "create trigger others after update on docs for each row execute function remove()");

        RunResult run = run("find_update", "prepared", "none", "-t docs --max-miss-rate 100%");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.UPDATED_ROWS_DELETED)).hasSize(1);
    }

    /** Uses an event trigger, because the run itself creates these tables. */
    private void plantOnCreation(String what, String table) {
        TestServer.execute(
                url,
                "create function plant() returns event_trigger language plpgsql as $$ begin"
                        + " if to_regclass('" + table + "') is not null and not exists (select from pg_trigger where"
                        + " tgrelid = to_regclass('" + table + "') and tgname = 'loss') then"
                        + " create trigger loss before " + what + " on " + table
                        + " for each row execute function discard(); end if; end $$",
                "create event trigger plant on ddl_command_end when tag in ('CREATE TABLE') execute function plant()");
    }

    static Stream<Arguments> undone() {
        return ways(7, "find_insert, insert", "find_delete, delete");
    }

    @ParameterizedTest(name = "{0}, {2}, {3}")
    @MethodSource("undone")
    void findsALostAcknowledgedWrite(String op, String what, String mode, String pool) {
        plant("after", what, "docs_copy", "undo");

        RunResult run = run(op, mode, pool, "-t docs");

        assertThat(run.valid()).isFalse();
        assertThat(finding(run, op.equals("find_insert") ? RemarkCode.INSERTS_MISSING : RemarkCode.ROWS_SURPLUS))
                .containsEntry("operations", op)
                .containsEntry("table", "docs_copy")
                .containsEntry("attached", "trigger loss of docs_copy");
    }

    /** The server counts the updates of a child table there. */
    @Test
    void updatesOfChildTablesAreNotLost() {
        TestServer.execute(
                url,
                "create table child (primary key (_id)) inherits (docs)",
                "with moved as (delete from only docs where _id % 2 = 0 returning *) insert into child select * from moved");

        RunResult run = run("find_update", "plain", "none", "-t docs");

        assertThat(findings(run)).isEmpty();
        assertThat(run.warnings()).extracting(Remark::code).contains(RemarkCode.WRITES_NOT_CHECKED);
    }

    @Test
    void rowsThatAppearWhileRowsAreOnlyReadAreReported() {
        TestServer.execute(
                url,
                "alter table docs rename to docs_rows",
                "create function others() returns jsonb volatile language sql as"
                        + " $$ insert into docs_rows values (-1, '{}') on conflict do nothing; select '{}'::jsonb $$",
                "create view docs as select _id, others() as data from docs_rows");

        RunResult run = run("find_first", "plain", "none", "-t docs");

        assertThat(run.warnings()).extracting(Remark::code).contains(RemarkCode.TABLE_GREW);
        assertThat(run.dataset().bytes()).as("size of a view").isNull();
    }

    @Test
    void rowsThatAppearWithoutAnInsertAreReported() {
        TestServer.execute(
                url,
                "create function once() returns trigger language plpgsql as $$ begin"
                        + " insert into docs values (-1, '{}') on conflict do nothing; return null; end $$",
                "create trigger once after update on docs for each row execute function once()");

        assertThat(run("find_update", "plain", "none", "-t docs").warnings())
                .filteredOn(warning -> warning.code() == RemarkCode.TABLE_GREW)
                .singleElement()
                .extracting(warning -> warning.figures().get("added"))
                .isEqualTo(1L);
        assertThat(run("find_update", "plain", "none", "-t docs").warnings())
                .as("it has no more than before")
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.TABLE_GREW);
    }

    /** The server reports an updated row, but it was in another table. */
    @Test
    void findsAcknowledgedUpdatesOfNoRow() {
        TestServer.execute(
                url,
                "create table other (n int)",
                "insert into other values (1)",
                "create rule lose as on update to docs do instead update other set n = n");

        RunResult run = run("find_update", "extended", "none", "-t docs");

        assertThat(run.valid()).isFalse();
        Map<String, Object> counted = finding(run, RemarkCode.UPDATES_NOT_COUNTED);
        assertThat(counted)
                .containsEntry("operations", "find_update")
                .containsEntry("table", "docs")
                .containsEntry("updated", counted.get("missing"));
        Map<String, Object> versions = finding(run, RemarkCode.UPDATES_MISSING);
        assertThat(versions)
                .containsEntry("ids", versions.get("missing"))
                .containsEntry("attached", "rule lose of docs");
    }

    /** After a crash, the count of deleted rows says nothing about those that were deleted before. */
    @Test
    void lostUpdatesMayBeOfRowsThatWereDeletedBeforeACrash() {
        TestServer.execute(
                url,
                "create table other (n int)",
                "insert into other values (1)",
                "create rule lose as on update to docs do instead update other set n = n",
                "create function forget() returns trigger language plpgsql as $$ begin"
                        + " perform pg_stat_reset_shared('bgwriter'); return null; end $$",
                "create trigger forget after update on other for each statement execute function forget()");

        assertThat(finding(run("find_update", "extended", "none", "-t docs"), RemarkCode.UPDATES_MISSING))
                .doesNotContainKey("deleted")
                .containsKey("ids");
    }

    /** The recovery from a crash discards all counts. It shows only by the time of the reset that the trigger changes. */
    @Test
    void countsThatACrashDiscardedAreNoLoss() {
        TestServer.execute(
                url,
                "create function forget() returns trigger language plpgsql as $$ begin"
                        + " perform pg_stat_reset_shared('bgwriter'); return null; end $$",
                "create trigger forget after update on docs for each statement execute function forget()");

        RunResult run = run("find_update", "extended", "none", "-t docs");

        assertThat(Runs.found(run, RemarkCode.WRITES_NOT_CHECKED))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("operations", "find_update"));
        assertThat(Runs.found(run, RemarkCode.UPDATES_COUNTED)).isEmpty();
    }

    @Test
    void findsLossesUnderCustomOperations() throws IOException {
        Path file = Files.writeString(files.resolve("own.yaml"), """
                keep_visits:
                  reset: [truncate visits]
                  parameters:
                    n: {sequence: 1}
                  steps:
                    - sql: insert into visits (_id) values (:n)
                """);
        TestServer.execute(url, "create table visits (_id int primary key)");
        plant("before", "insert", "visits", "discard");

        RunResult run = run("keep_visits", "plain", "c3p0", "--operations " + file);

        assertThat(run.valid()).isFalse();
        assertThat(finding(run, RemarkCode.WRITES_DISCARDED))
                .containsEntry("operation", "keep_visits (step1)")
                .containsEntry("kind", "insert")
                .as("deleted rows are no reason of discarded inserts")
                .doesNotContainKey("table");
    }

    @Test
    void findsLossesInTransactions() {
        plant("after", "insert", "docs_copy", "undo");

        RunResult run = run("find_insert", "prepared", "none", "-t docs --transaction");

        assertThat(finding(run, RemarkCode.INSERTS_MISSING)).containsEntry("table", "docs_copy");
    }

    @Test
    void confirmsCompleteWrites() {
        for (String op : List.of("find_insert", "find_delete", "find_update")) {
            for (String transaction : List.of("false", "true")) {
                RunResult run = run(op, "prepared", "none", "-t docs --transaction=" + transaction);
                assertThat(findings(run)).as(op).isEmpty();
                assertThat(run.dataset().afterwards())
                        .as(op)
                        .filteredOn(remark -> op.equals(remark.figures().get("operations")))
                        .extracting(Remark::code)
                        .containsAnyOf(
                                RemarkCode.INSERTS_FOUND, RemarkCode.DELETED_ROWS_GONE, RemarkCode.UPDATES_COUNTED);
            }
        }
    }

    /** The number of rows is unchanged, but their ids are not. */
    @Test
    void findsARowThatReplacesALostOne() {
        TestServer.execute(
                url,
                "delete from docs where _id > 5", // so that its turn comes soon
                "create function other_id() returns trigger language plpgsql as $$ begin"
                        + " if new._id = 3 then new._id := -3; end if; return new; end $$");
        plant("before", "insert", "docs_copy", "other_id");

        RunResult run = run("find_insert", "prepared", "none", "-t docs");

        assertThat(finding(run, RemarkCode.IDS_DIFFER)).containsEntry("table", "docs_copy");
    }
}
