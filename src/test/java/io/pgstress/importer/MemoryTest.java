package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The largest documents, in shapes that become large as JSON, with a heap of 256 MiB. */
@Slow
final class MemoryTest {
    private static final int SIZE = 15_900_000;
    private static final int DEPTH = 90;
    /** Its JSON is eleven times as large. */
    private static final byte[] UNDEFINED = {6, 0};
    /** Its jsonb would be eighteen times as large, which exceeds the limit of jsonb. */
    private static final byte[] REGEX = {11, 0, 0, 0};

    @TempDir
    private Path directory;

    private static void document(OutputStream out, int id, Consumer<BsonWriter> fields) throws IOException {
        ByteSink sink = new ByteSink(SIZE + (1 << 17));
        BsonWriter writer = new BsonWriter(sink).document();
        if (id >= 0) {
            writer.int32("_id", id);
        }
        fields.accept(writer);
        writer.end();
        out.write(sink.array(), 0, sink.length());
    }

    private static String text(char of) {
        char[] text = new char[SIZE];
        Arrays.fill(text, of);
        return new String(text);
    }

    private static void keys(BsonWriter writer, int count, int names) {
        for (int i = 0; i < count; i++) {
            writer.int32("k" + (1_000_000 + i % names), i);
        }
    }

    private static void deep(BsonWriter writer, int depth, String text) {
        for (int i = 0; i < depth; i++) {
            writer.document("d");
        }
        writer.string("s", text);
        for (int i = 0; i < depth; i++) {
            writer.end();
        }
    }

    /** A document with an array that contains as many elements of these bytes as fit. */
    private static void array(OutputStream out, int id, byte[] element) throws IOException {
        ByteSink sink = new ByteSink(SIZE + (1 << 17));
        BsonWriter writer = new BsonWriter(sink).document().int32("_id", id).array("n");
        for (int i = 0; i < SIZE / element.length; i++) {
            sink.put(element);
        }
        writer.end().end();
        out.write(sink.array(), 0, sink.length());
    }

    /** Seven documents that become rows, and three that become rejects. */
    private Path dump() throws IOException {
        Path file = directory.resolve("large.bson");
        try (OutputStream out = Files.newOutputStream(file)) {
            document(out, 0, w -> w.string("s", text('x')));
            document(out, 1, w -> w.string("s", text('\u0001')));
            document(out, 2, w -> w.binary("b", 0, new byte[SIZE]));
            document(out, 3, w -> keys(w, SIZE / 14, SIZE));
            document(out, 4, w -> keys(w, SIZE / 14, 1000));
            document(out, 5, w -> deep(w, DEPTH, text('"')));
            document(out, 6, w -> {
                w.array("n");
                for (int i = 0; i < SIZE / 10; i++) {
                    w.nothing("");
                }
                w.end();
            });
            document(out, 7, w -> deep(w, 1_000_000, ""));
            document(out, 8, w -> w.string("s", text('x') + '\0'));
            document(out, -1, w -> w.string("s", text('\u0001')));
        }
        return file;
    }

    /** Adds a row with the largest text that jsonb can store for a document, and a reject with a larger one. */
    private static void addLargestJson(Path dump) throws IOException {
        try (OutputStream out = Files.newOutputStream(dump, StandardOpenOption.APPEND)) {
            array(out, 10, UNDEFINED);
            array(out, 11, REGEX);
        }
    }

    private void isImported(String url, String how, String input, Path dump) throws Exception {
        Path output = directory.resolve("output");
        ProcessBuilder stress = Imports.stress(
                "256m",
                Runs.words(
                        "import %s --url %s %s --max-rejects 4 --max-depth 1000".formatted(input, url, how),
                        "--if-exists drop --collection large -q --rejects " + directory));
        if (input.equals("-")) {
            stress.redirectInput(dump.toFile());
            stress.command().replaceAll(option -> option.replace("UseSerialGC", "UseParallelGC")); // as in the launcher
        }
        Process child = stress.redirectOutput(output.toFile()).start();
        assertThat(child.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(child.exitValue()).as(Files.readString(output)).isZero();
        assertThat(TestServer.text(url, "select string_agg(_id::text, ',' order by _id) from large"))
                .startsWith("0,1,2,3,4,5,6");
        assertThat(TestServer.number(url, "select length(data->>'s') from large where _id = 1"))
                .isEqualTo(SIZE);
        assertThat(TestServer.number(url, "select data->>'k1000999' from large where _id = 4"))
                .isEqualTo(SIZE / 14 / 1000 * 1000 - 1);
        assertThat(TestServer.number(url, "select jsonb_array_length(data->'n') from large where _id = 6"))
                .isEqualTo(SIZE / 10);
    }

    @Test
    @Timeout(600)
    void importsDocumentsOf16MiBWithAHeapOf256MiB() throws Exception {
        String url = TestServer.freshDatabase("memory");
        Path dump = dump();
        addLargestJson(dump);
        isImported(url, "--jobs 8 --verify", dump.toString(), dump);
        assertThat(TestServer.number(url, "select octet_length(data::text) from large where _id = 10"))
                .isGreaterThan(170_000_000);
        assertThat(directory.resolve("large.rejects.json"))
                .content()
                .contains("(54000): total size of jsonb array elements exceeds the maximum of 268435455 bytes");
        TestServer.execute(url, "drop table large");
    }

    @Test
    @Timeout(600)
    void importsThemFromStandardInputToo() throws Exception {
        String url = TestServer.freshDatabase("memory_stdin");
        Path dump = dump();
        isImported(url, "--jobs 2", "-", dump);
        TestServer.execute(url, "drop table large");
    }

    /** While keys are scanned, and by the reading thread. */
    @ParameterizedTest
    @ValueSource(strings = {"--jobs=2", "--key-type=int"})
    void reportsATooSmallHeapInOneLine(String option) throws Exception {
        Path file = directory.resolve("large.bson");
        try (OutputStream out = Files.newOutputStream(file)) {
            document(out, 0, w -> w.string("s", text('x')));
        }
        ProcessBuilder stress = Imports.stress(
                "20m",
                Runs.words(
                        "import %s --url %s --rejects %s -q"
                                .formatted(file, TestServer.freshDatabase("smallheap"), directory),
                        option));
        Path output = directory.resolve("output");

        Process process = stress.redirectOutput(output.toFile()).start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(output)).singleElement().asString().contains("heap of", "--jobs", "-Xmx");
        assertThat(process.exitValue()).isEqualTo(3);
    }
}
