package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.FieldPath;
import io.pgstress.bson.copy.FieldType;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.importer.table.ColumnCounts.ColumnSummary;
import io.pgstress.importer.table.ColumnOptions;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnSpec;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Generated columns, which the server computes from {@code data}, have the values that the import finds in the documents. */
@Slow
final class ColumnValuesTest {
    private static final int DOCUMENTS = 1_000;

    private static final List<String> PATHS = List.of("v", "a.b", "l.1", "l.1.b", "o d\"d's\\.x.é");
    private static final long[] DECIMAL_EXPONENTS = {0, -6176, 6111, -1, -3, 2, 300, -310, -330, 308};

    @TempDir
    private Path directory;

    private final Random random = new Random(22);

    @ParameterizedTest
    @EnumSource(ExtendedJson.class)
    void columnsHaveTheValuesOfTheDocuments(ExtendedJson form) throws Exception {
        String url = TestServer.freshDatabase("column_values");
        Path dump = new Imports(url, directory).write("v", documents(DOCUMENTS));
        List<ColumnSpec> specs = new ArrayList<>();
        for (String path : PATHS) {
            for (FieldType type : FieldType.values()) {
                String name = type.name().toLowerCase(Locale.ROOT) + PATHS.indexOf(path);
                specs.add(new ColumnSpec("", name, new FieldPath(List.of(path.split("\\."))), type, false));
            }
        }
        Imports imports = new Imports(url, directory);
        imports.json = JsonOptions.of(form);
        imports.columns = new ColumnOptions(specs, Misfit.NULL);
        imports.verify = true;
        ImportSummary.CollectionSummary summary = imports.one(dump);
        assertThat(summary.fault()).isEmpty();
        assertThat(summary.rejects()).isEmpty();

        for (ColumnSummary column : summary.columns()) {
            assertThat(TestServer.number(url, "select count(" + column.name() + ") from v"))
                    .as(column.name())
                    .isEqualTo(column.values())
                    .isPositive();
            assertThat(column.values() + column.nulls() + column.misfits()).isEqualTo(DOCUMENTS);
        }
    }

    private byte[] documents(int count) {
        ByteSink sink = new ByteSink(1 << 20);
        BsonWriter writer = new BsonWriter(sink);
        List<BiConsumer<BsonWriter, String>> values = values(sink);
        for (int i = 0; i < count; i++) {
            BiConsumer<BsonWriter, String> value = values.get(i % values.size());
            writer.document().int32("_id", i);
            value.accept(writer, "v");
            writer.document("a");
            values.get(random.nextInt(values.size())).accept(writer, "b");
            value.accept(writer, "b"); // jsonb keeps the last
            writer.end().array("l").int32("", 1);
            if (i % 3 == 0) {
                value.accept(writer, "");
            } else {
                writer.document("");
                value.accept(writer, "b");
                writer.end();
            }
            writer.end().document("o d\"d's\\").document("x");
            value.accept(writer, "é");
            writer.end().end().end();
        }
        return sink.toByteArray();
    }

    /** Values of each kind, the limits of the types among them. */
    private List<BiConsumer<BsonWriter, String>> values(ByteSink sink) {
        List<BiConsumer<BsonWriter, String>> values = new ArrayList<>();
        for (int each : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            values.add((w, name) -> w.int32(name, each));
        }
        for (long each : new long[] {0, 1L << 31, -(1L << 31) - 1, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1}) {
            values.add((w, name) -> w.int64(name, each));
        }
        for (double each : new double[] {
            0,
            -0.0,
            5,
            -2147483648.0,
            2147483648.0,
            0.1,
            1.5,
            1e15,
            1e22,
            0x1p60,
            0x1p63,
            -0x1p63,
            1e300,
            1e-300,
            4.9e-324,
            Double.MAX_VALUE,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY
        }) {
            values.add((w, name) -> w.float64(name, each));
        }
        values.add((w, name) -> w.float64(name, Double.longBitsToDouble(random.nextLong())));
        values.add((w, name) -> w.int64(name, random.nextLong() >> random.nextInt(64)));
        for (long exponent : DECIMAL_EXPONENTS) {
            for (long low : new long[] {0, 1, 12, 1000, 2147483647, Long.MAX_VALUE}) {
                long sign = random.nextBoolean() ? Long.MIN_VALUE : 0;
                values.add((w, name) -> w.decimal128(name, low, (exponent + 6176) << 49 | sign));
            }
        }
        for (long high : new long[] {0x7c00000000000000L, 0x7800000000000000L, 0xf800000000000000L}) {
            values.add((w, name) -> w.decimal128(name, 0, high));
        }
        for (long each : new long[] {
            0,
            -1,
            1,
            951_827_696_789L,
            253_402_300_799_999L,
            253_402_300_800_000L,
            -62_135_596_800_000L,
            -210_866_803_200_000L,
            -210_866_803_200_001L,
            9_224_318_015_999_999L,
            9_224_318_016_000_000L,
            Long.MIN_VALUE,
            Long.MAX_VALUE
        }) {
            values.add((w, name) -> w.date(name, each));
        }
        values.add((w, name) -> w.date(name, random.nextLong(-1L << 43, 1L << 48)));
        values.add((w, name) -> w.bool(name, true));
        values.add((w, name) -> w.bool(name, false));
        values.add((w, name) -> w.objectId(name, random.nextInt(), random.nextLong()));
        values.add((w, name) -> w.binary(name, 4, bytes(16)));
        values.add((w, name) -> w.binary(name, 4, bytes(15)));
        values.add((w, name) -> w.binary(name, 3, bytes(16)));
        for (String each : List.of("", "7", "true", "2020-01-01T00:00:00Z", "ü€😀\"\\\n", "null")) {
            values.add((w, name) -> w.string(name, each));
        }
        values.add(BsonWriter::nothing);
        values.add((w, name) -> w.document(name).end());
        values.add((w, name) -> w.document(name).int32("x", 1).end());
        values.add((w, name) -> w.array(name).string("", "x").end());
        values.add((w, name) -> retyped(sink, BsonType.SYMBOL, () -> w.string(name, "symbol")));
        values.add((w, name) -> retyped(sink, BsonType.UNDEFINED, () -> w.nothing(name)));
        values.add((w, name) -> retyped(sink, BsonType.TIMESTAMP, () -> w.int64(name, 1L << 33)));
        values.add((w, name) -> retyped(sink, BsonType.CODE, () -> w.string(name, "f()")));
        values.add((w, name) -> w.int32("other", 1));
        return values;
    }

    private static void retyped(ByteSink sink, int type, Runnable element) {
        int at = sink.length();
        element.run();
        sink.array()[at] = (byte) type;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
