package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of the operations on the tables. */
@Slow
final class OperationsTest extends OperationsFixture {
    @Test
    void updateKeepsTheDocumentsOfTheDrawnRows() {
        TestServer.execute(url, "create table before as select xmin::text x, * from docs");

        OperationResult result = run("--op find_update").operations().get("find_update");

        assertThat(result.rows())
                .isEqualTo(result.ok())
                .isEqualTo(result.statements().get("update").rows());
        assertThat(TestServer.number(
                        url, "select count(*) from docs join before using (_id) where docs.data <> before.data"))
                .isZero();
        long touched =
                TestServer.number(url, "select count(*) from docs join before using (_id) where docs.xmin::text <> x");
        assertThat(touched).isPositive().isLessThanOrEqualTo(result.ok());
    }

    @Test
    void updatesThatTheServerDoesNotCountAreNotCalledLost() {
        RunResult result = run("--op find_update --set track_counts=off");

        assertThat(result.operations().get("find_update").ok()).isPositive();
        assertThat(result.remarks()).extracting(Remark::code).doesNotContain(RemarkCode.UPDATES_NOT_COUNTED);
    }

    @Test
    void readsOfMissingRowsAreMisses() {
        TestServer.execute(
                url, "create table docs_copy (like docs including all)", "insert into docs_copy values (-1, '{}')");

        OperationResult result =
                run("--op find_delete -T 20 --no-reset").operations().get("find_delete");

        assertThat(result.ok()).isZero();
        assertThat(result.misses()).isEqualTo(ROWS);
        assertThat(result.latencyMicros()).doesNotContainKey("total");
    }

    @Test
    void nearlyAllIdsAreDrawn() {
        int rows = 100;
        TestServer.table(url, "few", rows);

        OperationResult result = runUntil(12L * rows, "--op find_update -t few -c 8")
                .operations()
                .get("find_update");

        assertThat(result.ok()).isGreaterThan(10L * rows);
        assertThat(
                        TestServer.number(
                                url,
                                "select count(*) from few where xmin::text::bigint > (select min(xmin::text::bigint) from few)"))
                .isGreaterThan((long) (0.9 * rows));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "extended", "prepared"})
    void specialCharactersInTextKeysWorkInAllModes(String mode) {
        TestServer.execute(
                url,
                "create table odd (_id text collate \"C\" primary key, data jsonb not null default '{}')",
                "insert into odd select k, jsonb_build_object('_id', k) from unnest(array[$k$O'Brien \\ \"x\" $1 ?$k$,"
                        + " $k$' or true --$k$, $k$\\$k$, $k$ü€😀$k$, $k$$$ ?? {fn now()}$k$]) k");

        for (String op : Runs.DOCUMENT_OPERATIONS) {
            String batch = op.equals("find_in") ? " --batch 3" : "";
            RunResult run = run("--op " + op + " -t odd -M " + mode + " -T 0.1" + batch);
            OperationResult result = run.operations().get(op);
            assertThat(result.errors()).as(op).isEmpty();
            assertThat(result.misses()).as(op).isZero();
            assertThat(result.ok()).as(op).isPositive();
        }
    }

    @Test
    void mixFollowsItsWeights() {
        RunResult run = runUntil(2_000, "--op find_first:3,find_update:1");

        double reads = run.operations().get("find_first").ok();
        double updates = run.operations().get("find_update").ok();
        assertThat(reads / updates).isBetween(2.5, 3.5);
    }

    @Test
    void timeOfATransactionIncludesItsCommit() {
        OperationResult result =
                run("--op find_update --transaction").operations().get("find_update");

        assertThat(result.errors()).isEmpty();
        assertThat(result.statements().get("commit").calls()).isEqualTo(result.ok());
    }
}
