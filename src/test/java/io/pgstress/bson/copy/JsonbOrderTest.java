package io.pgstress.bson.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.RandomDocuments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonJavaScriptWithScope;
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

    private boolean isDistinct(Consumer<BsonWriter> fields) {
        ByteSink sink = new ByteSink(1 << 10);
        BsonWriter writer = new BsonWriter(sink).document();
        fields.accept(writer);
        writer.end();
        assertThat(order.order(sink.array(), 0, sink.length())).isTrue();
        return order.hasDistinctKeys();
    }

    @Test
    void keysThatAreThereOnceAreKnownToBe() {
        String longKey = "a long key, more than the rank holds";
        assertThat(isDistinct(w -> w.int32("a", 1).int32("b", 2).int32("ab", 3)))
                .isTrue();
        assertThat(isDistinct(w -> w.int32(longKey + 1, 1).int32(longKey + 2, 2)))
                .isTrue();
        assertThat(isDistinct(w -> w.int32("a", 1).document("b").int32("a", 1).end()))
                .isTrue();
        assertThat(isDistinct(w -> w.array("a").int32("", 1).int32("", 2).end()))
                .isTrue();
    }

    @Test
    void keysThatAreThereTwiceAreNotTakenForDistinct() {
        String longKey = "a long key, more than the rank holds";
        assertThat(isDistinct(w -> w.int32("a", 1).int32("b", 2).int32("a", 3))).isFalse();
        assertThat(isDistinct(w -> w.int32("", 1).int32("", 3))).isFalse();
        assertThat(isDistinct(w -> w.int32(longKey, 1).int32("b", 2).int32(longKey, 3)))
                .isFalse();
        assertThat(isDistinct(w -> w.int32("a", 1)
                        .document("b")
                        .int32("c", 1)
                        .int32("c", 1)
                        .end()))
                .isFalse();
        assertThat(isDistinct(w -> w.array("a")
                        .document("0")
                        .int32("c", 1)
                        .int32("c", 1)
                        .end()
                        .end()))
                .isFalse();
    }

    /** What is not put in order is not looked at. */
    @Test
    void keysThatWereNotSeenAreNotTakenForDistinct() {
        assertThat(isDistinct(w -> {
                    for (int i = 0; i < 80; i++) {
                        w.int32("k" + i, i);
                    }
                }))
                .isFalse();
        assertThat(isDistinct(w -> {
                    for (int i = 0; i < 40; i++) {
                        w.document("in");
                    }
                    w.int32("a", 1).int32("a", 2);
                    for (int i = 0; i < 40; i++) {
                        w.end();
                    }
                }))
                .isFalse();
        byte[] scoped = RandomDocuments.bytes(new BsonDocument(
                "a",
                new BsonArray(List.of(new BsonJavaScriptWithScope("f", new BsonDocument("x", new BsonInt32(1)))))));
        assertThat(order.order(scoped, 0, scoped.length)).isTrue();
        assertThat(order.hasDistinctKeys()).isFalse();
    }

    @Test
    void whatIsNotSoundIsLeftAlone() {
        byte[] bytes = RandomDocuments.bytes(new BsonDocument("a", new BsonInt32(1)));
        bytes[4] = 0x55;
        assertThat(order.order(bytes, 0, bytes.length)).isFalse();
        assertThat(order.order(bytes, 0, bytes.length - 1)).isFalse();
    }
}
