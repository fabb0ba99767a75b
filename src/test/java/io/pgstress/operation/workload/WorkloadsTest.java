package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pgstress.operation.table.ShortRuns;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inserts of oltp_insert, bulk_insert, bulk_copy and bulk_batch. */
@Slow
final class WorkloadsTest extends ShortRuns {
    @Test
    void doesNotEmptyForeignTables() {
        TestServer.execute(
                url,
                "create table sbtest1 (id int primary key, k int, c char(120), pad char(60))",
                "insert into sbtest1 select i, 1, '', '' from generate_series(1, 700) i");

        RunResult run = run("--op oltp_insert --tables 2");
        RunResult again = run("--op oltp_insert --tables 2");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(Runs.reasonsOfTheRunItself(again)).isEmpty();
        assertThat(TestServer.number(url, "select count(*) from sbtest1 where k = 1 and c = ''"))
                .isEqualTo(700);
        assertThat(TestServer.number(url, "select count(*) from sbtest2"))
                .as("made by the first run, so emptied by the second")
                .isEqualTo(again.operations()
                        .get("oltp_insert")
                        .statements()
                        .get("insert_2")
                        .callsInAll());
    }

    @Test
    void idsOfClientsAreDistinct() {
        RunResult run = run("--op oltp_insert");
        OperationResult result = run.operations().get("oltp_insert");
        assertThat(result.duplicates()).isZero();
        assertThat(result.errors()).isEmpty();
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        long ok = result.statements().get("insert").callsInAll();

        assertThat(TestServer.number(url, "select count(*) from sbtest1")).isEqualTo(ok);
        assertThat(TestServer.number(url, "select count(*) from sbtest1 where length(c) = 119 and length(pad) = 59"))
                .isEqualTo(ok);
    }

    @Test
    void insertsIntoAllTables() {
        RunResult run = run("--op oltp_insert --tables 3 -M plain");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        for (int t = 1; t <= 3; t++) {
            assertThat(TestServer.number(url, "select count(*) from sbtest" + t))
                    .isPositive()
                    .isEqualTo(run.operations()
                            .get("oltp_insert")
                            .statements()
                            .get("insert_" + t)
                            .callsInAll());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bulk_insert, insert, prepared",
        "bulk_insert, insert, plain",
        "bulk_copy, copy, prepared",
        "bulk_copy, copy, plain",
        "bulk_batch, batch, prepared",
        "bulk_batch, batch, plain"
    })
    void allRowsArriveByEveryMethod(String op, String statement, String mode) {
        RunResult run = run("--op " + op + " --rows 50 --tables 2 --row-bytes 116 -M " + mode);

        OperationResult result = run.operations().get(op);
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(result.errors()).isEmpty();
        assertThat(result.rows()).isEqualTo(result.ok() * 50);
        assertThat(run.dataset().rowsBefore()).isZero();
        assertThat(result.megabytesPerSecond())
                .isCloseTo(result.rowsPerSecond() * 116 / 1e6, withinPercentage(1e-9)); // rounded in another order
        String all = "(select * from pgstress_" + op + "_1 union all select * from pgstress_" + op + "_2) x";
        assertThat(TestServer.number(url, "select count(*) from " + all + " where length(filler) = 100"))
                .isEqualTo(result.statements().get(statement).callsInAll() * 50);
        assertThat(TestServer.number(url, "select count(distinct id) from " + all))
                .isEqualTo(TestServer.number(url, "select count(*) from " + all));
        assertThat(run.intervals().get(0).operations().get(op).bytes())
                .isEqualTo(run.intervals().get(0).operations().get(op).rows() * 116);
    }

    @Test
    void spreadsTablesOverTablespacesInOrder() throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            statement.execute("set allow_in_place_tablespaces = on");
            for (String space : List.of("first_space", "second_space")) {
                statement.execute("drop tablespace if exists " + space);
                statement.execute("create tablespace " + space + " location ''");
            }
            run("--op bulk_copy --tables 3 --indexes none --tablespaces 'first_space, second_space'");

