package io.pgstress.bson.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata that grow without an end when they are decompressed end in a message that names the file. */
final class MetadataLimitTest {
    private static Path written(Path file, int bytes) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{\"collectionName\":\"c\"".getBytes(StandardCharsets.US_ASCII));
            out.write(" ".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
            out.write('}');
        }
        return file;
    }

    @Test
    void fileThatIsTooLargeIsNamed(@TempDir Path directory) throws IOException {
        Path file = written(directory.resolve("x.metadata.json.gz"), BsonType.MAX_DOCUMENT);
        assertThat(Files.size(file)).isLessThan(100_000);
        assertThatThrownBy(() -> Metadata.read(file))
                .isInstanceOf(BsonException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("metadata of at most 16793600 bytes");
        assertThat(Metadata.read(written(file, BsonType.MAX_DOCUMENT - 100)).collectionName())
                .isEqualTo("c");
    }

    /** A document of the largest size with one binary field. */
    private static byte[] largest() {
        int size = BsonType.MAX_DOCUMENT;
        ByteBuffer document = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        document.putInt(size).put((byte) BsonType.BINARY).put((byte) 'x').put((byte) 0);
        document.putInt(size - 13);
        return document.array();
    }

    @Test
    void archiveWhoseMetadataDoNotEndIsNamed() throws IOException {
        byte[] largest = largest();
        byte[] head = ByteBuffer.allocate(9)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(DumpInput.ARCHIVE_MAGIC)
                .putInt(5)
                .array();
        List<InputStream> parts = Stream.concat(
                        Stream.of(head), Stream.generate(() -> largest).limit(17))
                .<InputStream>map(ByteArrayInputStream::new)
                .toList();
        try (DumpInput input = DumpInput.of(new SequenceInputStream(Collections.enumeration(parts)), "a.archive")) {
            assertThatThrownBy(() -> ArchivePrelude.read(input.window(), DumpFilter.ALL))
                    .isInstanceOf(BsonException.class)
                    .hasMessageStartingWith("a.archive at byte ")
                    .hasMessageContaining("for all collections");
        }
    }
}
