package io.pgstress.operation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.OldCitus;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.verdict.LongTimes;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fills tables by parallel COPYs, against a server. */
@Slow
final class LoadTest extends ShortRuns {

    @ParameterizedTest
    @CsvSource({"none, before, 0", "primary, before, 1", "all, before, 2", "all, after, 2", "primary, after, 1"})
    void endsWithTheLastRowAndTheLastIndex(String indexes, String when, int expected) {
        RunResult run = load(
                "--tables 2 --table-rows 2500 --copy-rows 1000 --indexes %s --index-when %s".formatted(indexes, when));

        OperationResult load = run.operations().get("load");
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.run().partial()).isFalse();
        assertThat(load.ok()).isEqualTo(6);
        assertThat(load.rows()).isEqualTo(5000);
        for (int t = 1; t <= 2; t++) {
            String table = "pgstress_load_" + t;
            assertThat(TestServer.number(url, "select sum(id) from " + table + " where length(pad) = 59"))
                    .isEqualTo(2500 * 2501 / 2);
            assertThat(TestServer.number(url, "select count(*) from pg_indexes where tablename = '" + table + "'"))
                    .isEqualTo(expected);
        }
        long input = TestServer.number(
                url,
                "select sum(length(id::text) + length(k::text) + 119 + 59 + 4) from"
                        + " (select * from pgstress_load_1 union all select * from pgstress_load_2) x");
        assertThat(Runs.found(run, RemarkCode.TABLE_SIZES))
                .anySatisfy(figures -> assertThat(figures)
                        .containsEntry("where", "size")
                        .containsEntry("inputMegabytes", input / 1e6));
        assertThat(load.megabytesPerSecond() * 1e6 * run.run().phases().get(1).seconds())
                .isCloseTo((double) input, org.assertj.core.data.Percentage.withPercentage(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3"})
    void buildingIndexesIsNoOutage(String threads) {
        TestServer.execute(
                url,
                "create function slow() returns event_trigger language plpgsql as"
                        + " 'begin perform pg_sleep(0.8); end'",
                "create event trigger slow on ddl_command_end when tag in ('CREATE INDEX', 'ALTER TABLE')"
                        + " execute function slow()");

        RunResult run = load("--table-rows 2500 --copy-rows 100 --indexes all --index-when after -c " + threads);

        assertThat(run.valid()).as(run.remarks().toString()).isTrue();
        assertThat(run.load().outages()).isEmpty();
        assertThat(run.warnings()).noneMatch(w -> w.code() == RemarkCode.STALL);
        assertThat(LongTimes.isIn(run.warnings())).isFalse();
    }

    @Test
    void rowsHaveTheRequestedSize() {
        RunResult run = load("--table-rows 200 --copy-rows 100 --row-bytes 3000");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.text(
                        url, "select count(*) || ' ' || min(length(c) + length(pad) + 8) from pgstress_load_1"))
                .isEqualTo("200 2994");
    }

    @Test
    void refusesIndexesAfterwardsIfWorkersCannotCreateThem() {
        String citus = TestServer.freshDatabase("load_citus");
        OldCitus.createIn(citus);
        assertThatThrownBy(() -> Runs.run("--op load --index-when after -c 2 --url " + citus + " --url " + citus))
                .hasMessageContaining("index-when: with after, the client that loads the last rows")
                .hasMessageContaining("citus cannot build them through a worker");
    }

    @ParameterizedTest
    @ValueSource(strings = {"load", "load:1", "find_first:3, load:1"})
    void mixWithALoadEndsWithTheLoad(String mix) {
        assertThat(Runs.spec("-t t --op '" + mix + "' --url jdbc:postgresql://a/db")
                        .phases()
                        .measure())
                .isEqualTo(Duration.ofHours(1000));
    }

    @Test
    void reportsALoadThatEndedWithinItsWarmup() {
        RunResult run = load("--warmup 60 --table-rows 100");

        assertThat(run.valid()).isFalse();
        assertThat(run.run().partial()).isTrue();
        assertThat(run.reasons()).extracting(Remark::code).contains(RemarkCode.ENDED_EARLY);
    }

    @Test
    void interruptedLoadIsNotComplete() {
        RunResult run = load("-T 0.2 --table-rows 20000000");

        assertThat(run.valid()).isFalse();
        assertThat(Runs.found(run, RemarkCode.COPIES_MISSING))
                .singleElement()
                .satisfies(figures -> assertThat(figures).containsKey("unbegun"));
    }

    @Test
    void loadWithoutItsIndexIsNotComplete() {
        TestServer.execute(
                url,
                "create function refuse() returns event_trigger language plpgsql as"
                        + " 'begin raise exception ''no''; end'",
                "create event trigger refuse on ddl_command_end when tag in ('ALTER TABLE')"
                        + " execute function refuse()");

        RunResult run = load("--table-rows 100 --index-when after");

        assertThat(run.operations().get("load").errors()).containsOnlyKeys("P0001");
        assertThat(run.valid()).isFalse();
        assertThat(Runs.found(run, RemarkCode.INDEXES_MISSING)).containsExactly(Map.of("missing", 1L, "tables", 1L));
    }

    @Test
    void loadWithoutRowsHasNoSizes() {
        TestServer.execute(
                url,
                "create function narrow() returns event_trigger language plpgsql as"
                        + " 'begin alter table pgstress_load_1 add check (id < 0); end'",
                "create event trigger narrow on ddl_command_end when tag in ('CREATE TABLE')"
                        + " execute function narrow()");

        RunResult run = load("--table-rows 100");

        assertThat(run.operations().get("load").errors()).containsOnlyKeys("23514");
        assertThat(Runs.found(run, RemarkCode.TABLE_SIZES)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.COPIES_MISSING))
                .singleElement()
                .satisfies(figures -> assertThat(figures)
                        .as("it did not end early")
                        .containsEntry("failed", figures.get("copies"))
                        .containsEntry("missing", figures.get("copies"))
                        .doesNotContainKey("unbegun"));
    }
}
