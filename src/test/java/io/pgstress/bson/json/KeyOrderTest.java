package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** Sorts keys in jsonb's order. */
class KeyOrderTest {
    private static final String LONG_KEY = "a long key, more than the rank holds";

    private final DocumentConverter converter = new DocumentConverter(JsonOptions.of(ExtendedJson.CANONICAL));
    private final KeyOrder order = new KeyOrder(false);

    private String json(byte[] bytes) {
        ByteSink out = new ByteSink(16);
        assertThat(converter.convertOrdered(bytes, 0, bytes.length, out)).isTrue();
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    private BsonDocument ordered(BsonDocument document) {
        return BsonDocument.parse(json(RandomDocuments.bytes(document)));
    }

    @Test
    void sortsKeysByLengthThenByBytes() {
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
    void orderingChangesNothingElse() {
        RandomDocuments documents = new RandomDocuments(7);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = RandomDocuments.bytes(documents.next());
            ByteSink plain = new ByteSink(16);
            assertThat(converter.convert(bytes, 0, bytes.length, plain)).isTrue();

            BsonDocument ordered = BsonDocument.parse(json(bytes));

            assertThat(ordered).isEqualTo(BsonDocument.parse(new String(plain.toByteArray(), StandardCharsets.UTF_8)));
            assertThat(new ArrayList<>(ordered.keySet()))
                    .isSortedAccordingTo(Comparator.comparing(key -> key.getBytes(StandardCharsets.UTF_8).length));
        }
    }

    @Test
    void objectWithManyKeysStaysUnsortedButNestedOnesAreSorted() {
        BsonDocument document = new BsonDocument();
        BsonValue inner = BsonDocument.parse("{bb: 1, a: [{dd: 1, c: 2}]}");
        for (int i = 100; i > 0; i--) {
            document.append("k" + i, inner);
        }

        BsonDocument ordered = ordered(document);

        assertThat(ordered.keySet()).containsExactlyElementsOf(document.keySet());
        assertThat(ordered.getDocument("k7").toJson()).isEqualTo("{\"a\": [{\"c\": 2, \"dd\": 1}], \"bb\": 1}");
    }

    /**
     * Nested objects, each with the maximum number of keys to sort. Those beyond the total limit stay unsorted and complete.
     */
    @Test
    void deepAndWideDocumentStaysComplete() {
        ByteSink sink = new ByteSink(1 << 10);
        BsonWriter writer = new BsonWriter(sink).document();
        int depth = 400;
        for (int i = 0; i < depth; i++) {
            for (int key = 60; key > 0; key--) {
                writer.int32("k" + key, key);
            }
            writer.document("nested");
        }
        for (int i = 0; i <= depth; i++) {
            writer.end();
        }
        DocumentConverter deep = new DocumentConverter(new JsonOptions(
                ExtendedJson.RELAXED, NulPolicy.REJECT, Utf8Policy.REJECT, DuplicateKeyPolicy.REJECT, 1_000));
        ByteSink plain = new ByteSink(16);
        ByteSink ordered = new ByteSink(16);

        assertThat(deep.convert(sink.array(), 0, sink.length(), plain)).isTrue();
        assertThat(deep.convertOrdered(sink.array(), 0, sink.length(), ordered)).isTrue();

        String text = new String(ordered.toByteArray(), StandardCharsets.UTF_8);
        assertThat(text.substring(0, 14)).isEqualTo("{\"k1\":1,\"k2\":2");
        assertThat(text.substring(text.length() - depth - 1)).isEqualTo("}".repeat(depth + 1));
        assertThat(ordered.length()).isEqualTo(plain.length());
        assertThat(text).isNotEqualTo(new String(plain.toByteArray(), StandardCharsets.UTF_8));
    }

    private boolean isDistinct(Consumer<BsonWriter> fields) {
        ByteSink sink = new ByteSink(1 << 10);
        BsonWriter writer = new BsonWriter(sink).document();
        fields.accept(writer);
        writer.end();
        assertThat(order.enter(sink.array(), 4, sink.length() - 1)).isTrue();
        return order.isDistinct();
    }

    @Test
    void repeatedKeysAreNotDistinct() {
        assertThat(isDistinct(w -> w.int32("a", 1).int32("b", 2).int32("ab", 3)))
                .isTrue();
        assertThat(isDistinct(w -> w.int32(LONG_KEY + 1, 1).int32(LONG_KEY + 2, 2)))
                .isTrue();
        assertThat(isDistinct(w -> w.int32("a", 1).int32("b", 2).int32("a", 3))).isFalse();
        assertThat(isDistinct(w -> w.int32("", 1).int32("", 3))).isFalse();
        assertThat(isDistinct(w -> w.int32(LONG_KEY, 1).int32("b", 2).int32(LONG_KEY, 3)))
                .isFalse();
    }

    @Test
    void malformedObjectStaysUnsorted() {
        byte[] bytes = RandomDocuments.bytes(new BsonDocument("a", new BsonInt32(1)));
        bytes[4] = 0x55;

        assertThat(order.enter(bytes, 4, bytes.length - 1)).isFalse();
        assertThat(order.used()).isZero();
        assertThat(converter.convertOrdered(bytes, 0, bytes.length, new ByteSink(16)))
                .isFalse();
    }
}
