package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dumps with files that are missing, out of place, or no dump at all. */
final class HostileDumpTest {
    private static final byte[] ONE = Documents.sized(1, 40);

    @TempDir
    private Path root;

    private void file(String path, byte[] bytes) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void metadataWithoutTheirDocumentsAreReported() throws Exception {
        file("shop/orders.bson", ONE);
        file("shop/carts.metadata.json", utf8("{\"indexes\":[]}"));
        file("shop/zips.metadata.json.gz", Documents.gzip(utf8("{}")));
        file("shop/weather.metadata.json", utf8("{\"type\":\"timeseries\"}"));
        file("shop/system.buckets.weather.bson", ONE);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump))
                    .containsExactly(
                            "unreadable shop.carts " + root.resolve("shop/carts.bson")
                                    + ": expected the documents of the collection whose metadata are beside it, found no"
                                    + " such file",
                            "begin shop.orders",
                            "shop.orders 1 #0",
                            "end shop.orders 1",
                            "unreadable shop.zips " + root.resolve("shop/zips.bson.gz")
                                    + ": expected the documents of the collection whose metadata are beside it, found no"
                                    + " such file");
        }
    }

    @Test
    void fileBesideDirectoriesOfDatabasesIsRefusedWithWhatToName() throws Exception {
        file("shop/orders.bson", ONE);
        file("stray.bson", ONE);

        assertThatThrownBy(() -> MongoDump.open(root, DumpFilter.ALL))
                .hasMessageContaining("stray.bson and shop/")
                .hasMessageContaining(root.resolve("shop") + " or " + root.resolve("stray.bson"));

        try (MongoDump dump = MongoDump.open(root.resolve("stray.bson"), DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).endsWith("end " + root.getFileName() + ".stray 1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "fd377a585a00, xz data",
        "425a6839, bzip2 data",
        "04224d18, lz4 data: decompress it first (lz4 -dc",
        "504b0304, a zip archive",
        "5047444d5001, a dump of pg_dump",
        "7b226122, JSON text",
        "5f69642c6e, text",
        "6869, text",
        "0400000000, 'a document''s length of 5 to 16793600, found 4'",
        "0102, the end of the input after 2",
    })
    void namesTheFormatOfWhatIsNotBson(String hex, String found) throws Exception {
        byte[] bytes = HexFormat.of().parseHex(hex);
        file("db/a.bson", bytes);
        file("db/b.bson", ONE);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump).get(0))
                    .startsWith("unreadable db.a ")
                    .contains("a.bson at byte 0: expected ", found);
            assertThat(Recorder.read(dump)).endsWith("end db.b 1");
        }
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(bytes), "standard input", DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).singleElement().asString().contains("standard input at byte 0", found);
        }
    }

    @Test
    void zstdDataThatAreCutAreReportedWithTheOffset() throws Exception {
        byte[] whole = Documents.zstd(Documents.concat(ONE, ONE, ONE));
        file("db/a.bson.zst", Arrays.copyOf(whole, whole.length - 3));
        file("db/b.bson", Documents.zstd(ONE));
        file("db/c.bson.zst", new byte[0]);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump))
                    .containsExactly(
                            "unreadable db.a " + root.resolve("db/a.bson.zst")
                                    + " at byte 0: expected valid zstd data (offsets refer to the uncompressed bytes), found"
                                    + " truncated zstd data",
                            "begin db.b",
                            "db.b 1 #0",
                            "end db.b 1",
                            "unreadable db.c " + root.resolve("db/c.bson.zst")
                                    + " at byte 0: expected zstd data, found an empty file");
        }
    }

    @Test
    void recognizesATarArchiveInGzip() throws Exception {
        byte[] tar = new byte[512];
        Arrays.fill(tar, 0, 100, (byte) 'a');
        System.arraycopy(utf8("ustar"), 0, tar, 257, 5);
        try (MongoDump dump =
                MongoDump.stream(new ByteArrayInputStream(Documents.gzip(tar)), "standard input", DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).singleElement().asString().contains("found a tar archive");
        }
    }

    @Test
    void onlyAnEmptyFileWithMetadataIsAnEmptyCollection() throws Exception {
        file("db/empty.bson", new byte[0]);
        file("db/empty.metadata.json", utf8("{\"indexes\":[]}"));
        file("db/nothing.bson", new byte[0]);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).hasSize(3).startsWith("begin db.empty", "end db.empty 0");
            assertThat(Recorder.read(dump).get(2))
                    .startsWith("unreadable db.nothing ")
                    .endsWith("found none");
        }
    }
}
