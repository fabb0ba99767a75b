package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import io.pgstress.bson.SharedFiles;
import io.pgstress.bson.dump.Archives;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.testing.NamedPipe;
import io.pgstress.testing.TestServer;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that can be read only once, damaged archives, and interrupts. */
final class StreamTest extends ImportTestCase {
    @BeforeEach
    void tables() {
        TestServer.execute(url, "drop table if exists stdin, bar");
    }

    @Test
    void firstPartDeterminesTheKeyType() throws Exception {
        CollectionSummary small = imports.stream(Imports.numbered(10, i -> i), 1000, 1000);
        assertThat(small.keyType()).isEqualTo("int");
        assertThat(small.rows()).isEqualTo(10);

        tables();
        CollectionSummary spooled = imports.stream(Imports.numbered(30_000, i -> i), 100_000, 1_000_000);
        assertThat(spooled.keyType()).isEqualTo("int");
        assertThat(spooled.rows()).isEqualTo(30_000);
    }

    /** Like {@code import <(cat a.archive)}. */
    @ParameterizedTest
    @ValueSource(strings = {"documents", "gzip", "zstd", "archive", "archive in gzip", "json"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe that is read twice blocks for good
    void namedPipeIsReadLikeStandardInput(String kind) throws Exception {
        byte[] documents = Imports.numbered(10, i -> i);
        byte[] archive = Documents.concat(
                Archives.prelude(Archives.metadata("db", "bar", "", "collection")),
                Archives.block("db", "bar", documents),
                Archives.end("db", "bar", documents));
        byte[] bytes = switch (kind) {
            case "documents" -> documents;
            case "gzip" -> Documents.gzip(documents);
            case "zstd" -> Documents.zstd(documents);
            case "archive" -> archive;
            case "archive in gzip" -> Documents.gzip(archive);
            default ->
                IntStream.range(0, 10)
                        .mapToObj("{\"_id\":%d}\n"::formatted)
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8);
        };
        Path pipe = directory.resolve("pipe");
        CompletableFuture<Path> writer = NamedPipe.of(pipe, bytes);

        try (ImportInput input = ImportInput.open(pipe.toString(), InputStream.nullInputStream(), DumpFilter.ALL)) {
            CollectionSummary summary =
                    imports.importer().run(input).collections().get(0);
            assertThat(summary.keyType()).isEqualTo("int");
            assertThat(summary.rows()).isEqualTo(10);
        }
        assertThat(writer.get(60, TimeUnit.SECONDS)).isEqualTo(pipe);
    }

    @Test
    void laterKeyOfAnotherTypeIsAReject() throws Exception {
        int count = 50_000; // of 21 bytes: more than the first part
        byte[] documents = Imports.documents(count, (w, i) -> {
            if (i == count - 1) {
                w.string("_id", "late");
            } else {
                w.int32("_id", i).int32("n", i);
            }
        });

        CollectionSummary summary = imports.stream(documents, 100_000, 500_000);

        assertThat(summary.rows()).isEqualTo(count - 1);
        assertThat(Files.readString(directory.resolve("stdin.rejects.json"))).contains("--key-type");
    }

    @Test
    void importsAnArchiveWithAWrongChecksumButReportsIt() throws Exception {
        byte[] bytes = Files.readAllBytes(SharedFiles.directory("dumps").resolve("test.bar.archive"));
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int crc = text.lastIndexOf("CRC\0") + "CRC\0".length();
        bytes[crc] ^= 1;
        TestServer.execute(url, "drop table if exists bar, bar_copy");
        try (MongoDump dump = MongoDump.open(Files.write(directory.resolve("wrong.archive"), bytes), DumpFilter.ALL)) {
            ImportSummary summary = imports.importer().run(ImportInput.of(dump));
            CollectionSummary bar = summary.collections().get(0);
            assertThat(bar.fault())
                    .startsWith("all documents were imported, but may be damaged: ")
                    .contains("wrong.archive at byte", "with the CRC");
            assertThat(count("bar")).isEqualTo(bar.documents()).isPositive();
        }
    }

    @Test
    void truncatedArchiveReportsWhatWasNotStarted() throws Exception {
        Path whole = SharedFiles.directory("dumps").resolve("test.bar.archive");
        byte[] bytes = Files.readAllBytes(whole);
        for (int length : new int[] {bytes.length - 2, bytes.length / 2}) {
            TestServer.execute(url, "drop table if exists bar, bar_copy");
            Path cut = Files.write(directory.resolve("cut.archive"), Arrays.copyOf(bytes, length));
            MongoDump dump;
            try {
                dump = MongoDump.open(cut, DumpFilter.ALL);
            } catch (io.pgstress.bson.BsonException e) {
                continue; // truncated within the prelude
            }
            ImportSummary summary = imports.importer().run(ImportInput.of(dump));
            assertThat(summary.isWhole()).isFalse();
            assertThat(summary.collections()).hasSize(1);
            assertThat(summary.collections().get(0).fault()).contains("cut.archive at byte", "expected");
        }
    }

    @Test
    @Timeout(60)
    void interruptEndsAnImportFromASilentPipe() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        try (PipedOutputStream silent = new PipedOutputStream();
                InputStream pipe = new PipedInputStream(silent)) {
            silent.write(Imports.numbered(20, i -> i));
            MongoDump dump = MongoDump.stream(pipe, "pipe", DumpFilter.ALL);
            Importer importer = imports.importer();
            Thread me = Thread.currentThread();
            Thread interrupter = new Thread(() -> {
                reading.countDown();
                while (!exists("stdin")) {
                    Thread.onSpinWait();
                }
                me.interrupt();
            });
            interrupter.start();
            assertThatThrownBy(() -> importer.run(ImportInput.of(dump)))
                    .hasMessageContaining("interrupted")
                    .hasMessageContaining("--resume");
        }
    }
}
