package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.KeyLoader.KeyRange;
import io.pgstress.dataset.Keys.BitmapKeys;
import io.pgstress.dataset.Keys.DenseKeys;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The ids that are drawn are those of the table, in its order, whatever their type. */
final class KeyLoaderTest {
    private static final TableName TABLE = TableName.parse("docs");
    private static String url = "";

    @BeforeAll
    static void database() {
        url = TestServer.freshDatabase("key_loader");
    }

    private static void table(String type, String ids) {
        TestServer.execute(
                url,
                "drop table if exists docs",
                "create table docs (_id " + type + " primary key, data jsonb)",
                "insert into docs select " + ids);
    }

    private static Keys load(int sample, int maxIndexed) throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            KeyRange range = KeyRange.read(connection, TABLE, TableColumns.key(connection, TABLE));
            return new KeyLoader(connection, TABLE, range, maxIndexed).load(sample, 1, KeyProgress.NONE);
        }
    }

    private static List<String> texts(Keys keys) {
        return LongStream.range(0, keys.size()).mapToObj(keys::text).toList();
    }

    private static String inTable() {
        return TestServer.text(url, "select string_agg(_id::text, ',' order by _id) from docs");
    }

    @Test
    void integersWithoutGapsNeedNoList() throws SQLException {
        table("int", "i from generate_series(-5, 1000) i");

        Keys keys = load(0, KeyLoader.MAX_INDEXED);

        assertThat(keys).isEqualTo(new DenseKeys(-5, 1006, KeyType.INT));
    }

    @Test
    void gapsAreNotDrawn() throws SQLException {
        table("bigint", "i from generate_series(1, 3000) i where i % 5 <> 0");
        Keys few = load(0, KeyLoader.MAX_INDEXED);
        assertThat(few).isInstanceOf(BitmapKeys.class);
        assertThat(String.join(",", texts(few))).isEqualTo(inTable());

        table("bigint", "i * 1000003 from generate_series(-300, 300) i");
        Keys many = load(0, KeyLoader.MAX_INDEXED);
        assertThat(many).isInstanceOf(PackedKeys.class);
        assertThat(String.join(",", texts(many))).isEqualTo(inTable());
        assertThat(many.areNumbers()).isTrue();
    }

    @Test
    void idsThatNoIndexKeepsUniqueAreReadEvenIfTheirNumberFits() throws SQLException {
        table("int", "i from generate_series(1, 10) i");
        TestServer.execute(url, "alter table docs drop constraint docs_pkey", "update docs set _id = 9 where _id = 8");

        assertThat(texts(load(0, KeyLoader.MAX_INDEXED))).containsExactly("1", "2", "3", "4", "5", "6", "7", "9", "10");
    }

    @Test
    void textAndOtherTypesKeepTheOrderOfTheServer() throws SQLException {
        for (String type : List.of("text collate \"C\"", "text collate \"en-x-icu\"")) {
            table(type, "id from unnest(array['b', 'A', 'a', E'x\\\\y', E'tab\\tend\\n', 'ä', '\\N', '']) id");
            assertThat(String.join(",", texts(load(0, KeyLoader.MAX_INDEXED)))).isEqualTo(inTable());
        }
        table("uuid", "md5(i::text)::uuid from generate_series(1, 500) i");
        assertThat(String.join(",", texts(load(0, KeyLoader.MAX_INDEXED)))).isEqualTo(inTable());

        table("numeric", "i / 7.0 from generate_series(-50, 50) i");
        assertThat(String.join(",", texts(load(0, KeyLoader.MAX_INDEXED)))).isEqualTo(inTable());

        table("timestamptz", "'2020-01-01'::timestamptz + i * interval '1.5 s' from generate_series(1, 50) i");
        assertThat(String.join(",", texts(load(0, KeyLoader.MAX_INDEXED)))).isEqualTo(inTable());
    }

    @Test
    void aSampleIsDrawnFromTheWholeTableAndIsTheSameOnEveryHost() throws SQLException {
        table("int", "i from generate_series(1, 50000) i");

        Keys keys = load(5_000, KeyLoader.MAX_INDEXED);

        assertThat(keys.size()).isBetween(4_500L, 5_500L);
        assertThat(keys.number(0)).isLessThan(200);
        assertThat(keys.number(keys.size() - 1)).isGreaterThan(49_800);
        assertThat(load(5_000, KeyLoader.MAX_INDEXED).checksum()).isEqualTo(keys.checksum());
    }

    @Test
    void idsTooLongToIndexAllAreSampled() throws SQLException {
        table("text", "md5(i::text) || repeat(md5((-i)::text), 2) || 'x' from generate_series(1, 5000) i");

        Keys keys = load(0, 5_000); // 80,000 bytes for ids of 97

        assertThat(keys.size()).isBetween(600L, 900L);
        assertThat(inTable()).contains(keys.text(0), keys.text(keys.size() / 2), keys.text(keys.size() - 1));
    }

    @Test
    void theCallerCanEndTheReading() {
        table("int", "i * 20 from generate_series(1, 20000) i");

        assertThatThrownBy(() -> {
                    try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
                        KeyRange range = KeyRange.read(connection, TABLE, TableColumns.key(connection, TABLE));
                        new KeyLoader(connection, TABLE, range, KeyLoader.MAX_INDEXED).load(0, 1, (read, all) -> {
                            throw new IllegalStateException(read + " of " + all);
                        });
                    }
                })
                .hasMessage("16384 of 20000");
    }
}
