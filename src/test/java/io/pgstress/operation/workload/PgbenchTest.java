package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.operation.table.ShortRuns;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of pgbench and their tables. */
@Slow
final class PgbenchTest extends ShortRuns {
    /** As by {@code pgbench -i}, without rows. */
    private void createTables(String account) {
        TestServer.execute(
                url,
                "create table pgbench_branches (bid int primary key, bbalance int, filler char(88))",
                "create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84))",
                "create table pgbench_accounts (aid " + account
                        + " primary key, bid int, abalance int, filler char(84))",
                "create table pgbench_history (tid int, bid int, aid " + account
                        + ", delta int, mtime timestamp, filler char(22))");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void balancesAgreeAndEveryTransactionIsInTheHistory(String mode) {
        RunResult run = run("--op tpcb -M " + mode);

        OperationResult tpcb = run.operations().get("tpcb");
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(tpcb.errors()).isEmpty();
        assertThat(tpcb.statements().keySet())
                .containsExactly(
                        "begin",
                        "update_pgbench_accounts",
                        "select_pgbench_accounts",
                        "update_pgbench_tellers",
                        "update_pgbench_branches",
                        "insert_pgbench_history",
                        "end");
        long commits = tpcb.statements().get("end").callsInAll();
        assertThat(TestServer.number(url, "select count(*) from pgbench_history"))
                .isEqualTo(commits);
        assertThat(TestServer.number(url, "select sum(abalance) from pgbench_accounts"))
                .isEqualTo(TestServer.number(url, "select sum(delta) from pgbench_history"));
        assertThat(run.dataset().afterwards())
                .extracting(Remark::code)
                .contains(RemarkCode.TABLES_CREATED, RemarkCode.BALANCES_AGREE, RemarkCode.INSERTS_FOUND);
    }

    @Test
    void simpleUpdatesChangeAccountsOnlyAlsoBesideTheStandardTransaction() {
        RunResult alone = run("--op simple_update");
        assertThat(Runs.reasonsOfTheRunItself(alone)).isEmpty();
        assertThat(alone.operations().get("simple_update").ok()).isPositive();
        assertThat(TestServer.number(url, "select sum(abs(tbalance)) from pgbench_tellers"))
                .isZero();

        RunResult mixed = run("--op simple_update,tpcb,select_only");

        assertThat(Runs.reasonsOfTheRunItself(mixed)).isEmpty();
        assertThat(Runs.found(mixed, RemarkCode.BALANCES_AGREE))
                .isNotEmpty()
                .allSatisfy(figures ->
                        assertThat(figures.get("grown")).isEqualTo(Map.of("accounts", figures.get("history"))));
    }

    @Test
    void parallelCopiesFillAllAccounts() {
        RunResult run = run("--op select_only --scale 3");

        assertThat(run.operations().get("select_only").misses()).isZero();
        assertThat(TestServer.text(url, "select count(*) || ' ' || sum(aid) || ' ' || sum(bid) from pgbench_accounts"))
                .isEqualTo("300000 45000150000 600000");
        assertThat(TestServer.number(
                        url,
                        "select count(*) from pgbench_accounts where bid <> (aid - 1) / 100000 + 1 or abalance <> 0"))
                .isZero();
        assertThat(Runs.found(run, RemarkCode.TABLES_CREATED))
                .singleElement()
                .extracting(figures -> ((Map<?, ?>) figures.get("steps")).keySet())
                .isEqualTo(Set.of("tables", "rows", "vacuum", "keys", "branches"));
    }

    @Test
    void accountsOfLargeScalesAreNumberedByBigint() {
        createTables("bigint");
        TestServer.execute(
                url,
                "insert into pgbench_branches select i, 0 from generate_series(1, 50000) i",
                "insert into pgbench_accounts values (5000000000, 50000, 0)");

        OperationResult tpcb = run("--op tpcb").operations().get("tpcb");

        assertThat(tpcb.errors()).isEmpty();
        assertThat(tpcb.misses()).isPositive();
        assertThat(TestServer.number(url, "select max(aid) from pgbench_history"))
                .isGreaterThan(Integer.MAX_VALUE);
    }

    @Test
    void balancesOfLargeScalesAreComparedWithoutAddingUpTheAccounts() {
        createTables("int");
        TestServer.execute(
                url,
                "insert into pgbench_branches select i, 0 from generate_series(1, 1001) i",
                "insert into pgbench_tellers select i, (i + 9) / 10, 0 from generate_series(1, 10010) i",
                "insert into pgbench_accounts values (100100000, 1001, 0)"); // adding it up would show that it is alone

        RunResult run = run("--op tpcb");

        assertThat(run.operations().get("tpcb").misses()).isPositive();
        assertThat(Runs.found(run, RemarkCode.BALANCES_AGREE))
                .singleElement()
                .satisfies(figures -> assertThat(figures.get("grown"))
                        .isEqualTo(Map.of("tellers", figures.get("history"), "branches", figures.get("history"))));
        TestServer.execute(url, "delete from pgbench_tellers where tid <= 9000");
        assertThat(Runs.found(run("--op tpcb"), RemarkCode.BALANCES_DIFFER)).hasSize(1);
    }

    @Test
    void missingMoneyMakesTheRunInvalidUnlessItWasMissingBefore() {
        assertThat(run("--op tpcb").dataset().rowsBefore())
                .as("made by the run")
                .isEqualTo(100_000);
        TestServer.execute(
                url, "update pgbench_accounts set abalance = abalance + 7 where aid = 1"); // as by pgbench -N
        RunResult before = run("--op tpcb");
        assertThat(Runs.reasonsOfTheRunItself(before)).isEmpty();
        TestServer.execute(
                url,
                "create function lose() returns trigger language plpgsql as"
                        + " 'begin new.tbalance = old.tbalance; return new; end'",
                "create trigger lose before update on pgbench_tellers for each row execute function lose()");

        RunResult run = run("--op tpcb");

        assertThat(run.valid()).isFalse();
        assertThat(Runs.found(run, RemarkCode.BALANCES_DIFFER))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsEntry("attached", "trigger lose of pgbench_tellers"));
    }

