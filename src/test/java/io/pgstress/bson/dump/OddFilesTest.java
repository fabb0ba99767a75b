package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Documents;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that people have beside or in place of documents: for each kind several places, names and compressions. */
final class OddFilesTest {
    private static final byte[] ONE = Documents.sized(1, 40);
    private static final byte[] POINTER =
            utf8("version https://git-lfs.github.com/spec/v1\noid sha256:77\nsize 123456\n");
    private static final byte[] APPLE = {0, 5, 0x16, 7, 0, 2, 0, 0, 'M', 'a', 'c', ' ', 'O', 'S', ' ', 'X'};
    private static final byte[] ARCHIVE =
            Documents.concat(Archives.prelude(), Archives.block("db", "a", ONE), Archives.end("db", "a", ONE));

    @TempDir
    private Path root;

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] compressed(String name, byte[] bytes) {
        return name.endsWith(".gz") ? Documents.gzip(bytes) : name.endsWith(".zst") ? Documents.zstd(bytes) : bytes;
    }

    private void file(String path, byte[] bytes) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private MongoDump open(String path) throws Exception {
        return MongoDump.open(root.resolve(path), DumpFilter.ALL);
    }

    private String message(String path) throws Exception {
        try (MongoDump dump = open(path)) {
            return Recorder.read(dump).stream()
                    .filter(event -> event.startsWith("unreadable") || event.startsWith("failed"))
                    .collect(Collectors.joining());
        } catch (BsonException e) {
            return e.getMessage();
        }
    }

    private static String ofStream(byte[] bytes) throws Exception {
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(bytes), "standard input", DumpFilter.ALL)) {
            return String.join("\n", Recorder.read(dump));
        } catch (BsonException e) {
            return e.getMessage();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop/orders.bson.gz", "shop/orders.json", "orders.archive", "shop/orders.bson.zst"})
    void pointersOfGitLfsHaveAllNames(String name) throws Exception {
        file(name, POINTER);

        assertThat(message(name)).endsWith(name + " is a Git LFS pointer; run git lfs pull");
        assertThat(ofStream(POINTER)).contains("standard input is a Git LFS pointer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop/._orders.bson.gz",
                "shop/._orders.metadata.json",
                "shop/._orders.json",
                "._shop",
                "__MACOSX/shop/._orders.bson",
                "shop/__MACOSX/._orders.bson"
            })
    void filesOfMacOsAreSkippedWhereverTheyAre(String name) throws Exception {
        file("shop/orders.bson", ONE);
        file(name, APPLE);

        try (MongoDump dump = open("")) {
            assertThat(Recorder.read(dump))
                    .containsExactly("begin shop.orders", "shop.orders 1 #0", "end shop.orders 1");
            assertThat(dump.leftOut()).containsExactly(new LeftOut("._*, .DS_Store and __MACOSX", "1 file of macOS"));
        }
    }

    /** Also the file of a view that has none, and is compressed. */
    @ParameterizedTest
    @CsvSource({
        "view.bson, true",
        "view.bson.gz, true",
        "view.bson.zst, true",
        "view.json, true",
        "view.bson, false",
        "view.bson.gz, false",
        "view.bson.zst, false",
        "view.json, false"
    })
    void documentsDecideWhetherAViewIsACollection(String name, boolean hasDocuments) throws Exception {
        byte[] documents = name.endsWith("json") ? utf8("{\"_id\":1}\n") : ONE;
        file("shop/orders.bson", ONE);
        file("shop/" + name, compressed(name, hasDocuments ? documents : new byte[0]));
        file("shop/view.metadata.json", utf8("{\"options\":{\"viewOn\":\"orders\"},\"type\":\"view\"}"));

        try (MongoDump dump = open("")) {
            assertThat(Recorder.read(dump).contains("end shop.view 1")).isEqualTo(hasDocuments);
            assertThat(dump.leftOut())
                    .isEqualTo(hasDocuments ? List.of() : List.of(new LeftOut("shop.view", LeftOut.VIEW)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "system.indexes.bson, shop.orders",
        "system.indexes.bson.zst, shop.orders",
        "system.indexes.bson.gz, renamed.orders",
        "system.indexes.json, shop.orders",
        "system.indexes.json.gz, other.orders",
    })
    void indexesOfOldDumpsAreFoundInEveryForm(String name, String namespace) throws Exception {
        String index = "{\"ns\":\"" + namespace + "\",\"key\":{\"a\":1},\"name\":\"a_1\"}";
        byte[] bytes = name.contains(".json") ? utf8(index + "\n") : Documents.ofJson(index);
        file("shop/" + name, compressed(name, bytes));
        file("shop/orders.bson.gz", Documents.gzip(ONE));
        file("shop/orders.lines.bson", ONE);

        try (MongoDump dump = open("")) {
            assertThat(dump.collections())
                    .extracting(DumpCollection::collection)
                    .containsExactly("orders", "orders.lines");
            assertThat(dump.collections().get(0).metadata()).contains("\"name\":\"a_1\"");
            assertThat(dump.collections().get(1).metadata()).isEmpty();
            assertThat(dump.leftOut()).extracting(LeftOut::name).containsExactly("shop.system.indexes");
        }
    }

    static Stream<Arguments> textsBesideDocuments() {
        String log = "2026-11-28T10:00:00.000+0000\twriting shop.orders to stdout\n";
        return Stream.of(
                Arguments.of(
                        "an error", utf8("mongodump: command not found\n"), "is text: \"mongodump: command not found"),
                Arguments.of("a page", utf8("<!DOCTYPE html>\n<title>404</title>\n"), "is text: \"<!DOCTYPE html>"),
                Arguments.of("a byte order mark", utf8("\ufeffError: 404\n"), "is text: \"\\uFEFFError: 404\\n\""),
                Arguments.of("coloured", utf8("\u001b[31mError\u001b[0m\n"), "is text: \"\\u001B[31mError"),
                Arguments.of(
                        "a log before documents",
                        Documents.concat(utf8(log), ONE),
                        "from byte " + log.length() + " on documents: cut off the text"),
                Arguments.of(
                        "a log before an archive",
                        Documents.concat(utf8(log), ARCHIVE),
                        "from byte " + log.length() + " on an archive: cut off the text"),
                Arguments.of(
                        "a log before gzip data",
                        Documents.concat(utf8(log), Documents.gzip(ARCHIVE)),
                        "from byte " + log.length() + " on gzip data: cut off the text"),
                Arguments.of(
                        "a short word before gzip data",
                        Documents.concat(utf8("ok\n"), Documents.gzip(ARCHIVE)),
                        "is text: \"ok\\n\", and from byte 3 on gzip data: cut off the text"),
                Arguments.of(
                        "a log before zstd data",
                        Documents.concat(utf8(log), Documents.zstd(ARCHIVE)),
                        "from byte " + log.length() + " on zstd data: cut off the text"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("textsBesideDocuments")
    void textInPlaceOfDocumentsIsQuoted(String what, byte[] bytes, String found) throws Exception {
        assertThat(ofStream(bytes)).contains("standard input " + (found.startsWith("is") ? found : "is text: "), found);
        for (String name : List.of("shop/orders.bson", "shop/orders.bson.gz", "all.archive", "shop/orders.json")) {
            file(name, bytes);
            assertThat(message(name)).contains(name, found);
        }
    }

    /** A terminal's line feeds are recognized in all forms that are not compressed. */
    @Test
    void terminalsAlterDocumentsAndArchives() throws Exception {
        byte[] ten = Documents.sized(10, 40); // its _id is a line feed
        byte[] many = Documents.concat(ten, ten, ten, ten);
        byte[] archive =
                Documents.concat(Archives.prelude(), Archives.block("db", "a", many), Archives.end("db", "a", many));
        for (byte[] plain : List.of(many, archive)) {
            String altered = new String(plain, StandardCharsets.ISO_8859_1).replace("\n", "\r\n");
            assertThat(ofStream(altered.getBytes(StandardCharsets.ISO_8859_1))).contains("-t of ssh");
            file("shop/a.bson", altered.getBytes(StandardCharsets.ISO_8859_1));
            assertThat(message("shop/a.bson")).contains("-t of ssh");
            assertThat(ofStream(Arrays.copyOf(plain, plain.length - 3))).doesNotContain("-t of ssh");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a/dump/shop/orders.bson, a/dump",
        "a/b/dump/shop/orders.bson.gz, a/b/dump",
        "a/b/exports/shop/orders.json, a/b/exports",
        "a/exports/shop/orders.jsonl.gz, a/exports"
    })
    void directoryFurtherDownIsNamed(String file, String directory) throws Exception {
        file(file, compressed(file, file.contains("json") ? utf8("{\"_id\":1}\n") : ONE));

        assertThatThrownBy(() -> open(""))
                .isInstanceOf(BsonException.class)
                .hasMessageEndingWith("found them further down: name " + root.resolve(directory));
        try (MongoDump dump = open(directory)) {
            assertThat(Recorder.read(dump)).endsWith("end shop.orders 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"all.archive", "all.archive.gz", "backup", "shop/backup.zst"})
    void archiveInADirectoryIsNamedAsOne(String name) throws Exception {
        file("shop/orders.bson", ONE);
        file(name, compressed(name, ARCHIVE));
        file("shop/notes.txt", utf8("see the archive"));

        try (MongoDump dump = open("")) {
            assertThat(dump.leftOut())
                    .containsExactlyInAnyOrder(
                            new LeftOut(root.resolve(name).toString(), "an archive: import it by its own path"),
                            new LeftOut(root.resolve("shop/notes.txt").toString(), "not a dump file"));
        }
    }
}
