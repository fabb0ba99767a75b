package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.Documents;
import io.pgstress.extra.diff.DiffSummary;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database and dumps to compare. */
@Slow
abstract class DiffFixture {
    static final int ROWS = 20_000;

    static String url;

    @TempDir
    Path directory;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.freshDatabase("cli_diff");
    }

    @BeforeEach
    void dropTables() {
        TestServer.execute(url, "drop schema public cascade", "create schema public");
    }

    Path dump(String name, int count, BiConsumer<BsonWriter, Integer> fields) throws IOException {
        return Files.write(directory.resolve(name + ".bson"), Documents.of(count, fields));
    }

    static void order(BsonWriter w, int i) {
        w.objectId("_id", 1_600_000_000, i)
                .int32("n", i)
                .float64("price", i / 4.0)
                .string("text", "caf\u00e9 \t\\ \"" + i);
        w.document("address").string("city", "Rome").nothing("zip").end();
        w.array("tags").string("0", "a").int64("1", i).end();
    }

    Ended load(Path dump, String... options) {
        return stress("import %s -q --url %s --rejects %s".formatted(dump, url, directory), String.join(" ", options));
    }

    Ended diff(Path dump, String... options) {
        return stress("diff %s -q --url %s".formatted(dump, url), String.join(" ", options));
    }

    TableDiff differences(int code, Path dump, String... options) {
        Ended ended = diff(dump, "--json -", String.join(" ", options));
        assertThat(ended.code()).as(ended.err()).isEqualTo(code);
        return Json.read(ended.out(), DiffSummary.class).tables().get(0);
    }

    /** The ids of every hundredth document, from this one. */
    static List<String> ids(int first) {
        return IntStream.range(0, ROWS / 100)
                .mapToObj(i -> String.format("%08x%016x", 1_600_000_000, 100 * i + first))
                .toList();
    }

    /** Checks the ids with a number, and the path of the first one. */
    static void assertPath(TableDiff found, int number, PathDifference path) {
        assertThat(found.differentRows()).extracting(DifferentRow::id).containsAll(ids(number));
        assertThat(found.differentRows())
                .filteredOn(row -> row.id().equals(ids(number).get(0)))
                .flatExtracting(DifferentRow::paths)
                .containsExactly(path);
    }
}
