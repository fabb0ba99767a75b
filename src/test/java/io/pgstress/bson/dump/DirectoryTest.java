package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Documents;
import io.pgstress.bson.SharedFiles;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTest {
    private static final byte[] ONE = Documents.sized(1, 40);
    private static final byte[] TWO = Documents.sized(2, 50);
    private static final String PRELUDE = "{\"ServerVersion\":\"7.0.16\",\"ToolVersion\":\"\"}";

    @TempDir
    private Path root;

    private void file(String path, byte[]... parts) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, Documents.concat(parts));
    }

    private void json(String path, String text) throws Exception {
        file(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> names(MongoDump dump) {
        return dump.collections().stream().map(DumpCollection::namespace).toList();
    }

    private List<String> names(List<String> databases, List<String> collections, boolean system) throws Exception {
        try (MongoDump dump = MongoDump.open(root, new DumpFilter(databases, collections, system))) {
            return names(dump);
        }
    }

    @Test
    void findsCollectionsOfAllDatabasesAndReadsThemInOrder() throws Exception {
        file("shop/orders.bson.gz", Documents.gzip(TWO));
        json("shop/orders.metadata.json.gz", "");
        file("blog/posts.bson", ONE, TWO);
        json(
                "blog/posts.metadata.json",
                "{\"indexes\":[{\"options\":{\"no\":1}}],\"options\":{\"uuid\":\"abc\",\"create\":\"posts\",\"autoIndexId\":true,\"capped\":true,\"size\":");
        json("prelude.json", PRELUDE);
        file("readme.txt", new byte[0]);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.collections())
                    .extracting(DumpCollection::options)
                    .containsExactly(List.of("capped"), List.of());
            assertThat(dump.leftOut())
                    .containsExactly(new LeftOut(root.resolve("readme.txt").toString(), "not a dump file"));
            assertThat(Recorder.read(dump))
                    .containsExactly(
                            "begin blog.posts",
                            "blog.posts 1 #0",
                            "blog.posts 2 #1",
                            "end blog.posts 2",
                            "begin shop.orders",
                            "shop.orders 2 #0",
                            "end shop.orders 1");
            assertThat(dump.bytesRead()).isEqualTo(dump.bytesTotal());
        }
    }

    @Test
    void acceptsADatabaseDirectoryOrASingleFile() throws Exception {
        file("blog/posts.bson", ONE);
        file("blog/more/notes.txt", ONE);
        try (MongoDump dump = MongoDump.open(root.resolve("blog"), DumpFilter.ALL)) {
            assertThat(names(dump)).containsExactly("blog.posts");
            assertThat(dump.leftOut())
                    .extracting(LeftOut::reason)
                    .containsExactly("a directory below that of a database: import it by its own path");
        }
        try (MongoDump dump = MongoDump.open(root.resolve("blog/posts.bson"), DumpFilter.ALL)) {
            assertThat(names(dump)).containsExactly("blog.posts");
        }
    }

    @Test
    void patternsSelectDatabasesAndCollections() throws Exception {
        for (String name : List.of("a/x1.bson", "a/x2.bson", "a/y.bson", "b/x1.bson", "a/x.1.bson")) {
            file(name, ONE);
        }
        assertThat(names(List.of("a"), List.of("x?"), false)).containsExactly("a.x1", "a.x2");
        assertThat(names(List.of(), List.of("*1", "y"), false)).containsExactly("a.x.1", "a.x1", "a.y", "b.x1");
        assertThat(names(List.of("b"), List.of("y"), false)).isEmpty();
    }

    private static String series(String name) {
        return DumpFilter.ALL.reasonAgainst("db", name, "timeseries");
    }

    /** Time series are left out in any case. Servers before 8.3 name the collection of the buckets differently than the series. */
    @Test
    void omitsSystemCollectionsAndOplogByDefault() throws Exception {
        file("oplog.bson", ONE);
        file("db/system.views.bson", ONE);
        file("db/system.buckets.weather.bson", ONE);
        json("db/weather.metadata.json", "{\"type\":\"timeseries\"}");
        file("db/newer.bson", ONE);
        json("db/newer.metadata.json", "{\"type\":\"timeseries\"}");
        json("db/best.metadata.json", "{\"options\":{\"viewOn\":\"posts\"}}");
        file("db/$admin.system.users.bson", ONE);
        file("db/posts.bson", ONE);
        assertThat(names(List.of(), List.of(), false)).containsExactly("db.posts");
        assertThat(names(List.of(), List.of("system.v*"), false)).containsExactly("db.system.views");
        assertThat(names(List.of(), List.of("weather", "newer", "system.b*"), false))
                .isEmpty();
        assertThat(names(List.of(), List.of("oplog"), false)).containsExactly("oplog");
        assertThat(names(List.of(), List.of(), true)).hasSize(4);
        file("local/oplog.rs.bson", ONE);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.leftOut())
                    .containsExactlyInAnyOrder(
                            new LeftOut("oplog", DumpFilter.ALL.reasonAgainst("", "oplog", "")),
                            new LeftOut("local.oplog.rs", DumpFilter.ALL.reasonAgainst("", "oplog", "")),
                            new LeftOut("db.system.views", DumpFilter.SYSTEM),
                            new LeftOut("db.system.buckets.weather", series("weather")),
                            new LeftOut("db.newer", series("newer")),
                            new LeftOut("db.best", "a view"),
                            new LeftOut("db.$admin.system.users", DumpFilter.SYSTEM));
        }
    }

    @Test
    void unescapesNamesAndTakesShortenedOnesFromTheMetadata() throws Exception {
        String shortened = "x".repeat(208) + "%24" + "h".repeat(27);
        String whole = "x".repeat(230) + "/\u00e9\"";
        file("db/caf%C3%A9s+and+bars%2F%24.bson", ONE);
        file("db/100%.bson", ONE);
        file("db/" + shortened + ".bson", ONE);
        json(
                "db/" + shortened + ".metadata.json",
                "{\"options\":{\"collectionName\":\"no\"},\"collectionName\":\"" + whole.replace("\"", "\\\"") + "\"}");
        assertThat(names(List.of(), List.of(), false))
                .containsExactly("db.100%", "db.caf\u00e9s and bars/$", "db." + whole);
        Files.delete(root.resolve("db/" + shortened + ".metadata.json"));
        assertThatThrownBy(() -> MongoDump.open(root, DumpFilter.ALL))
                .hasMessageContaining("which mongodump shortened");
    }

    @Test
    void reportsABrokenFileAndReadsTheNextOne() throws Exception {
        file("db/a.bson", ONE, new byte[] {4, 0, 0, 0});
        file("db/b.bson.gz", Arrays.copyOf(Documents.gzip(Documents.concat(TWO, TWO)), 40));
        file("db/c.bson", ONE);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            List<String> events = Recorder.read(dump);
            assertThat(events.get(2))
                    .startsWith("failed db.a 1 ")
                    .endsWith(
                            "a.bson at byte 40: expected a document's length of 5 to 16793600, found 4; this leaves out the"
                                    + " last 4 bytes");
            assertThat(events)
                    .anyMatch(event -> event.startsWith("failed db.b ") && event.endsWith("found truncated gzip data"));
            assertThat(events).endsWith("begin db.c", "db.c 1 #0", "end db.c 1");
        }
    }

    @Test
    void refusesADirectoryWithoutDumpsAndAMissingFile() throws Exception {
        Files.createDirectories(root.resolve("empty"));
        assertThatThrownBy(() -> MongoDump.open(root, DumpFilter.ALL))
                .isInstanceOf(BsonException.class)
                .hasMessage(
                        root
                                + ": expected a directory with .bson files from mongodump or .json files from mongoexport, found none in it");
        assertThatThrownBy(() -> MongoDump.open(root.resolve("none"), DumpFilter.ALL))
                .isInstanceOf(BsonException.class)
                .hasMessageContaining("expected a readable file");
    }

    @Test
    void readsAPlainOrGzippedStreamOfDocuments() throws Exception {
        byte[] plain = Documents.concat(ONE, TWO);
        for (byte[] bytes :
                List.of(plain, Documents.gzip(plain), Documents.concat(Documents.gzip(ONE), Documents.gzip(TWO)))) {
            try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(bytes), "-", DumpFilter.ALL)) {
                assertThat(Recorder.read(dump))
                        .containsExactly("begin stdin", "stdin 1 #0", "stdin 2 #1", "end stdin 2");
                assertThat(dump.bytesRead()).isEqualTo(bytes.length);
                assertThat(dump.bytesTotal()).isEqualTo(-1);
            }
        }
    }

    @Test
    void singleFileAndStreamGetTheRequestedName() throws Exception {
        DumpFilter named = new DumpFilter(List.of("shop"), List.of("orders"), false);
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(ONE), "-", named)) {
            assertThat(Recorder.read(dump)).contains("end shop.orders 1");
        }
        file("db/a.rejects.bson", ONE);
        try (MongoDump dump = MongoDump.open(root.resolve("db/a.rejects.bson"), named)) {
            assertThat(Recorder.read(dump)).contains("end shop.orders 1");
        }
        DumpFilter pattern = new DumpFilter(List.of(), List.of("or*"), false);
        try (MongoDump dump = MongoDump.open(root.resolve("db/a.rejects.bson"), pattern)) {
            assertThat(dump.collections()).isEmpty();
            assertThat(dump.leftOut()).hasSize(1);
        }
    }

    @Test
    void emptyFileIsNotGzip() throws Exception {
        file("db/a.bson.gz", new byte[0]);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump).get(0))
                    .startsWith("unreadable db.a ")
                    .contains("a.bson.gz at byte 0: expected gzip data, found an empty file");
        }
    }

    @Test
    void documentWhoseLengthLooksLikeGzipIsADocument() throws Exception {
        byte[] document = Documents.sized(7, 0x088b1f);
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(document), "-", DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).contains("stdin 7 #0");
        }
    }

    @Test
    void readsDumpsOfMongodump() throws Exception {
        Path dumps = SharedFiles.directory("dumps");
        try (MongoDump dump = MongoDump.open(dumps.resolve("several-databases"), DumpFilter.ALL)) {
            assertThat(names(dump)).containsExactly("db1.c1", "db1.c2", "db1.c3", "db1.c4", "db2.c1");
            assertThat(Recorder.read(dump))
                    .contains("end db1.c1 100", "end db1.c4 10")
                    .anyMatch(event -> event.startsWith("unreadable db1.c2 "));
        }
        try (MongoDump dump = MongoDump.open(dumps.resolve("gzip-with-prelude"), DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).contains("end test.foo 1");
        }
        try (MongoDump dump = MongoDump.open(dumps.resolve("escaped-names"), DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).contains("end db1.caf\u00e9s 1");
        }
        try (MongoDump dump = MongoDump.open(dumps.resolve("bson/partial_file.bson"), DumpFilter.ALL)) {
            assertThat(Recorder.read(dump).get(3))
                    .startsWith("failed bson.partial_file 2 ")
                    .contains("at byte 164: expected a document of 48 bytes");
        }
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
        String lost = " is missing, although its metadata are there";
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump))
                    .containsExactly(
                            "unreadable shop.carts " + root.resolve("shop/carts.bson") + lost,
                            "begin shop.orders",
                            "shop.orders 1 #0",
                            "end shop.orders 1",
                            "unreadable shop.zips " + root.resolve("shop/zips.bson.gz") + lost);
        }
    }

    /** Mongodump's own file has this name and two fields. A collection of its name is a collection, however it was exported. */
    @ParameterizedTest
    @CsvSource({
        "prelude.json, false, ''",
        "prelude.json.gz, false, ''",
        "prelude.json, true, shop.prelude",
        "prelude.json.gz, true, shop.prelude",
        "my_prelude.json, true, shop.my_prelude",
        "prelude.jsonl, true, shop.prelude",
        "prelude.bson, true, shop.prelude",
    })
    void preludeIsToldByItsContent(String name, boolean hasDocuments, String collection) throws Exception {
        byte[] lines = utf8("{\"_id\":1,\"ServerVersion\":\"7.0.16\",\"ToolVersion\":\"\"}\n".repeat(100));
        byte[] bytes = hasDocuments ? lines : utf8(PRELUDE);
        file("shop/orders.json", utf8("{\"_id\":1}\n"));
        file("shop/" + name, name.endsWith(".gz") ? Documents.gzip(bytes) : bytes);

        for (Path folder : List.of(root, root.resolve("shop"))) {
            try (MongoDump dump = MongoDump.open(folder, DumpFilter.ALL)) {
                assertThat(dump.leftOut()).isEmpty();
                assertThat(names(dump))
                        .filteredOn(each -> !each.equals("shop.orders"))
                        .isEqualTo(collection.isEmpty() ? List.of() : List.of(collection));
            }
        }
    }

    /** As a pattern of a shell names them, {@code dump/shop/*}. */
    @ParameterizedTest
    @ValueSource(strings = {"orders.metadata.json", "orders.metadata.json.gz", "orders.rejects.json"})
    void jsonBesideDocumentsIsNoDump(String name) throws Exception {
        file("shop/orders.bson", ONE);
        file("shop/" + name, utf8("{\"indexes\":[]}"));
        Path path = root.resolve("shop").resolve(name);
        assertThatThrownBy(() -> MongoDump.open(path, DumpFilter.ALL))
                .isInstanceOf(BsonException.class)
                .hasMessage(path
                        + " is a file beside documents, and has none: name the directory or the file of documents");
        assertThat(readAll(root.resolve("shop"))).endsWith("end shop.orders 1");
    }

    @Test
    void metadataMayBeginWithAByteOrderMark() throws Exception {
        file("shop/orders.bson", ONE);
        json("shop/orders.metadata.json", "\uFEFF{\"indexes\":[],\"options\":{\"capped\":true}}");
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.collections().get(0).options()).containsExactly("capped");
            assertThat(dump.collections().get(0).metadata()).startsWith("{");
        }
    }

    @Test
    void filesMayBeCompressedMoreThanOnce() throws Exception {
        file("shop/a.bson.gz", Documents.gzip(Documents.gzip(ONE)));
        file("shop/b.bson.zst", Documents.zstd(Documents.gzip(Documents.gzip(ONE))));
        file("shop/b.metadata.json.gz", Documents.gzip(Documents.zstd(utf8("{\"options\":{\"capped\":true}}"))));
        file("shop/broken.bson.gz", Documents.gzip(Arrays.copyOf(Documents.gzip(ONE), 12)));
        assertThat(readAll(root))
                .contains("end shop.a 1", "end shop.b 1")
                .anyMatch(each -> each.contains("broken.bson.gz at byte 1: expected valid gzip data"));
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
        "fd377a585a00, is xz data",
        "fffe7b0022006100, is UTF-16 text",
        "fffe5b007b002200, is UTF-16 text",
        "425a6839, bzip2 data",
        "04224d18, lz4 data: decompress it first (lz4 -dc",
        "504b0304, a zip archive",
        "5047444d5001, a dump of pg_dump",
        "7b205f69643a, 'is text: \"{ _id:\"'",
        "5f69642c6e, 'is text: \"_id,n\"'",
        "6869, 'is text: \"hi\"'",
        "1b5b33316d456e64650a22, 'is text: \"\\u001B[31mEnde\\n\\\"\"'",
        "0005160700020000, is a file that macOS puts beside another one",
        "00000000000000000000000000000000, is zero bytes (padding)",
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
                    .contains("a.bson ", found);
            assertThat(Recorder.read(dump)).endsWith("end db.b 1");
        }
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(bytes), "standard input", DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).singleElement().asString().contains("standard input ", found);
        }
    }

    @Test
    void collectionsOfMongoDbItselfAreLeftOutUnlessTheyAreNamed() throws Exception {
        for (String name : List.of(
                "admin/system.users",
                "admin/system.version",
                "admin/mine",
                "config/chunks",
                "config/transactions",
                "local/startup_log",
                "shop/orders",
                "shop/system.dbSentinel")) {
            file(name + ".bson", ONE);
        }
        Map<String, String> left = new LinkedHashMap<>();
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.collections())
                    .extracting(DumpCollection::namespace)
                    .containsExactly("admin.mine", "shop.orders");
            dump.leftOut().forEach(each -> left.put(each.name(), each.reason()));
        }
        assertThat(LeftOut.lines(left))
                .containsExactly("admin.system.users, admin.system.version, config.chunks, config.transactions,"
                        + " local.startup_log, and 1 more (" + DumpFilter.SYSTEM + ")");
        for (DumpFilter named : List.of(
                new DumpFilter(List.of("config"), List.of(), false),
                new DumpFilter(List.of(), List.of(), false, List.of("config.*"), List.of()))) {
            assertThat(MongoDump.open(root, named).collections())
                    .extracting(DumpCollection::namespace)
                    .containsExactly("config.chunks", "config.transactions");
        }
        assertThat(MongoDump.open(root.resolve("config"), DumpFilter.ALL).collections())
                .hasSize(2);
        assertThat(MongoDump.open(root, new DumpFilter(List.of(), List.of(), true))
                        .collections())
                .hasSize(8);
    }

    @Test
    void filesOfMongoexportAreCollectionsByTheirNames() throws Exception {
        byte[] json = utf8("{\"_id\":1}\n");
        file("shop/orders.json", json);
        file("shop/orders.metadata.json", utf8("{\"indexes\":[]}"));
        file("shop/carts.jsonl", json);
        file("shop/a%2Fb.ndjson.gz", Documents.gzip(json));
        file("shop/zips.json.zst", Documents.zstd(json));
        file("shop/stock.bson", json);
        file("shop/orders.rejects.json", json);
        json("shop/prelude.json", PRELUDE);
        file("about.json", json);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.collections())
                    .extracting(DumpCollection::namespace)
                    .containsExactly("shop.a/b", "shop.carts", "shop.orders", "shop.stock", "shop.zips");
            assertThat(Recorder.read(dump)).contains("shop.a/b 1 #0", "shop.stock 1 #0", "end shop.zips 1");
            assertThat(dump.leftOut())
                    .extracting(LeftOut::name)
                    .containsExactly(root + "/about.json", root + "/shop/orders.rejects.json");
        }
        file("shop/orders.bson", ONE);
        assertThatThrownBy(() -> MongoDump.open(root, DumpFilter.ALL))
                .hasMessageContaining("one file for each collection, found orders.bson and orders.json");
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
            assertThat(Recorder.read(dump)).singleElement().asString().contains("is a tar archive");
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
                    .endsWith("found an empty file");
        }
    }

    private static final Path DUMPS = Path.of("src/test/resources/dumps");

    private static List<String> readAll(Path path) throws Exception {
        try (MongoDump dump = MongoDump.open(path, DumpFilter.ALL)) {
            return Recorder.read(dump);
        }
    }

    @Test
    void pointersOfGitLfsSayWhatToDo() throws Exception {
        Path file = DUMPS.resolve("git-lfs/dump/gene/genes.bson");
        assertThat(readAll(DUMPS.resolve("git-lfs/dump")))
                .contains(
                        "unreadable gene.genes " + file + " is a Git LFS pointer; run git lfs pull",
                        "end gene.small 1");
    }

    @Test
    void filesOfMacOsAreSkippedAndCounted() throws Exception {
        try (MongoDump dump = MongoDump.open(DUMPS.resolve("apple-double/dump"), DumpFilter.ALL)) {
            assertThat(names(dump)).containsExactly("shop.orders");
            assertThat(dump.leftOut()).containsExactly(new LeftOut("._*, .DS_Store and __MACOSX", "4 files of macOS"));
            assertThat(Recorder.read(dump)).endsWith("end shop.orders 6");
        }
    }

    @Test
    void textIsQuoted() throws Exception {
        Path error = DUMPS.resolve("not-bson/error.bson");
        assertThat(readAll(error))
                .containsExactly("unreadable not-bson.error " + error
                        + " is text: \"Error response from daemon: No such container: mongo\\n\"");
        Path log = DUMPS.resolve("not-bson/log-in-front.archive");
        assertThat(readAll(log))
                .singleElement()
                .asString()
                .endsWith(log
                        + " is text: \"2017-05-24T19:36:24.433+0000\\twriting shop.orders to \\r\\n\", and from byte 54 on an"
                        + " archive: cut off the text");
    }

    @Test
    void whatFollowsTheDocumentsIsNamed() throws Exception {
        file("db/log.bson", ONE, utf8("2017-05-24T19:36:24.433+0000 done dumping db.log (1 document)\n"));
        file("db/padded.bson", ONE, new byte[100]);
        file("db/twice.bson", ONE, Archives.prelude());
        assertThat(readAll(root).stream().filter(event -> event.startsWith("failed")))
                .satisfiesExactly(
                        log -> assertThat(log)
                                .endsWith(
                                        "found text: \"2017-05-24T19:36:24.433+0000 done dumping db.log (1 document)\\n\";"
                                                + " this leaves out the last 62 bytes"),
                        padded -> assertThat(padded)
                                .endsWith("found zero bytes (padding); this leaves out the last 100 bytes"),
                        twice -> assertThat(twice)
                                .contains(
                                        "found another archive of mongodump: put each archive into a file of its own;"));
    }

    @Test
    void dumpFurtherDownIsNamed() throws Exception {
        Path levels = DUMPS.resolve("levels/rs");
        assertThatThrownBy(() -> MongoDump.open(levels, DumpFilter.ALL))
                .isInstanceOf(BsonException.class)
                .hasMessage(levels
                        + ": expected a directory with .bson files from mongodump or .json files from mongoexport, found them further down: name "
                        + levels.resolve("rs0/dump"));
        for (int i = 1; i <= 7; i++) {
            file("day" + i + "/shop/orders.bson", ONE);
        }
        Path above = Files.createDirectories(root.resolveSibling(root.getFileName() + "-above"));
        Files.move(root, above.resolve("days"));
        assertThatThrownBy(() -> MongoDump.open(above, DumpFilter.ALL))
                .hasMessageContaining(above.resolve("days/day5") + ", and 2 more");
        Files.move(above.resolve("days"), root);
        Files.delete(above);
    }

    @Test
    void twoFilesOfACollectionAreNamed() throws Exception {
        file("db/a.bson", ONE);
        file("db/a.bson.gz", Documents.gzip(ONE));
        assertThatThrownBy(() -> MongoDump.open(root, DumpFilter.ALL))
                .hasMessage(root.resolve("db") + ": expected one file for each collection, found a.bson and a.bson.gz:"
                        + " move one of them away, or import one of them by its path");
    }

    @Test
    void indexesOfOldDumpsAreInSystemIndexes() throws Exception {
        Path directory = DUMPS.resolve("system-indexes/dump");
        try (MongoDump dump = MongoDump.open(directory, DumpFilter.ALL)) {
            assertThat(names(dump)).containsExactly("app.users");
            assertThat(dump.leftOut())
                    .containsExactly(
                            new LeftOut("app.system.indexes", "indexes of the other collections: see --indexes"));
            assertThat(dump.collections().get(0).metadata())
                    .startsWith("{\"indexes\":[{")
                    .contains("\"name\":\"_id_\"", "\"unique\":true");
        }
        try (MongoDump dump = MongoDump.open(directory.resolve("app/users.bson"), DumpFilter.ALL)) {
            assertThat(dump.collections().get(0).metadata()).contains("\"name\":\"email_1\"");
        }
        Files.createDirectories(root.resolve("other"));
        Files.write(
                root.resolve("other/system.indexes.bson.gz"),
                Documents.gzip(Files.readAllBytes(directory.resolve("app/system.indexes.bson"))));
        file("other/users.bson");
        file("other/unknown.bson", ONE);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.collections())
                    .extracting(each -> each.metadata().isEmpty())
                    .containsExactly(true, false);
            assertThat(Recorder.read(dump)).endsWith("begin other.users", "end other.users 0");
        }
    }

    /** As {@code mongodump --viewsAsCollections} writes it; the second is as mongodump writes a view without this option. */
    @Test
    void documentsOfAViewAreACollection() throws Exception {
        Path views = Path.of("src/test/resources/dumps/views-as-collections/dump");
        try (MongoDump dump = MongoDump.open(views, DumpFilter.ALL)) {
            assertThat(dump.leftOut()).isEmpty();
            assertThat(Recorder.read(dump)).contains("end shop.open_orders 3", "end shop.orders 6");
        }
        file("db/view.bson", ONE);
        json("db/view.metadata.json", "{\"options\":{\"viewOn\":\"a\"},\"type\":\"view\"}");
        file("db/empty.bson");
        json("db/empty.metadata.json", "{\"options\":{\"viewOn\":\"a\"},\"type\":\"view\"}");
        json("db/view.metadata.json.old", "{}");
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(Recorder.read(dump)).contains("end db.view 1");
            assertThat(dump.leftOut())
                    .containsExactlyInAnyOrder(
                            new LeftOut("db.empty", LeftOut.VIEW),
                            new LeftOut(
                                    root.resolve("db/view.metadata.json.old").toString(), "not a dump file"));
        }
    }

    private static String reason(List<String> include, List<String> exclude, String database, String collection) {
        return new DumpFilter(List.of(), List.of(), false, include, exclude).reasonAgainst(database, collection, "");
    }

    @Test
    void includesWhatMatchesOneOfThePatternsAsAWhole() {
        List<String> patterns = List.of("shop.*", "*.log?");
        assertThat(reason(patterns, List.of(), "shop", "a.b")).isEmpty();
        assertThat(reason(patterns, List.of(), "other", "logs")).isEmpty();
        assertThat(reason(patterns, List.of(), "other", "logs2")).isEqualTo("it was not included");
        assertThat(reason(patterns, List.of(), "workshop", "a")).isEqualTo("it was not included");
    }

    @Test
    void exclusionPrevails() {
        assertThat(reason(List.of("shop.*"), List.of("*.tmp_*"), "shop", "tmp_1"))
                .isEqualTo("it was excluded");
        assertThat(reason(List.of(), List.of("*.tmp_*"), "shop", "a_tmp_1")).isEmpty();
    }

    @Test
    void backslashTakesTheNextCharacterLiterally() {
        assertThat(reason(List.of("shop.\\*"), List.of(), "shop", "*")).isEmpty();
        assertThat(reason(List.of("shop.\\*"), List.of(), "shop", "a")).isNotEmpty();
    }

    @Test
    void systemCollectionIsIncludedOnlyByName() {
        assertThat(reason(List.of("shop.*"), List.of(), "shop", "system.profile"))
                .isEqualTo(DumpFilter.SYSTEM);
        assertThat(reason(List.of("shop.system.*"), List.of(), "shop", "system.profile"))
                .isEmpty();
        assertThat(reason(List.of("*.oplog"), List.of(), "", "oplog")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", ".orders", "shop."})
    void patternNeedsADatabaseAndACollection(String pattern) {
        assertThatThrownBy(() -> DumpFilter.namespacePattern(pattern))
                .hasMessage("must be DATABASE.COLLECTION, where * matches any characters, was '" + pattern + "'");
    }
}