    @Test
    void usesTablesOfPgbenchUnchanged() {
        createTables("int");
        TestServer.execute(
                url,
                "insert into pgbench_branches select i, 0 from generate_series(1, 2) i",
                "insert into pgbench_accounts select i, 1, i from generate_series(1, 200000) i");

        OperationResult result = run("--op select_only").operations().get("select_only");

        assertThat(result.ok()).isPositive().isEqualTo(result.rows());
        assertThat(result.misses()).isZero();
        assertThat(TestServer.number(url, "select count(*) from pgbench_accounts"))
                .isEqualTo(200_000);
        assertThatThrownBy(() -> run("--op select_only --scale 3"))
                .hasMessage(
                        "--scale: pgbench's tables have scale 2, not 3; leave the option out, or drop them: drop table"
                                + " if exists pgbench_accounts, pgbench_tellers, pgbench_branches, pgbench_history");
    }

    @Test
    void recreatesOwnIncompleteTablesAndRefusesForeignOnes() {
        run("--op select_only");
        TestServer.execute(url, "drop table pgbench_branches", "delete from pgbench_accounts where aid > 500");
        RunResult run = run("--op select_only");
        assertThat(run.operations().get("select_only").misses()).isZero();

        TestServer.execute(url, "delete from pgbench_accounts where aid = 100000");
        assertThatThrownBy(() -> run("--op select_only"))
                .hasMessageContaining("pgbench_accounts ends at 99999, not at 100000 as of scale 1");
        TestServer.execute(url, "alter table pgbench_accounts drop constraint pgbench_accounts_pkey");
        assertThatThrownBy(() -> run("--op select_only")).hasMessageContaining("pgbench_accounts has no index");
        TestServer.execute(url, "drop table pgbench_branches", "comment on table pgbench_accounts is null");
        assertThatThrownBy(() -> run("--op select_only"))
                .hasMessageContaining("pgbench_accounts exists without pgbench_branches");
    }

    @Test
    void refusesNestedTransactions() {
        assertThatThrownBy(() -> run("--op tpcb --transaction"))
                .hasMessage("--transaction: tpcb is already one transaction; leave out --transaction");
    }
}