            assertThat(TestServer.text(
                            url,
                            "select string_agg(spcname, ' ' order by relname) from pg_class c join pg_tablespace s"
                                    + " on s.oid = reltablespace where relname ~ '^pgstress_bulk_copy_.$'"))
                    .isEqualTo("first_space second_space first_space");
            statement.execute("drop table pgstress_bulk_copy_1, pgstress_bulk_copy_2, pgstress_bulk_copy_3");
            statement.execute("drop tablespace first_space");
            statement.execute("drop tablespace second_space");
        }
    }

    @ParameterizedTest
    @CsvSource({"prepared, 64 32 4", "extended, 64 32 4", "plain, 1"})
    void batchReachesTheServerAsReported(String mode, String sizes) {
        RunResult run = run("--op bulk_batch --rows 100 -M " + mode);

        long batches =
                run.operations().get("bulk_batch").statements().get("batch").callsInAll();
        String entries = " from pg_stat_statements where query ~ '^insert into pgstress_bulk_batch'"
                + " and dbid = (select oid from pg_database where datname = current_database())";
        assertThat(TestServer.text(
                        url, "select string_agg((rows / calls)::text, ' ' order by rows / calls desc)" + entries))
                .isEqualTo(sizes);
        assertThat(TestServer.number(url, "select min(calls)" + entries))
                .isEqualTo(mode.equals("plain") ? batches * 100 : batches);
    }

    @Test
    void createsTablesWithTheRequestedOptions() {
        TestServer.execute(url, "create table if not exists nothing ()");
        run("--op bulk_insert --indexes none --unlogged");
        assertThat(TestServer.text(
                        url,
                        "select relpersistence::text || relhasindex from pg_class where relname ~"
                                + " '^pgstress_bulk_insert'"))
                .isEqualTo("ufalse");

        run("--op bulk_insert --indexes all");
        assertThat(TestServer.number(url, "select count(*) from pg_indexes where tablename = 'pgstress_bulk_insert_1'"))
                .isEqualTo(2);
        assertThatThrownBy(() -> run("--op bulk_insert --tablespaces nowhere"))
                .hasMessageContaining("tablespace \"nowhere\" does not exist");
    }

    @ParameterizedTest
    @CsvSource({"bulk_insert", "bulk_copy", "bulk_batch"})
    void theServerMakesTheRows(String op) {
        RunResult run = run("--op " + op + " --row-values server --rows 5 --row-bytes 336 --storage plain");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        String table = "pgstress_" + op + "_1";
        assertThat(TestServer.number(url, "select count(*) from " + table))
                .isEqualTo(run.operations()
                                .get(op)
                                .statements()
                                .values()
                                .iterator()
                                .next()
                                .callsInAll()
                        * 5);
        assertThat(TestServer.number(url, "select count(*) from " + table + " where filler <> repeat('x', 320)"))
                .isZero();
        assertThat(TestServer.text(
                        url,
                        "select attstorage::text from pg_attribute where attrelid = '" + table
                                + "'::regclass and attname = 'filler'"))
                .isEqualTo("p");
    }

    @ParameterizedTest
    @CsvSource({"bulk_insert", "bulk_copy"})
    void rowsOfNowHaveNoParameter(String op) {
        RunResult run = run("--op " + op + " --row-values now --indexes none --rows 5 --row-bytes 332 --storage plain");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.number(
                        url,
                        "select count(*) from pgstress_" + op
                                + "_1 where at > now() - interval '1 min' and length(filler) = 324"))
                .isEqualTo(run.operations()
                                .get(op)
                                .statements()
                                .values()
                                .iterator()
                                .next()
                                .callsInAll()
                        * 5);
        assertThatThrownBy(() -> run("--op " + op + " --row-values now")).hasMessageContaining("--indexes none");
        assertThatThrownBy(() -> run("--op bulk_batch --row-values now --indexes none"))
                .hasMessage("row-values: now is for bulk_insert and bulk_copy, not for bulk_batch");
    }

    @Test
    void roundsBeginWithEmptyTables() {
        String checkpoints = "select pg_walfile_name(redo_lsn) || redo_lsn from pg_control_checkpoint()";
        String before = TestServer.text(url, checkpoints);
        RunResult run =
                run("--op bulk_copy -c 2 --warmup 0 -T 0.9 -P 0.1 --round-time 0.3 --round-pause 0.2 --checkpoint");

        assertThat(run.load().halts().count()).isBetween(2, 3);
        assertThat(run.load().halts().seconds())
                .isGreaterThanOrEqualTo(0.2 * run.load().halts().count());
        assertThat(TestServer.text(url, checkpoints)).isNotEqualTo(before);
        assertThat(run.warnings()).noneMatch(warning -> warning.code() == RemarkCode.CHECKPOINT);
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.run().phases().get(1).seconds()).isBetween(0.85, 1.0);
        assertThat(run.operations().get("bulk_copy").rows())
                .isGreaterThan(TestServer.number(url, "select count(*) from pgstress_bulk_copy_1"));
    }

    @Test
    void writesOfARefusedCommitAreNotAcknowledged() {
        TestServer.execute(
                url,
                "create table sbtest1 (id int primary key, k int, c char(120), pad char(60))",
                "create function refuse() returns trigger language plpgsql as"
                        + " 'begin raise exception ''not this one''; end'",
                "create constraint trigger refuse after insert on sbtest1 deferrable initially deferred"
                        + " for each row when (new.id % 2 = 0) execute function refuse()");

        RunResult run = run("--op oltp_insert --transaction");

        assertThat(run.operations().get("oltp_insert").errors()).containsKey("P0001");
        assertThat(run.operations().get("oltp_insert").ok()).isPositive();
        assertThat(run.dataset().afterwards())
                .singleElement()
                .extracting(remark -> remark.code())
                .isEqualTo(RemarkCode.COUNTS_AGREE);
    }

    @Test
    void refusesARoundWithoutAnEnd() {
        assertThatThrownBy(() -> run("--op bulk_copy --round-time 1 -R 10"))
                .hasMessageContaining("--round-time: needs a closed loop");
        assertThatThrownBy(() -> run("--op bulk_copy --round-time 1 --no-reset"))
                .hasMessageContaining("--round-time: empties the tables after each round");
        assertThatThrownBy(() -> run("--op oltp_insert --round-time 1"))
                .hasMessageContaining(
                        "--round-time: has no effect on oltp_insert; it is for bulk_batch, bulk_copy, bulk_insert");
        assertThatThrownBy(() -> run("--op bulk_copy --round-pause 1 --checkpoint"))
                .hasMessageContaining("--round-pause: needs rounds, such as --round-time 1000s")
                .hasMessageContaining("--checkpoint: needs rounds, such as --round-time 1000s");
    }

    @Test
    void refusesCheckpointsThatTheRoleMayNotRequest() {
        TestServer.execute(
                url,
                "drop role if exists no_checkpoints",
                "create role no_checkpoints login",
                "grant all on schema public to no_checkpoints");
        url = url.replace("user=postgres", "user=no_checkpoints");
        assertThatThrownBy(() -> run("--op bulk_copy --round-time 1 --checkpoint"))
                .hasMessageStartingWith("checkpoint: this role may not run CHECKPOINT: it must be a superuser");
    }

    @ParameterizedTest
    @CsvSource({"oltp_insert, 257, 257", "load, 128, 384"})
    void refusesTooManyTablesBeforeCreatingAny(String op, String tables, int statements) {
        String indexes = op.equals("load") ? " --indexes all --index-when after" : "";
        assertThatThrownBy(() -> run("--op " + op + " --tables " + tables + indexes))
                .hasMessage("tables: " + op + " would have " + statements
                        + " statements, and at most 256 can be counted; use fewer --tables");

        assertThat(TestServer.number(url, "select count(*) from pg_class where relname ~ '^(sbtest|pgstress_load)'"))
                .isZero();
    }
}
