package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource.End;
import io.pgstress.bson.Documents;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.InputWindow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of JSON text: where each begins and ends, and what ends the input. */
final class JsonDocumentReaderTest {
    private static final IdJson IDS = new IdJson();

    /** An input that gives a byte at a time. */
    private static InputWindow window(byte[] bytes) {
        InputStream in = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int at, int count) {
                return super.read(to, at, Math.min(1, count));
            }
        };
        return new InputWindow(in, "x.json", 64);
    }

    private static InputWindow window(String text) {
        return window(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The ids, each with its line and byte; of rejected documents the line alone. */
    private static List<String> documents(String text) throws IOException {
        List<String> found = new ArrayList<>();
        JsonDocumentReader reader = new JsonDocumentReader(window(text), 40);
        Chunk chunk = new Chunk(40);
        End end = End.FULL;
        while (end == End.FULL) {
            end = reader.fill(chunk, found.size());
            chunk.parse();
            for (int i = 0; i < chunk.count(); i++) {
                String id = IDS.of(chunk.array(), chunk.start(i), chunk.size(i));
                found.add(
                        chunk.reject(i) == null
                                ? id + " line " + chunk.line(i) + " byte " + chunk.offset(i)
                                : "rejected line " + chunk.line(i));
            }
        }
        return found;
    }

    @Test
    void linesAndArraysAreTheSameDocuments() throws IOException {
        String one = "{\"$numberInt\":\"1\"} line ";
        assertThat(documents("{\"_id\":1}\n{\"_id\":1}\n")).containsExactly(one + "1 byte 0", one + "2 byte 10");
        assertThat(documents("\ufeff \n{\"_id\":1,\n \"s\": \"}{\\\"\\\\\"}\r\n\r\n{\"_id\":1}"))
                .containsExactly(one + "2 byte 5", one + "5 byte 34");
        assertThat(documents("[{\"_id\":1},{\"_id\":1}]")).containsExactly(one + "1 byte 1", one + "1 byte 11");
        assertThat(documents(" [\n{\"_id\":1}\n, {\"_id\":1} ]\n")).hasSize(2);
        assertThat(documents("[]")).isEmpty();
        assertThat(documents("[ ]\n")).isEmpty();
        assertThat(documents("{}")).containsExactly(" line 1 byte 0");
    }

    @Test
    void documentThatIsNoExtendedJsonIsRejectedAndTheNextIsRead() throws IOException {
        assertThat(documents("{\"_id\":1,}\n{\"_id\":{\"$oid\":\"x\"}}\n{\"_id\":2}\n"))
                .containsExactly("rejected line 1", "rejected line 2", "{\"$numberInt\":\"2\"} line 3 byte 32");
    }

    /** An empty document stands for it in the chunk, which nobody takes for a document of the input. */
    @Test
    void rejectedDocumentKeepsItsText() throws IOException {
        String rejected = "{\"_id\":1,\n \"x\": truth, \"y\": \"\u00e9\"}";
        Chunk chunk = new Chunk(100);
        new JsonDocumentReader(window("{\"_id\":7}" + rejected + "{\"_id\":8}"), 100).fill(chunk, 0);
        long sum = chunk.checksum(1, 2);
        chunk.parse();

        assertThat(chunk.reject(1)).extracting(Reject::offset).isEqualTo(rejected.indexOf("truth"));
        assertThat(new String(chunk.text(1), StandardCharsets.UTF_8)).isEqualTo(rejected);
        assertThat(chunk.size(1)).isEqualTo(5);
        assertThat(chunk.checksum(1, 2)).isEqualTo(sum);
        assertThat(IDS.of(chunk.array(), chunk.start(2), chunk.size(2))).isEqualTo("{\"$numberInt\":\"8\"}");
    }

    /** Documents of ASCII share a parser, which those in between end. */
    @Test
    void documentsDoNotDependOnThoseBefore() throws IOException {
        String faulty = "{\"_id\":4, \"x\": [1,2,]}";
        String text =
                "{\"_id\":1}{\"_id\":2}\n{\"_id\":\"\u00e9\"}{\"_id\":3}" + faulty + faulty + "{\"_id\":5} {\"_id\":6}";
        Chunk chunk = new Chunk(200);
        new JsonDocumentReader(window(text), 200).fill(chunk, 0);
        chunk.parse();

        assertThat(IntStream.range(0, chunk.count())
                        .filter(i -> chunk.reject(i) == null)
                        .mapToObj(i -> IDS.of(chunk.array(), chunk.start(i), chunk.size(i))))
                .containsExactly(
                        "{\"$numberInt\":\"1\"}",
                        "{\"$numberInt\":\"2\"}",
                        "\"\u00e9\"",
                        "{\"$numberInt\":\"3\"}",
                        "{\"$numberInt\":\"5\"}",
                        "{\"$numberInt\":\"6\"}");
        for (int i = 4; i <= 5; i++) {
            assertThat(chunk.reject(i)).extracting(Reject::offset).isEqualTo(faulty.indexOf(']'));
        }
    }

    /** A chunk that is used again may have BSON in it. */
    @Test
    void discardedChunkHasNothingOfItsText() throws IOException {
        Chunk chunk = new Chunk(100);
        new JsonDocumentReader(window("{\"_id\":1,}{}"), 100).fill(chunk, 0);
        chunk.parse();
        byte[] bson = Documents.concat(Documents.sized(1, 30), Documents.sized(2, 40));

        new DocumentReader(new InputWindow(new ByteArrayInputStream(bson), "x.bson"), 100).fill(chunk, 5);
        chunk.parse();

        assertThat(chunk.count()).isEqualTo(2);
        assertThat(chunk.reject(0)).isNull();
        assertThat(chunk.text(0)).isNull();
        assertThat(chunk.offset(1)).isEqualTo(30);
        assertThat(chunk.line(1)).isZero();
        assertThat(chunk.size(1)).isEqualTo(40);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'_id':1}~{'_id':2, 's':'x | in line 2 at byte 10: expected a document up to its closing brace, found the end of the input",
                "{'_id':1}~{'_id':2, 's':'x~{'_id':3}~ | in line 2 at byte 26: expected the quote that ends a string, found the end of the line",
                "{'_id':1},~{'_id':2} | in line 1 at byte 9: expected a document, found text:",
                "{'_id':1}~exported 1 record~ | in line 2 at byte 10: expected a document, found text: \"exported 1 record",
                "{'_id':1}~5~ | in line 2 at byte 10: expected a document, found text: \"5",
                "[{'_id':1},~] | in line 2 at byte 12: expected a document after the comma, found text: \"]\"",
                "[{'_id':1} {'_id':2}] | in line 1 at byte 11: expected a comma, or the bracket that ends the array, found text",
                "[{'_id':1} | in line 1 at byte 10: expected a comma, or the bracket that ends the array, found the end of the input",
                "[{'_id':1},5] | in line 1 at byte 11: expected a document, found text",
                "[{'_id':1}]~{'_id':2} | in line 2 at byte 12: expected the end of the input after the array, found text"
            })
    void brokenInputEndsWithLineAndByteAfterTheDocumentsBefore(String text, String message) throws IOException {
        String json = text.replace('\'', '"').replace('~', '\n');
        JsonDocumentReader reader = new JsonDocumentReader(window(json), 100);
        Chunk chunk = new Chunk(100);

        assertThat(reader.fill(chunk, 0)).isEqualTo(End.FULL);
        assertThat(chunk.count()).isEqualTo(1);
        assertThatThrownBy(() -> reader.fill(chunk, 1)).hasMessageStartingWith("x.json " + message);
    }

    @Test
    void sameInputAlwaysGivesTheSameChunks() throws IOException {
        String text = IntStream.range(0, 500)
                .mapToObj(i -> "{\"_id\":" + i + ",\"s\":\"" + "x".repeat(i % 37) + "\"}")
                .collect(Collectors.joining("\n"));

        assertThat(counts(window(text)))
                .isEqualTo(counts(
                        new InputWindow(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "x.json")));
    }

    private static List<Integer> counts(InputWindow in) throws IOException {
        List<Integer> counts = new ArrayList<>();
        JsonDocumentReader reader = new JsonDocumentReader(in, 1_000);
        Chunk chunk = new Chunk(1_000);
        End end = End.FULL;
        while (end == End.FULL) {
            end = reader.fill(chunk, 0);
            counts.add(chunk.count());
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"a\":1}", "[{", " \r\n\t{ \"", "\ufeff[ ]", "[\n\n{\"a\"", "{\n  \"_id\""})
    void beginsLikeJson(String text) throws IOException {
        assertThat(JsonDocumentReader.begins(window(text))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[2024-01-01] log", "{ _id: ObjectId('x') }", "[1]", "\"a\"", "_id,n", "  "})
    void otherTextDoesNot(String text) throws IOException {
        assertThat(JsonDocumentReader.begins(window(text))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7b, 0x5b, 0x227b, 0x7d7b, 0x7b5b, 0x5d5b, 0x7b20, 0x22207b, 0x0a0a7b})
    void bsonWhoseLengthLooksLikeJsonIsBson(int size) throws IOException {
        assertThat(JsonDocumentReader.begins(
                        new InputWindow(new ByteArrayInputStream(Documents.sized(1, size)), "x.bson")))
                .isFalse();
    }
}
