package io.pgstress.bson.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.RandomDocuments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

/** Documents with their keys in jsonb's order. */
class JsonbOrderTest {
    private final JsonbOrder order = new JsonbOrder(false);

    private RawBsonDocument ordered(BsonDocument document) {
        byte[] bytes = RandomDocuments.bytes(document);
        assertThat(order.order(bytes, 0, bytes.length)).isTrue();
        return new RawBsonDocument(Arrays.copyOf(order.ordered(), bytes.length));
    }

    @Test
    void shorterKeysComeFirstThenByTheirBytes() {
        List<String> keys = List.of(
                "b",
                "",
                "a",
                "\u00e9",
                "zz",
                "ab",
                "aaaaaaaab",
                "aaaaaaaaa",
                "aaaaaaab",
                "k".repeat(200),
                "j".repeat(201));
        BsonDocument document = new BsonDocument();
        BsonDocument inner = new BsonDocument();
        keys.forEach(key -> inner.append(key, new BsonInt32(keys.indexOf(key))));
        document.append("twice", new BsonDocument("in", inner)).append("_id", new BsonInt32(1));

        List<String> found = new ArrayList<>(
                ordered(document).getDocument("twice").getDocument("in").keySet());

        assertThat(found)
                .containsExactly(
                        "",
                        "a",
                        "b",
                        "ab",
                        "zz",
                        "\u00e9",
                        "aaaaaaab",
                        "aaaaaaaaa",
                        "aaaaaaaab",
                        "k".repeat(200),
                        "j".repeat(201));
        assertThat(ordered(document).keySet()).containsExactly("_id", "twice");
    }

    @Test
    void nothingElseChanges() {
        RandomDocuments documents = new RandomDocuments(7);
        for (int i = 0; i < 2_000; i++) {
            BsonDocument document = documents.next();
            RawBsonDocument ordered = ordered(document);
            assertThat(ordered).isEqualTo(document);
            assertThat(new ArrayList<>(ordered.keySet()))
                    .isSortedAccordingTo(
                            Comparator.comparing(key -> key.getBytes(java.nio.charset.StandardCharsets.UTF_8).length));
        }
    }

    @Test
    void manyKeysStayAsTheyAreAndWhatIsInThemIsOrdered() {
        BsonDocument document = new BsonDocument();
        BsonValue inner = BsonDocument.parse("{bb: 1, a: [{dd: 1, c: 2}]}");
        for (int i = 100; i > 0; i--) {
            document.append("k" + i, inner);
        }

        RawBsonDocument ordered = ordered(document);

        assertThat(ordered.keySet()).containsExactlyElementsOf(document.keySet());
        assertThat(ordered.getDocument("k7").toJson()).isEqualTo("{\"a\": [{\"c\": 2, \"dd\": 1}], \"bb\": 1}");
    }

    @Test
    void whatIsNotSoundIsLeftAlone() {
        byte[] bytes = RandomDocuments.bytes(new BsonDocument("a", new BsonInt32(1)));
        bytes[4] = 0x55;
        assertThat(order.order(bytes, 0, bytes.length)).isFalse();
        assertThat(order.order(bytes, 0, bytes.length - 1)).isFalse();
    }
}
