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
    /** Its JSON is eleven times as large, the largest that jsonb can store for a document. */
    private static final byte[] UNDEFINED = {6, 0};

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

    /** An array that contains as many elements of these bytes as fit. */
    private static void array(OutputStream out, int id, byte[] element) throws IOException {
        ByteSink sink = new ByteSink(SIZE + (1 << 17));
        BsonWriter writer = new BsonWriter(sink).document().int32("_id", id).array("n");
        for (int i = 0; i < SIZE / element.length; i++) {
            sink.put(element);
        }
        writer.end().end();
        out.write(sink.array(), 0, sink.length());
    }

    /** Two documents that become rows, and one that becomes a reject. */
    private static void few(OutputStream out) throws IOException {
        document(out, 1, w -> w.string("s", text('\u0001')));
        document(out, 2, w -> keys(w, SIZE / 14, 1000));
        document(out, 3, w -> w.string("s", text('x') + '\0'));
    }

    /** Four more that become rows, and two that become rejects. */
    private static void others(OutputStream out) throws IOException {
        document(out, 4, w -> w.binary("b", 0, new byte[SIZE]));
        document(out, 5, w -> keys(w, SIZE / 14, SIZE));
        document(out, 6, w -> deep(w, DEPTH, text('"')));
        array(out, 7, UNDEFINED);
        document(out, 8, w -> deep(w, 1_000_000, ""));
        document(out, -1, w -> w.string("s", text('\u0001')));
    }

    private void isImported(String url, String how, String input, String ids) throws Exception {
        Path output = directory.resolve("output");
        ProcessBuilder stress = Imports.stress(
                "256m",
                Runs.words(
                        "import %s --url %s %s --max-rejects 3 --max-depth 1000".formatted(input, url, how),
                        "--collection large -q --rejects " + directory));
        if (input.equals("-")) {
            stress.redirectInput(directory.resolve("large.bson").toFile());
            stress.command().replaceAll(option -> option.replace("UseSerialGC", "UseParallelGC")); // as in the launcher
        }
        Process child = stress.redirectOutput(output.toFile()).start();
        assertThat(child.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(child.exitValue()).as(Files.readString(output)).isZero();
        assertThat(TestServer.text(url, "select string_agg(_id::text, ',' order by _id) from large"))
                .isEqualTo(ids);
        assertThat(TestServer.number(url, "select length(data->>'s') from large where _id = 1"))
                .isEqualTo(SIZE);
        assertThat(TestServer.number(url, "select data->>'k1000999' from large where _id = 2"))
                .isEqualTo(SIZE / 14 / 1000 * 1000 - 1);
    }

    @Test
    @Timeout(600)
    void importsDocumentsOf16MiBWithAHeapOf256MiB() throws Exception {
        String url = TestServer.freshDatabase("memory");
        Path dump = directory.resolve("large.bson");
        try (OutputStream out = Files.newOutputStream(dump)) {
            few(out);
            others(out);
        }
        isImported(url, "--jobs 8 --verify", dump.toString(), "1,2,4,5,6,7");
        assertThat(TestServer.number(url, "select jsonb_array_length(data->'n') from large where _id = 7"))
                .isEqualTo(SIZE / UNDEFINED.length);
        TestServer.execute(url, "drop table large");
    }

    @Test
    @Timeout(600)
    void importsThemFromStandardInputToo() throws Exception {
        String url = TestServer.freshDatabase("memory_stdin");
        try (OutputStream out = Files.newOutputStream(directory.resolve("large.bson"))) {
            few(out);
        }
        isImported(url, "--jobs 2", "-", "1,2");
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
        assertThat(Files.readAllLines(output))
                .filteredOn(line -> !line.contains("the import creates"))
                .singleElement()
                .asString()
                .contains("heap of", "--jobs", "-Xmx");
        assertThat(process.exitValue()).isEqualTo(3);
    }
}
