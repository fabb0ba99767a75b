package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.SharedFiles;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.testing.TestServer;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
