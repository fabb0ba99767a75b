package io.pgstress.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentReaderTest {
    private static final int CAPACITY = 1_000;

    private static DocumentReader reader(byte[]... parts) {
        InputStream in = new ByteArrayInputStream(Documents.concat(parts));
        return new DocumentReader(new InputWindow(in, "test"), CAPACITY);
    }

    @Test
    void chunksContainDocumentsWithTheirPositions() throws IOException {
        byte[][] documents = new byte[100][];
        for (int i = 0; i < documents.length; i++) {
            documents[i] = Documents.sized(i, 30 + i * 37 % 500);
        }
        DocumentReader reader = reader(documents);
        Chunk chunk = new Chunk(CAPACITY);
        long offset = 0;
        int next = 0;
        DocumentSource.End end = DocumentSource.End.FULL;
        while (end == DocumentSource.End.FULL) {
            end = reader.fill(chunk, next);
            assertThat(chunk.length()).isLessThanOrEqualTo(CAPACITY);
            for (int i = 0; i < chunk.count(); i++) {
                assertThat(chunk.ordinal(i)).isEqualTo(next);
                assertThat(chunk.offset(i)).isEqualTo(offset);
                int start = chunk.start(i);
                assertThat(Arrays.copyOfRange(chunk.array(), start, start + chunk.size(i)))
                        .isEqualTo(documents[next]);
                offset += documents[next++].length;
            }
        }
        assertThat(next).isEqualTo(documents.length);
        assertThat(end).isEqualTo(DocumentSource.End.INPUT);
    }

    @Test
    void chunksDoNotDependOnTheSizeOfReads() throws IOException {
        byte[] all = new byte[0];
        for (int i = 0; i < 50; i++) {
            all = Documents.concat(all, Documents.sized(i, 30 + i * 97 % 700));
        }
        byte[] bytes = all;
        InputStream byteByByte = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int at, int count) {
                return super.read(target, at, Math.min(count, 1));
            }
        };
        assertThat(counts(byteByByte)).isEqualTo(counts(new ByteArrayInputStream(bytes)));
    }

    private static List<Integer> counts(InputStream in) throws IOException {
        DocumentReader reader = new DocumentReader(new InputWindow(in, "test"), CAPACITY);
        List<Integer> counts = new ArrayList<>();
        Chunk chunk = new Chunk(CAPACITY);
        while (reader.fill(chunk, 0) == DocumentSource.End.FULL) {
            counts.add(chunk.count());
        }
        counts.add(chunk.count());
        return counts;
    }

    @Test
    void documentLargerThanAChunkHasItsOwnChunkAndItsMemoryIsFreed() throws IOException {
        DocumentReader reader = reader(Documents.sized(1, 50), Documents.sized(2, 100_000), Documents.sized(3, 50));
        Chunk chunk = new Chunk(CAPACITY);
        reader.fill(chunk, 0);
        assertThat(chunk.count()).isEqualTo(1);
        reader.fill(chunk, 1);
        assertThat(chunk.size(0)).isEqualTo(100_000);
        reader.fill(chunk, 2);
        assertThat(chunk.size(0)).isEqualTo(50);
        assertThat(chunk.array()).hasSize(CAPACITY);
    }

    @Test
    void readsTheLargestDocumentButNotOneByteMore() throws IOException {
        Chunk chunk = new Chunk(CAPACITY);
        assertThat(reader(Documents.sized(1, BsonType.MAX_DOCUMENT)).fill(chunk, 0))
                .isEqualTo(DocumentSource.End.INPUT);
        assertThat(chunk.size(0)).isEqualTo(BsonType.MAX_DOCUMENT);
        DocumentReader reader = reader(Documents.int32(BsonType.MAX_DOCUMENT + 1));
        assertThatThrownBy(() -> reader.fill(chunk, 0)).isInstanceOf(BsonException.class);
    }

    @Test
    void emptyInputHasNoDocuments() throws IOException {
        Chunk chunk = new Chunk(CAPACITY);
        assertThat(reader().fill(chunk, 0)).isEqualTo(DocumentSource.End.INPUT);
        assertThat(chunk.count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, BsonType.MAX_DOCUMENT + 1})
    void reportsAnInvalidLengthAndItsOffsetAfterTheDocumentsBeforeIt(int length) throws IOException {
        DocumentReader reader = reader(Documents.sized(1, 50), Documents.int32(length), Documents.sized(2, 100));
        Chunk chunk = new Chunk(CAPACITY);
        assertThat(reader.fill(chunk, 0)).isEqualTo(DocumentSource.End.FULL);
        assertThat(chunk.count()).isEqualTo(1);
        assertThatThrownBy(() -> reader.fill(chunk, 1))
                .hasMessage("test at byte 50: expected a document's length of 5 to 16793600, found " + length);
    }

    @Test
    void reportsInputThatEndsWithinADocument() throws IOException {
        byte[] cut = Arrays.copyOf(Documents.sized(2, 60), 40);
        DocumentReader reader = reader(Documents.sized(1, 50), cut);
        Chunk chunk = new Chunk(CAPACITY);
        reader.fill(chunk, 0);
        BsonException fault = catchThrowableOfType(BsonException.class, () -> reader.fill(chunk, 1));
        assertThat(fault.offset()).isEqualTo(50);
        assertThat(fault)
                .hasMessage("test at byte 50: expected a document of 60 bytes, found the end of the input after 40");
    }

    @Test
    void reportsInputThatEndsWithinALength() {
        DocumentReader reader = reader(new byte[] {5, 0, 0});
        assertThatThrownBy(() -> reader.fill(new Chunk(CAPACITY), 0))
                .hasMessage("test at byte 0: expected a length of 4 bytes, found the end of the input after 3");
    }

    @Test
    void documentWithoutTerminatorIsAFault() {
        byte[] document = Documents.sized(1, 50);
        document[49] = 1;
        assertThatThrownBy(() -> reader(document).fill(new Chunk(CAPACITY), 0))
                .hasMessageContaining(
                        "at byte 49: expected the zero byte that ends the document begun at byte 0, found 0x01");
    }

    @Test
    void readErrorNamesTheInput() {
        InputStream in = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] target, int at, int count) throws IOException {
                throw new IOException("the disk is gone");
            }
        };
        DocumentReader reader = new DocumentReader(new InputWindow(in, "test"), CAPACITY);
        assertThatThrownBy(() -> reader.fill(new Chunk(CAPACITY), 0))
                .isInstanceOf(BsonException.class)
                .hasMessage("test at byte 0: expected readable input, found the disk is gone")
                .hasCauseInstanceOf(IOException.class);
    }
}
