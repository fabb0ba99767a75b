package io.pgstress.operation.workload;

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
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        assertThat(run.warnings())
                .noneMatch(w -> w.code() == RemarkCode.STALL || w.code() == RemarkCode.LONG_OPERATION);
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
    void loadsRowsOfAFileOnce(@TempDir Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int id = 1; id <= 3001; id++) {
            text.append(id)
                    .append('\t')
                    .append(id % 17)
                    .append("\tc")
                    .append(id)
                    .append("\tp\n");
        }
        Path file = Files.writeString(directory.resolve("rows.txt"), text.substring(0, text.length() - 1));

        RunResult run = load("--input " + file + " --copy-rows 100");

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(run.operations().get("load").ok()).isGreaterThan(20);
        assertThat(TestServer.number(url, "select sum(id) from pgstress_load_1"))
                .isEqualTo(3001 * 3002 / 2);
        assertThat(openFiles()).doesNotContain(file);
    }

    /** The open files of this process, if the system shows them. */
    private static List<Path> openFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        Path descriptors = Path.of("/proc/self/fd");
        if (Files.isDirectory(descriptors)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
                for (Path descriptor : all) {
                    if (Files.exists(descriptor)) { // the one of the listing itself is closed by now
                        files.add(Files.readSymbolicLink(descriptor));
                    }
                }
            }
        }
        return files;
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
        assertThat(Runs.found(run, RemarkCode.COPIES_MISSING)).hasSize(1);
    }

    @Test
    void loadWithoutItsIndexIsNotComplete(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("twice"), "7\t1\tc\tp\n7\t2\tc\tp\n");

        RunResult run = load("--input " + file + " --index-when after");

        assertThat(run.operations().get("load").errors()).containsOnlyKeys("23505");
        assertThat(run.valid()).isFalse();
        assertThat(Runs.found(run, RemarkCode.INDEXES_MISSING)).containsExactly(Map.of("missing", 1L, "tables", 1L));
    }

    @Test
    void reportsAFileWithoutRows(@TempDir Path directory) throws IOException {
        Path empty = Files.createFile(directory.resolve("empty"));
        Path long1 = Files.writeString(directory.resolve("long"), "x".repeat(70_000));

        assertThatThrownBy(() -> load("--input /nowhere/rows"))
                .hasMessage("--input: /nowhere/rows cannot be read: there is no such file");
        assertThatThrownBy(() -> load("--input " + empty))
                .hasMessage("--input: " + empty + " is empty; it needs one line per row, in COPY's text format");
        assertThatThrownBy(() -> load("--input " + long1))
                .hasMessageStartingWith("--input: " + long1 + " has no line within its first 65536 bytes; it needs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "31\tx7\tc\tp; primary, before; 22P02; :31: invalid input syntax for type integer: \"x7\" (column k)",
                "\\.; none, before; 22P04; :31: a line \\. ends the data of COPY: no row after it would be loaded",
                "31\t7\tc; none, before; 22P04; :31: missing data for column \"pad\"",
                "2\t7\tc\tp; primary, before; 23505; "
                        + ":31: duplicate key value violates unique constraint \"pgstress_load_1_pkey\", id 2",
                "50\t7\tc\tp; all, after; 23505; "
                        + ":50: could not create unique index \"pgstress_load_1_pkey\", id 50",
            })
    void namesARefusedLine(String line, String indexes, String state, String told, @TempDir Path directory)
            throws IOException {
        StringBuilder text = new StringBuilder();
        for (int id = 1; id <= 50; id++) {
            text.append(id == 31 ? line : id + "\t1\tc\tp").append('\n');
        }
        Path file = Files.writeString(directory.resolve("rows"), text);
        String[] index = indexes.split(", ", -1);

        RunResult run = Runs.run("--op load -c 1 --input %s --copy-rows 10 --indexes %s --index-when %s --url %s"
                .formatted(file, index[0], index[1], url));

        OperationResult load = run.operations().get("load");
        assertThat(load.errors()).containsOnlyKeys(state);
        assertThat(load.errors().get(state).sample()).isEqualTo(file + told);
    }

    @Test
    void loadWithoutRowsHasNoSizes(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("bad"), "1\t2\tc\n");

        RunResult run = load("--input " + file);

        assertThat(Runs.found(run, RemarkCode.TABLE_SIZES)).isEmpty();
        assertThat(Runs.found(run, RemarkCode.COPIES_MISSING))
                .singleElement()
                .satisfies(figures -> assertThat(figures.get("missing")).isEqualTo(figures.get("copies")));
    }

    @Test
    void fileMayEndWithTheEndMark(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("rows"), "7\t1\tc\tp\n8\t1\t\\\\.\tp\n\\.\n");

        assertThat(load("--input " + file).operations().get("load").rows()).isEqualTo(2);
    }

    @Test
    void lineWithoutALineEndIsARow(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("row"), "7\t1\tc\tp");

        assertThat(load("--input " + file).operations().get("load").rows()).isEqualTo(1);
        assertThat(TestServer.number(url, "select id from pgstress_load_1")).isEqualTo(7);
    }
}
