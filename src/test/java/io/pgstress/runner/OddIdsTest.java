package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables whose ids are missing or repeated, or whose rows are in partitions: counts are right, and one warning says what is odd. */
final class OddIdsTest {
    private static final int IDS = 500;
    private static String url;

    @BeforeAll
    static void tables() {
        url = TestServer.freshDatabase("odd_ids");
        for (String name : List.of("numbers", "texts")) {
            String type = name.equals("numbers") ? "int" : "text";
            TestServer.execute(
                    url,
                    "create table " + name + " (_id " + type + ", data jsonb)",
                    "insert into " + name + " select i::" + type + ", '{}' from generate_series(1, " + IDS
                            + ") i, generate_series(1, 2)",
                    "insert into " + name + " select null, '{}' from generate_series(1, 100)",
                    "analyze " + name);
        }
        TestServer.execute(
                url,
                "create table parents (_id int primary key, data jsonb)",
                "insert into parents select i, '{}' from generate_series(1, " + IDS + ") i",
                "create table children () inherits (parents)",
                "insert into children select i, '{}' from generate_series(1, 100) i");
        TestServer.execute(
                url,
                "create table parts (_id int primary key, data jsonb) partition by range (_id)",
                "create table parts_1 partition of parts for values from (0) to (250)",
                "create table parts_2 partition of parts for values from (250) to (1000)",
                "insert into parts select i, '{}' from generate_series(1, " + IDS + ") i");
    }

    private static RunResult run(String op, String table) {
        return Runs.run("-c 2 --warmup 0 -T 0.5 -R 400 --op %s -t %s --url %s".formatted(op, table, url));
    }

    /** The rate only limits how many ids are used: a full machine may serve less of it in half a second. */
    private static void assertNothingIsWrong(RunResult run) {
        assertThat(Runs.reasonsOfTheRunItself(run))
                .extracting(Remark::code)
                .isSubsetOf(RemarkCode.OVERLOAD, RemarkCode.BEHIND_AFTER_OUTAGE);
        assertThat(run.total().ok()).isPositive();
    }

    @Test
    void countsRowsAndIdsApart() {
        for (String table : List.of("numbers", "texts")) {
            RunResult run = run("find_first", table);

            assertThat(run.dataset().rowsBefore()).isEqualTo(2 * IDS + 100);
            assertThat(run.dataset().rowsAfter()).isEqualTo(2 * IDS + 100);
            assertThat(run.dataset().distinctIds()).isEqualTo(IDS);
            assertThat(run.dataset().idsDrawnFrom()).isEqualTo(IDS);
            assertThat(run.warnings())
                    .filteredOn(remark -> remark.code() == RemarkCode.IDS_NOT_UNIQUE)
                    .singleElement()
                    .extracting(Remark::figures)
                    .asString()
                    .contains("missing=100", "repeated=" + IDS);
        }
    }

    @Test
    void deletedRowsAreNotCalledOtherRows() {
        for (String table : List.of("numbers", "texts")) {
            RunResult run = run("find_delete", table);

            assertNothingIsWrong(run);
            OperationResult result = run.operations().get("find_delete");
            assertThat(result.misses()).isZero();
            assertThat(result.rows())
                    .as("two of each id")
                    .isEqualTo(2 * result.ok())
                    .isEqualTo(result.statements().get("delete").rows());
        }
    }

    @Test
    void updatesOfRepeatedIdsAreNotLost() {
        assertNothingIsWrong(run("find_update", "numbers"));
    }

    @Test
    void partitionedTableHasTheSizeOfItsPartitions() {
        RunResult run = run("find_first", "parts");

        assertThat(run.dataset().bytes()).isPositive();
        assertThat(run.warnings()).noneMatch(remark -> remark.code() == RemarkCode.IDS_NOT_UNIQUE);
    }

    /** The primary key of a table is not that of its child tables. */
    @Test
    void childTablesMayRepeatIds() {
        RunResult run = run("find_first", "parents");

        assertThat(run.dataset().distinctIds()).isEqualTo(IDS);
        assertThat(run.dataset().idsDrawnFrom()).isEqualTo(IDS);
        assertThat(run.warnings())
                .filteredOn(remark -> remark.code() == RemarkCode.IDS_NOT_UNIQUE)
                .singleElement()
                .extracting(Remark::figures)
                .asString()
                .contains("missing=0", "repeated=100");
    }

    /** Its partitions count rows that move between them as deleted and inserted. */
    @Test
    void updatesOfAPartitionedTableThatAreNotCheckedAreAWarning() {
        RunResult run = run("find_update", "parts");

        assertNothingIsWrong(run);
        assertThat(run.warnings()).extracting(Remark::code).contains(RemarkCode.WRITES_NOT_CHECKED);
    }
}
