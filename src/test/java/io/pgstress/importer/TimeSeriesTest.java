package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.Documents;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time series, whose dumps have buckets. */
final class TimeSeriesTest {
    private static final String METADATA =
            "{\"options\":{\"timeseries\":{\"timeField\":\"at\",\"metaField\":\"sensor\","
                    + "\"granularity\":\"seconds\"}},\"indexes\":["
                    + "{\"v\":2,\"key\":{\"sensor.place\":1,\"at\":-1},\"name\":\"places\"}],\"collectionName\":\"weather\",\"type\":\"timeseries\"}";

    /** Two differences of 0: the second and third value are as far from the one before as that from its predecessor. */
    private static final String TWO_ZEROS = "800d00000000000000";

    @TempDir
    private Path directory;

    private String url;
    private Imports imports;

    @BeforeEach
    void makeDump() throws Exception {
        url = TestServer.freshDatabase("time_series");
        imports = new Imports(url, directory);
        Files.createDirectories(directory.resolve("db"));
        Files.writeString(directory.resolve("db/weather.metadata.json"), METADATA);
    }

    /** A bucket with three measurements whose ids begin with this one. */
    private static void bucket(BsonWriter w, int first, boolean valid) {
        w.int32("_id", first)
                .document("control")
                .int32("version", 2)
                .int32("count", 3)
                .end();
        w.document("meta").string("place", "roof").end().document("data");
        w.binary("at", 7, column("0900" + "e803000000000000" + TWO_ZEROS));
        w.binary("_id", 7, column("1000" + little(first) + one() + one()));
        w.binary("n", 7, column(valid ? "1000" + little(5) + TWO_ZEROS : "ff"));
        w.end();
    }

    private static String little(int number) {
        return HexFormat.of().toHexDigits(Integer.reverseBytes(number));
    }

    /** A difference of 1, which is 2 with its sign in the lowest bit. */
    private static String one() {
        return "802e00000000000000";
    }

    private static byte[] column(String hex) {
        return HexFormat.of().parseHex(hex + "00");
    }

    private byte[] buckets(int count, int invalid) {
        return Imports.documents(count, (w, i) -> bucket(w, i * 10, i != invalid));
    }

    private CollectionSummary run(DumpFilter filter) throws Exception {
        try (ImportInput input = ImportInput.of(MongoDump.open(directory.resolve("db"), filter))) {
            return imports.importer().run(input).collections().get(0);
        }
    }

    @Test
    void measurementsBecomeRows() throws Exception {
        Files.write(directory.resolve("db/system.buckets.weather.bson.zst"), Documents.zstd(buckets(5_000, -1)));
        imports.verify = true;

        CollectionSummary summary = run(DumpFilter.ALL);

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.table()).isEqualTo("weather");
        assertThat(summary.keyType()).isEqualTo("int");
        assertThat(summary.rows()).isEqualTo(15_000);
        assertThat(summary.indexes().get(0).indexes())
                .extracting(Part::definition)
                .containsExactly("btree ((data -> 'sensor' -> 'place'), (rtrim(data -> 'at' ->> '$date', 'Z')) desc)");
        assertThat(TestServer.text(url, "select data::text from weather where _id = 12"))
                .isEqualTo(
                        "{\"n\": 5, \"at\": {\"$date\": \"1970-01-01T00:00:01Z\"}, \"_id\": 12, \"sensor\": {\"place\":"
                                + " \"roof\"}}");
    }

    @Test
    void bucketThatCannotBeUnpackedIsRejectedAlsoWhenResumed() throws Exception {
        Files.write(directory.resolve("db/system.buckets.weather.bson"), buckets(10, 4));
        imports.maxRejects = 1;

        for (boolean resume : new boolean[] {false, true}) {
            imports.resume = resume;
            CollectionSummary summary = run(DumpFilter.ALL);
            assertThat(summary.rejects()).isEqualTo(Map.of("bucket not unpacked", 1L));
            assertThat(TestServer.number(url, "select count(*) from weather")).isEqualTo(27);
        }
        String reason = Files.readString(directory.resolve("weather.rejects.json"), StandardCharsets.UTF_8);
        assertThat(reason)
                .hasLineCount(1)
                .contains("\"document\":12", "\"_id\":{\"$numberInt\":\"40\"}", "expected a bucket of a time series");
    }

    @Test
    void bucketsAreImportedAsTheyAreIfAsked() throws Exception {
        Files.write(directory.resolve("db/system.buckets.weather.bson"), buckets(3, 1));

        CollectionSummary summary = run(new DumpFilter(List.of(), List.of(), false, List.of(), List.of(), true));

        assertThat(summary.table()).isEqualTo("system.buckets.weather");
        assertThat(summary.rows()).isEqualTo(3);
        assertThat(summary.indexes()).isEmpty();
        assertThat(summary.notes()).anyMatch(note -> note.startsWith("its indexes are on fields of measurements"));
    }
}
