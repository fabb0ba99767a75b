package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.cli.DiffCommand.DiffReport;
import io.pgstress.cli.SummaryOutput.SummaryText;
import io.pgstress.explain.Explainer.PlanWords;
import io.pgstress.extra.diff.DiffSummary;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.report.HostsSample;
import io.pgstress.report.Samples;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.StatementRoute;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The output that the documentation shows, which {@link DocsTest} copies into the pages. Durations and sizes, which differ
 * from run to run, are fixed. {@code -Dgolden.write=true} writes the golden files.
 */
@Slow
final class SampleOutputTest {
    private static final Path GOLDEN = Path.of("src/test/resources/samples");

    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.freshDatabase("cli_samples");
    }

    private static void assertGolden(String name, String text) throws IOException {
        Path golden = GOLDEN.resolve(name + ".txt");
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, text);
        }
        assertThat(text).isEqualTo(Files.readString(golden));
    }

    private static String printed(ImportSummary summary) {
        return printed(out -> ImportReport.print(summary, out)) + ImportReport.line(summary, true) + "\n";
    }

    private static String printed(Consumer<SummaryText> print) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        print.accept(new SummaryText(new PrintStream(bytes, true, StandardCharsets.UTF_8), 80));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The summary of an import with fixed durations and sizes. */
    private ImportSummary imported(String dumpAndOptions) throws IOException {
        Path json = directory.resolve("import.json");
        Ended ended = stress(
                "import -q --if-exists drop --url %s --json %s --rejects %s".formatted(url, json, directory),
                dumpAndOptions);
        assertThat(ended.code()).as(ended.err()).isZero();
        ImportSummary summary = Json.read(Files.readString(json), ImportSummary.class);
        double seconds = 0.8;
        return with(
                summary,
                Map.of(
                        "collections",
                        summary.collections().stream()
                                .map(SampleOutputTest::fixed)
                                .toList(),
                        "seconds",
                        seconds,
                        "rowsPerSecond",
                        summary.rows() / seconds,
                        "megabytesPerSecond",
                        summary.bsonBytes() / 1e6 / seconds,
                        "readSeconds",
                        0.1,
                        "convertSeconds",
                        0.4,
                        "waitSeconds",
                        0.3,
                        "afterSeconds",
                        0.5));
    }

    private static CollectionSummary fixed(CollectionSummary c) {
        long table = c.table().equals("check_in") ? 2_711_552 : 1_400_832;
        long indexes = c.table().equals("check_in") ? 466_944 : 57_344;
        return with(
                c,
                Map.of(
                        "tableBytes",
                        table,
                        "indexBytes",
                        indexes,
                        "ratio",
                        (double) table / c.bsonBytes(),
                        "indexes",
                        c.indexes().stream().map(SampleOutputTest::fixed).toList()));
    }

    private static IndexResult fixed(IndexResult index) {
        return new IndexResult(
                index.name(),
                index.key(),
                index.fields(),
                index.unserved(),
                index.indexes().stream()
                        .map(part -> with(part, Map.of("bytes", 200_000L, "seconds", 0.1)))
                        .toList(),
                index.notes());
    }

    private static <R extends Record> R with(R record, Map<String, ?> values) {
        R copy = record;
        for (Map.Entry<String, ?> each : values.entrySet()) {
            copy = Records.with(copy, each.getKey(), each.getValue());
        }
        return copy;
    }

    @Test
    void imports() throws IOException {
        ImportSummary summary = imported("datasets/sample --verify");

        assertGolden("import", printed(summary));
    }

    @Test
    void createsIndexes() throws IOException {
        Path dump = Files.createDirectory(directory.resolve("dump"));
        Path database = Files.createDirectory(dump.resolve("stress"));
        Files.copy(Path.of("datasets/sample/stress/orders.bson.gz"), database.resolve("orders.bson.gz"));
        Files.writeString(database.resolve("orders.metadata.json"), """
                {"indexes": [{"v": 2, "key": {"_id": 1}, "name": "_id_"},
                 {"v": 2, "key": {"status": 1, "created": -1}, "name": "status_1_created_-1"},
                 {"v": 2, "key": {"lines.sku": 1}, "name": "lines.sku_1"}],
                 "collectionName": "orders", "type": "collection"}
                """);

        ImportSummary summary = imported(dump + " --indexes create");

        assertThat(summary.collections().get(0).indexes())
                .flatExtracting(IndexResult::indexes)
                .extracting(Part::state)
                .contains(IndexResult.State.CREATED.toString());
        assertGolden(
                "indexes",
                printed(out ->
                        ImportReport.IndexList.print(summary.collections().get(0), out)));
    }

    @Test
    void comparesTablesWithADump() throws IOException {
        imported("datasets/sample");
        TestServer.execute(
                url,
                "delete from check_in where _id = 11",
                "update check_in set data = jsonb_set(data, '{n}', '\"x\"') where _id in (7, 8)",
                "insert into orders values ('made by hand', '{}')",
                "update orders set data = jsonb_set(data, '{lines,0,count}', '9')"
                        + " where _id = (select min(_id) from orders where _id <> 'made by hand')");
        Path json = directory.resolve("diff.json");
        Ended ended = stress("diff datasets/sample -q --url %s --json %s".formatted(url, json));
        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.LIMIT_BROKEN);
        DiffSummary summary = Records.with(Json.read(Files.readString(json), DiffSummary.class), "seconds", 1.9);

        assertGolden("diff", printed(out -> DiffReport.print(summary, out)) + DiffReport.line(summary) + "\n");
    }

    @Test
    void forecastsAComparison() throws IOException {
        Ended ended = stress(
                "compare --url %s --table check_in --vary pool=hikari,c3p0,none --until 2%% --spread 5%% --dry-run"
                        .formatted(url));

        assertThat(ended.code()).as(ended.err()).isZero();
        assertGolden("forecast", ended.out());
    }

    /** Routes as recorded on a Postgres-XL with two datanodes and on a Citus with two workers. */
    @Test
    void explainsWhereStatementsGo() throws IOException {
        List<StatementRoute> xl = List.of(
                datanodes("find_first", "select", "plain", 1, "none", "Index Scan"),
                datanodes("find_first", "select", "prepared", 2, "none", null),
                datanodes("find_update", "update", "plain", 1, "one-phase", "Index Scan"));
        List<StatementRoute> citus = List.of(
                shards("find_first", 1, List.of("w1"), "custom-then-generic", "Index Scan"),
                shards("find_in", 26, List.of("w1", "w2"), "custom", "Seq Scan"),
                shards("find", 32, List.of("w1", "w2"), "custom", "Index Scan"));

        assertGolden("explain-postgres-xl", explained(xl));
        assertGolden("explain-citus", explained(citus));
    }

    private static String explained(List<StatementRoute> routes) {
        return routes.stream().map(r -> PlanWords.whole(r, routes) + "\n").collect(Collectors.joining());
    }

    private static StatementRoute datanodes(
            String operation, String statement, String mode, int touched, String commit, @Nullable String scan) {
        List<String> scans = scan == null ? List.of() : List.of(scan);
        return new StatementRoute(
                operation,
                statement,
                mode,
                touched,
                touched,
                2,
                "datanodes",
                List.of(),
                2,
                "unknown",
                commit,
                scans,
                null);
    }

    private static StatementRoute shards(String operation, int touched, List<String> nodes, String plan, String scan) {
        return new StatementRoute(
                operation,
                "select",
                "prepared",
                touched,
                touched,
                32,
                "shards",
                nodes,
                2,
                plan,
                "none",
                List.of(scan),
                null);
    }

    @Test
    void endsWithTheResult() throws IOException {
        assertGolden(
                "last-lines", ResultLine.of(Samples.closed()) + "\n" + ResultLine.of(HostsSample.threeHosts()) + "\n");
    }
}
