package io.pgstress.bson.dump;

import static io.pgstress.bson.dump.Archives.block;
import static io.pgstress.bson.dump.Archives.end;
import static io.pgstress.bson.dump.Archives.metadata;
import static io.pgstress.bson.dump.Archives.prelude;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Documents;
import io.pgstress.bson.Mutations;
import io.pgstress.bson.SharedFiles;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.check.CRC64;

class ArchiveTest {
    private static final byte[] ONE = Documents.sized(1, 40);
    private static final byte[] TWO = Documents.sized(2, 50);
    private static final byte[] THREE = Documents.sized(3, 60);
    private static final byte[] BEGIN =
            prelude(metadata("db", "a", "{\"uuid\":\"0123\"}", ""), metadata("db", "b", "", ""));
    private static final byte[] INTERLEAVED = Documents.concat(
            BEGIN,
            block("db", "a", ONE),
            block("db", "b", TWO),
            block("db", "a", THREE),
            end("db", "a", ONE, THREE),
            end("db", "b", TWO));

    private static final String VIEW = "{\"options\":{\"viewOn\":\"a\",\"pipeline\":[]}}";

    private static MongoDump stream(byte[] bytes) throws Exception {
        return MongoDump.stream(new ByteArrayInputStream(bytes), "archive", DumpFilter.ALL);
    }

    private static String fault(byte[] bytes, Recorder recorder) throws Exception {
        try (MongoDump dump = stream(bytes)) {
            Throwable thrown = catchThrowable(() -> dump.read(recorder, 64));
            assertThat(thrown).isInstanceOf(BsonException.class);
            return thrown.getMessage();
        }
    }

    @Test
    void separatesInterleavedCollections() throws Exception {
        try (MongoDump dump = stream(INTERLEAVED)) {
            assertThat(dump.rereadable()).isFalse();
            assertThat(dump.collections()).extracting(DumpCollection::namespace).containsExactly("db.a", "db.b");
            assertThat(dump.collections().get(0).metadata()).isEqualTo("{\"uuid\":\"0123\"}");
            assertThat(Recorder.read(dump))
                    .containsExactly(
                            "begin db.a",
                            "db.a 1 #0",
                            "begin db.b",
                            "db.b 2 #0",
                            "db.a 3 #1",
                            "end db.a 2",
                            "end db.b 1");
        }
    }

