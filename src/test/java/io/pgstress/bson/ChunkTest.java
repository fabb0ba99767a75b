package io.pgstress.bson;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Fault.Reject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A chunk is used again and again: nothing of its former documents stays. */
final class ChunkTest {
    private static final Reject WHY = new Reject(Fault.INVALID_JSON, 0, "odd");

    private final Chunk chunk = new Chunk(64);

    /** Makes a document of each text, except of the empty ones. */
    private static final class Parser implements Chunk.Parser {
        @Override
        public void begin(byte[] text, int length) {}

        @Override
        public @Nullable Reject parse(int from, int to, boolean onlyId, ByteSink sink) {
            if (to - from == 1) {
                return WHY;
            }
            sink.put(Documents.sized(to - from, 40));
            return null;
        }

        @Override
        public void end() {}
    }

    private void parse(int... sizes) {
        for (int size : sizes) {
            chunk.addText(new byte[size], size, 0, 1, new Parser());
        }
        chunk.parse();
    }

    @Test
    void rejectsAreThoseOfItsPresentDocuments() {
        chunk.restart(64, 0, 0);
        parse(2, 1, 3);
        assertThat(chunk.reject(0)).isNull();
        assertThat(chunk.reject(1)).isEqualTo(WHY);
        assertThat(chunk.reject(2)).isNull();

        chunk.restart(64, 3, 100);
        parse(1, 2);
        assertThat(chunk.reject(0)).isEqualTo(WHY);
        assertThat(chunk.reject(1)).isNull();
    }

    /** As of several inputs of one import, the first of which is JSON. */
    @Test
    void documentsOfBsonFollowThoseOfText() {
        chunk.restart(64, 0, 0);
        parse(1, 2);
        byte[] document = Documents.sized(7, 50);

        chunk.restart(64, 0, 1000);
        System.arraycopy(document, 0, chunk.add(document.length), 0, document.length);
        chunk.parse();

        assertThat(chunk.isText()).isFalse();
        assertThat(chunk.count()).isOne();
        assertThat(chunk.reject(0)).isNull();
        assertThat(chunk.text(0)).isNull();
        assertThat(chunk.offset(0)).isEqualTo(1000);
        assertThat(chunk.size(0)).isEqualTo(50);
        assertThat(chunk.array()).startsWith(document);
    }
}
