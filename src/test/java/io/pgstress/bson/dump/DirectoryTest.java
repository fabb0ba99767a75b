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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTest {
    private static final byte[] ONE = Documents.sized(1, 40);
    private static final byte[] TWO = Documents.sized(2, 50);

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
                "{\"indexes\":[{\"uuid\":\"no\"}],\"uuid\":\"abc\",\"collectionName\":\"posts\"}");
        file("prelude.json", new byte[0]);
        file("readme.txt", new byte[0]);
        try (MongoDump dump = MongoDump.open(root, DumpFilter.ALL)) {
            assertThat(dump.collections()).extracting(DumpCollection::uuid).containsExactly("abc", "");
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
                    .containsExactly("a directory where files are expected");
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
                            new LeftOut("oplog", "the oplog, which --oplog-replay applies"),
                            new LeftOut("local.oplog.rs", "the oplog, which --oplog-replay applies"),
                            new LeftOut("db.system.views", "a system collection"),
                            new LeftOut("db.system.buckets.weather", series("weather")),
                            new LeftOut("db.newer", series("newer")),
                            new LeftOut("db.best", "a view"),
                            new LeftOut("db.$admin.system.users", "a system collection"));
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
                    .endsWith("a.bson at byte 40: expected a document's length of 5 to 16793600, found 4");
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
                .hasMessage(root + ": expected a directory with .bson files from mongodump, found none in it");
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
}