    /** Bytes behind a terminal, which writes a carriage return before each line feed. */
    private static byte[] behindTerminal(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .replace("\n", "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void streamThatATerminalAlteredIsRecognized() throws Exception {
        byte[] ten = Documents.sized(10, 40);
        byte[] archive =
                Documents.concat(BEGIN, block("db", "a", ten, ten, ten), end("db", "a", ten, ten, ten), end("db", "b"));
        Recorder recorder = new Recorder();

        assertThat(fault(behindTerminal(archive), recorder)).contains("dump again without one (-t of ssh");
        assertThat(recorder.events).anyMatch(each -> each.startsWith("failed db.a") && each.contains("-t of ssh"));
        assertThat(fault(Arrays.copyOf(archive, archive.length - 20), new Recorder()))
                .doesNotContain("-t of ssh");
        byte[] log = "writing\nwriting\nwriting\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(Recorder.read(stream(behindTerminal(Documents.concat(log, archive)))))
                .singleElement()
                .asString()
                .contains("-t of ssh");
        assertThat(Recorder.read(stream(Documents.concat(log, archive))))
                .singleElement()
                .asString()
                .contains("cut off the text")
                .doesNotContain("-t of ssh");
        assertThat(Recorder.read(stream(behindTerminal(Documents.concat(ten, ten, ten)))))
                .last()
                .asString()
                .contains("-t of ssh");
    }

    @Test
    void compressedArchiveGivesTheSameAndCanBeReadTwice(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("no-telling-name");
        isReadTwice(Files.write(file, Documents.gzip(INTERLEAVED)));
        isReadTwice(Files.write(file, Documents.zstd(INTERLEAVED)));
    }

    private static void isReadTwice(Path file) throws Exception {
        try (MongoDump dump = MongoDump.open(file, DumpFilter.ALL)) {
            assertThat(dump.rereadable()).isTrue();
            assertThat(Recorder.read(dump)).isEqualTo(Recorder.read(dump)).hasSize(7);
            assertThat(dump.bytesRead()).isEqualTo(dump.bytesTotal()).isEqualTo(Files.size(file));
        }
    }

    @Test
    void returnsEveryChunk() throws Exception {
        Recorder recorder = new Recorder();
        try (MongoDump dump = stream(INTERLEAVED)) {
            dump.read(recorder, 64);
        }
        assertThat(recorder.chunksOut).isZero();
    }

    @Test
    void reportsAWrongCrcForItsCollectionAndReadsTheOthers() throws Exception {
        byte[] wrong = Documents.concat(
                BEGIN, block("db", "a", ONE), end("db", "a", TWO), block("db", "b", TWO), end("db", "b", TWO));
        List<String> events;
        try (MongoDump dump = stream(wrong)) {
            events = Recorder.read(dump);
        }
        String crcs = String.format("%016x, found %016x", Archives.crc(TWO), Archives.crc(ONE));
        assertThat(events.get(2))
                .startsWith("failed db.a 1 archive at byte")
                .endsWith("documents of db.a with the CRC " + crcs);
        assertThat(events).endsWith("begin db.b", "db.b 2 #0", "end db.b 1");
    }

    @Test
    void detectsAnArchiveTruncatedAnywhere() throws Exception {
        for (int length = BEGIN.length; length < INTERLEAVED.length; length++) {
            Recorder recorder = new Recorder();
            String message = fault(Arrays.copyOf(INTERLEAVED, length), recorder);
            assertThat(message).startsWith("archive at byte ").contains(": expected ", ", found ");
            assertThat(recorder.events).doesNotContain("end db.b 1");
            assertThat(recorder.chunksOut).isZero();
        }
    }

    @Test
    void doesNotOpenAnArchiveTruncatedInItsPrelude() throws Exception {
        for (int length = 5; length < BEGIN.length; length++) {
            byte[] cut = Arrays.copyOf(BEGIN, length);
            assertThat(catchThrowable(() -> stream(cut))).isInstanceOf(BsonException.class);
        }
    }

    @Test
    void deliversTheDocumentsBeforeAFault() throws Exception {
        byte[] broken = Documents.concat(BEGIN, block("db", "a", ONE, TWO, Documents.int32(4)));
        Recorder recorder = new Recorder();
        int at = broken.length - 8;
        String expected = "archive at byte " + at + ": expected a document's length of 5 to 16793600, found 4";
        assertThat(fault(broken, recorder)).isEqualTo(expected);
        assertThat(recorder.events)
                .containsExactly("begin db.a", "db.a 1 #0", "db.a 2 #1", "failed db.a 2 " + expected);
    }

    @Test
    void blockAfterTheEndOfItsCollectionIsAFault() throws Exception {
        byte[] broken = Documents.concat(BEGIN, block("db", "a", ONE), end("db", "a", ONE), block("db", "a", TWO));
        assertThat(fault(broken, new Recorder())).contains("expected no further block of db.a, found another block");
    }

    @Test
    void whatFollowsTheArchiveIsNamed() throws Exception {
        String at = "archive at byte " + INTERLEAVED.length;
        String expected = at + ": expected a collection's header or the archive's end, found ";
        assertThat(fault(Documents.concat(INTERLEAVED, INTERLEAVED), new Recorder()))
                .isEqualTo(expected + "another archive of mongodump: put each archive into a file of its own");
        byte[] log = "2017-05-24T19:36:24.433+0000\tdone dumping db.a\n".getBytes(StandardCharsets.UTF_8);
        assertThat(fault(Documents.concat(INTERLEAVED, log), new Recorder()))
                .isEqualTo(expected + "text: \"2017-05-24T19:36:24.433+0000\\tdone dumping db.a\\n\"");
        assertThat(fault(Documents.concat(INTERLEAVED, new byte[512]), new Recorder()))
                .isEqualTo(expected + "zero bytes (padding)");
    }

    @Test
    void skippedCollectionIsNotChecked() throws Exception {
        byte[] bytes = Documents.concat(
                BEGIN, block("db", "a", ONE), end("db", "a", TWO), block("db", "b", TWO), end("db", "b", TWO));
        DumpFilter onlyB = new DumpFilter(List.of("d*"), List.of("b"), false);
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(bytes), "archive", onlyB)) {
            assertThat(dump.leftOut()).containsExactly(new LeftOut("db.a", "its collection was not selected"));
            assertThat(Recorder.read(dump)).containsExactly("begin db.b", "db.b 2 #0", "end db.b 1");
        }
        Recorder refusesA = new Recorder();
        refusesA.passedOver.add("db.a");
        try (MongoDump dump = stream(bytes)) {
            dump.read(refusesA, 64);
        }
        assertThat(refusesA.events).containsExactly("begin db.a", "begin db.b", "db.b 2 #0", "end db.b 1");
    }

    @Test
    void omitsViewsTimeSeriesSystemCollectionsAndOplogByDefault() throws Exception {
        byte[] bytes = Documents.concat(
                prelude(
                        metadata("db", "v", VIEW, "view"),
                        metadata("db", "t", "", "timeseries"),
                        metadata("db", "system.js", "", ""),
                        metadata("", "oplog", "", "")),
                block("db", "system.buckets.t", ONE),
                end("db", "system.buckets.t", ONE),
                end("db", "v"),
                end("db", "system.js"),
                end("", "oplog"));
        try (MongoDump dump = stream(bytes)) {
            assertThat(dump.leftOut())
                    .containsExactlyInAnyOrder(
                            new LeftOut("db.v", "a view"),
                            new LeftOut("db.t", DumpFilter.ALL.reasonAgainst("db", "t", "timeseries")),
                            new LeftOut("db.system.js", DumpFilter.SYSTEM),
                            new LeftOut("oplog", DumpFilter.ALL.reasonAgainst("", "oplog", "")));
            assertThat(Recorder.read(dump)).isEmpty();
            assertThat(dump.leftOut()).hasSize(4);
        }
        DumpFilter named = new DumpFilter(List.of(), List.of("t"), false);
        try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(bytes), "archive", named)) {
            assertThat(Recorder.read(dump)).isEmpty();
        }
    }

    /** As {@code mongodump --viewsAsCollections} writes it: the type of a view, without its definition. */
    @Test
    void documentsOfAViewAreACollection() throws Exception {
        Path archive = Path.of("src/test/resources/dumps/views-as-collections/all.archive");
        try (MongoDump dump = MongoDump.open(archive, DumpFilter.ALL)) {
            assertThat(dump.leftOut()).isEmpty();
            assertThat(dump.collections())
                    .extracting(DumpCollection::namespace)
                    .containsExactly("shop.open_orders", "shop.orders");
            assertThat(Recorder.read(dump)).contains("end shop.open_orders 3", "end shop.orders 6");
        }
    }

    @Test
    void documentsDecideWhetherADefinedViewIsACollection() throws Exception {
        byte[] prelude = prelude(metadata("db", "v", VIEW, "view"), metadata("db", "w", VIEW, "view"));
        byte[] bytes = Documents.concat(
                prelude,
                block("db", "v", ONE),
                end("db", "v", ONE),
                block("db", "w"),
                end("db", "w"),
                block("db", "system.js", ONE),
                end("db", "system.js", ONE));
        try (MongoDump dump = stream(bytes)) {
            assertThat(Recorder.read(dump)).containsExactly("begin db.v", "db.v 1 #0", "end db.v 1");
            assertThat(dump.collections()).extracting(DumpCollection::namespace).containsExactly("db.v");
            assertThat(dump.leftOut())
                    .containsExactlyInAnyOrder(
                            new LeftOut("db.w", LeftOut.VIEW), new LeftOut("db.system.js", DumpFilter.SYSTEM));
        }
    }

    @Test
    void damagedArchiveGivesAFaultOrLacksTheDamagedCollection() throws Exception {
        Mutations mutations = new Mutations(1);
        for (int i = 0; i < 10_000; i++) {
            byte[] damaged = mutations.of(INTERLEAVED);
            byte[] input = i % 4 == 0 ? mutations.of(Documents.gzip(INTERLEAVED)) : damaged;
            Recorder recorder = new Recorder();
            try (MongoDump dump = MongoDump.stream(new ByteArrayInputStream(input), "archive", DumpFilter.ALL)) {
                dump.read(recorder, 64);
            } catch (BsonException e) {
                assertThat(e.getMessage()).startsWith("archive");
            }
            assertThat(recorder.chunksOut).isZero();
        }
    }

    @Test
    void crcHasTheDocumentedCheckValue() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        CRC64 crc = new CRC64();
        assertThat(Bytes.longAt(crc.finish(), 0)).isZero();
        crc.update(digits, 0, 4);
        crc.update(digits, 4, 5);
        assertThat(Bytes.longAt(crc.finish(), 0)).isEqualTo(0x995DC9BBDF1939FAL).isEqualTo(Archives.crc(digits));
    }

    @Test
    void readsAnArchiveOfMongodump() throws Exception {
        Path file = SharedFiles.directory("dumps").resolve("test.bar.archive");
        try (MongoDump dump = MongoDump.open(file, DumpFilter.ALL)) {
            assertThat(dump.leftOut()).containsExactly(new LeftOut("admin.system.version", DumpFilter.SYSTEM));
            assertThat(Recorder.read(dump)).startsWith("begin test.bar").endsWith("end test.bar 1");
        }
        try (MongoDump dump = MongoDump.open(file, new DumpFilter(List.of(), List.of(), true))) {
            assertThat(Recorder.read(dump)).contains("end test.bar 1", "end admin.system.version 1");
        }
    }
}
