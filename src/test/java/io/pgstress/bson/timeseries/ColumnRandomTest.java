package io.pgstress.bson.timeseries;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random values, encoded by the tests' own encoder. */
final class ColumnRandomTest {
    private static final int[] TYPES = {
        BsonType.DOUBLE,
        BsonType.STRING,
        BsonType.BINARY,
        BsonType.OBJECT_ID,
        BsonType.BOOLEAN,
        BsonType.DATE,
        BsonType.NULL,
        BsonType.CODE,
        BsonType.INT32,
        BsonType.TIMESTAMP,
        BsonType.INT64,
        BsonType.DECIMAL128,
        BsonType.MIN_KEY
    };

    private final Random random = new Random(7);
    private final Encoder encoder = new Encoder(random);

    private Value value(int type) {
        int bits = 1 + random.nextInt(64);
        long number = random.nextLong() >> (64 - bits);
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return switch (type) {
            case BsonType.DOUBLE ->
                Value.of(random.nextInt(3) == 0 ? Double.longBitsToDouble(random.nextLong()) : (number >> 20) / 100.0);
            case BsonType.STRING, BsonType.CODE ->
                Value.string(
                        type,
                        ("t" + (number & 0xffff)).repeat(1 + random.nextInt(4)).getBytes(StandardCharsets.UTF_8));
            case BsonType.BINARY -> Value.binary(random.nextInt(2), bytes);
            case BsonType.OBJECT_ID -> {
                ByteBuffer id = ByteBuffer.allocate(12).putInt((int) number).putLong(random.nextInt(3));
                yield new Value(type, id.array());
            }
            case BsonType.DECIMAL128 ->
                new Value(
                        type,
                        ByteBuffer.allocate(16)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putLong(number)
                                .putLong(random.nextInt(5))
                                .array());
            case BsonType.NULL, BsonType.MIN_KEY -> new Value(type, new byte[0]);
            case BsonType.BOOLEAN -> Value.of(type, number & 1);
            default -> Value.of(type, number);
        };
    }

    /** Values mostly of one type, with runs of equal ones. */
    private List<@Nullable Value> values(int count, int type) {
        List<@Nullable Value> values = new ArrayList<>();
        while (values.size() < count) {
            int kind = random.nextInt(40) == 0 ? TYPES[random.nextInt(TYPES.length)] : type;
            @Nullable Value next = random.nextInt(8) == 0 ? null : value(kind);
            int run = random.nextInt(20) == 0 ? 1 + random.nextInt(800) : 1;
            for (int i = 0; i < run && values.size() < count; i++) {
                values.add(next);
            }
        }
        return values;
    }

    @Test
    void readsRandomValuesOfAllTypes() throws Exception {
        for (int round = 0; round < 40; round++) {
            for (int type : TYPES) {
                List<@Nullable Value> values = values(random.nextInt(400), type);
                assertThat(ColumnTest.decode(encoder.column(values))).isEqualTo(values);
            }
        }
    }

    @Test
    void damagedColumnGivesValuesOrAFault() {
        for (int round = 0; round < 20_000; round++) {
            byte[] column = encoder.column(values(20, TYPES[round % TYPES.length]));
            if (round % 3 == 0) {
                column[0] = (byte) (0xf0 + random.nextInt(3));
            }
            for (int i = random.nextInt(3); i >= 0; i--) {
                column[random.nextInt(column.length)] = (byte) random.nextInt(256);
            }
            Column reader = new Column(column, 0, random.nextInt(column.length + 1));
            try {
                for (int rows = 0; rows < 10_000 && reader.next(); rows++) {
                    Element element = reader.value();
                    assertThat(element == null || element.length() >= 0).isTrue();
                }
            } catch (ColumnException e) {
                assertThat(e).hasMessageMatching("[a-z0-9A-Z ,()]+");
            }
        }
    }

