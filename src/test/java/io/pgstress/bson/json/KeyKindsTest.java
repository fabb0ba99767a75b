package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

class KeyKindsTest {
    private static final BsonValue INT = new BsonInt32(1);
    private static final BsonValue LONG = new BsonInt64(1);
    private static final BsonValue DOUBLE = new BsonDouble(0.5);
    private static final BsonValue OBJECT_ID = new BsonObjectId();
    private static final BsonValue UUID_VALUE = new BsonBinary(new UUID(1, 2));
    private static final BsonValue STRING = new BsonString("x");
    private static final BsonValue DATE = new BsonDateTime(0);

    private static void see(BsonDocument document, KeyKinds kinds) {
        byte[] bytes = RandomDocuments.bytes(document);
        new KeyFinder().see(bytes, 0, bytes.length, kinds);
    }

    private static KeyForm form(BsonValue... ids) {
        KeyKinds kinds = new KeyKinds();
        for (BsonValue id : ids) {
            see(new BsonDocument("a", new BsonInt32(3)).append("_id", id), kinds);
        }
        return kinds.form();
    }

    @Test
    void columnIsAsNarrowAsItsKeysAllow() {
        assertThat(form(INT, INT)).isEqualTo(KeyForm.INT);
        assertThat(form(LONG)).isEqualTo(KeyForm.BIGINT);
        assertThat(form(INT, LONG)).isEqualTo(KeyForm.BIGINT);
        assertThat(form(DOUBLE)).isEqualTo(KeyForm.NUMERIC);
        assertThat(form(INT, DOUBLE, LONG)).isEqualTo(KeyForm.NUMERIC);
        assertThat(form(OBJECT_ID, OBJECT_ID)).isEqualTo(KeyForm.TEXT);
        assertThat(form(STRING)).isEqualTo(KeyForm.TEXT);
        assertThat(form(UUID_VALUE)).isEqualTo(KeyForm.UUID);
        assertThat(form(DATE)).isEqualTo(KeyForm.TIMESTAMPTZ);
        assertThat(form()).isEqualTo(KeyForm.TEXT);
    }

    @Test
    void lastOfRepeatedIdsCounts() {
        ByteSink twice = new ByteSink(100);
        new BsonWriter(twice)
                .document()
                .int32("_id", 1)
                .int32("n", 2)
                .bool("_id", true)
                .end();
        KeyKinds kinds = new KeyKinds();
        new KeyFinder().see(twice.array(), 0, twice.length(), kinds);
        assertThat(kinds.form()).isEqualTo(form(BsonBoolean.TRUE)).isNotEqualTo(form(INT));
    }

    @Test
    void keysOfSeveralKindsBecomeJsonText() {
        assertThat(form(OBJECT_ID, STRING)).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(INT, STRING)).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(DATE, LONG)).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(new BsonDocument("a", INT))).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(BsonNull.VALUE)).isEqualTo(KeyForm.TEXT_OF_JSON);
    }

    @Test
    void valueOutsideTheTypesRangeIsOfAnotherKind() {
        assertThat(form(new BsonDouble(Double.NaN))).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(new BsonDouble(Double.POSITIVE_INFINITY), INT)).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(new BsonBinary((byte) 3, new byte[16]))).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(new BsonBinary((byte) 4, new byte[15]))).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(new BsonDateTime(Long.MAX_VALUE))).isEqualTo(KeyForm.TEXT_OF_JSON);
        assertThat(form(new BsonDateTime(-210_866_803_200_000L))).isEqualTo(KeyForm.TIMESTAMPTZ);
        assertThat(form(new BsonDateTime(-210_866_803_200_001L))).isEqualTo(KeyForm.TEXT_OF_JSON);
    }

    @Test
    void orderAndMergingMakeNoDifference() {
        List<BsonValue> ids = new ArrayList<>(List.of(INT, LONG, DOUBLE, INT));
        Random random = new Random(1);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(ids, random);
            KeyKinds left = new KeyKinds();
            KeyKinds right = new KeyKinds();
            for (int k = 0; k < ids.size(); k++) {
                see(new BsonDocument("_id", ids.get(k)), random.nextBoolean() ? left : right);
            }
            left.merge(right);
            assertThat(left.form()).isEqualTo(KeyForm.NUMERIC);
            assertThat(left.kinds()).containsExactly(KeyKind.INT, KeyKind.LONG, KeyKind.DOUBLE);
        }
    }

    @Test
    void idOfANestedDocumentDoesNotCount() {
        byte[] bytes = RandomDocuments.bytes(new BsonDocument("a", new BsonDocument("_id", INT)).append("_idx", INT));
        assertThat(new KeyFinder().find(bytes, 0, bytes.length)).isFalse();
    }
}