    @Test
    void readsRandomInterleavedObjects() throws Exception {
        for (int round = 0; round < 200; round++) {
            int count = 1 + random.nextInt(150);
            Map<String, Object> reference = reference(2);
            List<Value> states = new ArrayList<>();
            leaves(reference, states);
            List<List<@Nullable Value>> fields = new ArrayList<>();
            for (Value state : states) {
                fields.add(values(count, state.type()));
            }
            boolean array = random.nextInt(4) == 0;
            List<@Nullable Value> before = values(random.nextInt(5), BsonType.INT32);
            List<@Nullable Value> expected = new ArrayList<>(before);
            for (int i = 0; i < count; i++) {
                int row = i;
                byte[] object =
                        build(reference, fields.stream().map(f -> f.get(row)).iterator());
                boolean missing = object.length == 5;
                expected.add(missing ? null : new Value(array ? BsonType.ARRAY : BsonType.DOCUMENT, object));
            }
            List<@Nullable Value> after = new ArrayList<>();
            after.add(expected.get(expected.size() - 1));
            after.addAll(values(5, BsonType.STRING));
            expected.addAll(after);

            byte[] column =
                    column(before, interleaved(reference, states, fields, count, array), after, expected, count);
            assertThat(ColumnTest.decode(column)).isEqualTo(expected);
        }
    }

    private byte[] column(
            List<@Nullable Value> before,
            byte[] objects,
            List<@Nullable Value> after,
            List<@Nullable Value> expected,
            int count) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        encoder.parts(before, null).forEach(part -> out.writeBytes(part.bytes()));
        out.writeBytes(objects);
        encoder.parts(after, expected.get(before.size() + count - 1)).forEach(part -> out.writeBytes(part.bytes()));
        out.write(0);
        return out.toByteArray();
    }

    /** A reference object: names with values or objects; at least one value. */
    private Map<String, Object> reference(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            boolean object = depth > 0 && i > 0 && random.nextInt(2) == 0;
            fields.put("f" + i, object ? reference(depth - 1) : value(TYPES[random.nextInt(TYPES.length)]));
        }
        return fields;
    }

    @SuppressWarnings("unchecked")
    private static void leaves(Map<String, Object> fields, List<Value> into) {
        for (Object each : fields.values()) {
            if (each instanceof Value value) {
                into.add(value);
            } else {
                leaves((Map<String, Object>) each, into);
            }
        }
    }

    /** The object with these values at the places of the reference object's; without objects that have none. */
    @SuppressWarnings("unchecked")
    private static byte[] build(Map<String, Object> reference, java.util.Iterator<@Nullable Value> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        reference.forEach((name, each) -> {
            @Nullable Value value;
            if (each instanceof Value) {
                value = values.next();
            } else {
                byte[] object = build((Map<String, Object>) each, values);
                value = object.length == 5 ? null : new Value(BsonType.DOCUMENT, object);
            }
            if (value != null) {
                out.write(value.type());
                out.writeBytes(name.getBytes(StandardCharsets.UTF_8));
                out.write(0);
                out.writeBytes(value.bytes());
            }
        });
        byte[] fields = out.toByteArray();
        ByteBuffer all = ByteBuffer.allocate(fields.length + 5).order(ByteOrder.LITTLE_ENDIAN);
        return all.putInt(fields.length + 5).put(fields).array();
    }

    private byte[] interleaved(
            Map<String, Object> reference,
            List<Value> states,
            List<List<@Nullable Value>> fields,
            int count,
            boolean array) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(array ? 0xf2 : random.nextBoolean() ? 0xf1 : 0xf0);
        out.writeBytes(build(reference, new ArrayList<@Nullable Value>(states).iterator()));
        List<List<Encoder.Part>> parts = new ArrayList<>();
        for (int f = 0; f < states.size(); f++) {
            parts.add(encoder.parts(fields.get(f), states.get(f)));
        }
        int[] left = new int[states.size()];
        int[] next = new int[states.size()];
        for (int i = 0; i < count; i++) {
            for (int f = 0; f < states.size(); f++) {
                if (left[f] == 0) {
                    Encoder.Part part = parts.get(f).get(next[f]++);
                    out.writeBytes(part.bytes());
                    left[f] = part.values();
                }
                left[f]--;
            }
        }
        assertThat(Arrays.stream(left).sum()).isZero();
        out.write(0);
        return out.toByteArray();
    }
}
