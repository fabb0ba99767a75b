package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.copy.FieldType;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.ColumnCounts.ColumnSummary;
import io.pgstress.importer.table.ColumnOptions;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnSpec;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code --column}: typed columns beside {@code _id} and {@code data}. */
@Slow
final class ColumnsTest extends ImportTestCase {
    @Test
    void onlyTheNamedCollectionHasTheColumn() throws Exception {
        Path dump = Files.createDirectory(directory.resolve("db"));
        Files.write(dump.resolve("c.bson"), Imports.numbered(10, i -> i));
        Files.write(dump.resolve("d.bson"), Imports.numbered(10, i -> i));
        imports.columns = columns(Misfit.REJECT, "c.n=n:int", "db.d.m=n:bigint", "b=n:numeric");

        imports.run(dump);

        String sql = "select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = '%s'::regclass"
                + " and attnum > 0";
        assertThat(TestServer.text(url, sql.formatted("c"))).isEqualTo("_id,data,n,b");
        assertThat(TestServer.text(url, sql.formatted("d"))).isEqualTo("_id,data,m,b");
        imports.columns = columns(Misfit.REJECT, "e.n=n:int", "n=n:int", "c.n=n:int");
        imports.ifExists = IfExists.DROP;
        assertThatThrownBy(() -> imports.run(dump))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("--column e.n: the input has no such collection; --column n: collection db.c gets two"
                        + " columns of this name");
    }

    @Test
    void appendsOnlyToATableWithTheColumns() throws Exception {
        imports.run(imports.write("c", Imports.numbered(10, i -> i)));
        imports.ifExists = IfExists.APPEND;
        imports.columns = columns(Misfit.REJECT, "n=n:int");
        Path more = imports.write("c", Imports.numbered(10, i -> i + 10));

        String refused = "";
        try {
            imports.run(more);
        } catch (TargetException e) {
            refused = Objects.requireNonNull(e.getMessage());
        }
        assertThat(refused)
                .startsWith("--column n: table c has no such column; use --if-exists drop, or add it: alter");
        TestServer.execute(url, refused.substring(refused.indexOf("alter table")));
        imports.run(more);

        assertThat(number("select count(*) from c where n = _id % 10 or n = _id"))
                .isEqualTo(20);
        imports.columns = columns(Misfit.REJECT, "n=n:bigint");
        assertThatThrownBy(() -> imports.run(more))
                .hasMessage("--column n: table c has it with type integer, not bigint");
        TestServer.execute(url, "alter table c alter n drop expression");
        imports.columns = columns(Misfit.REJECT, "n=n:int");
        assertThatThrownBy(() -> imports.run(more))
                .hasMessage("--column n: table c has it, but not as a generated column");
    }

    /** The new rows pass through a staging table. */
    @Test
    void duplicatesReplaceTheColumnsToo() throws Exception {
        imports.columns = columns(Misfit.REJECT, "n=n:int:index", "k=_id:numeric");
        imports.run(imports.write(
                "c", Imports.documents(10, (w, i) -> w.int32("_id", i).int32("n", 1))));
        imports.ifExists = IfExists.APPEND;
        imports.onDuplicate = OnDuplicate.REPLACE;
        for (boolean atomic : new boolean[] {false, true}) {
            imports.atomic = atomic;
            imports.verify = true;
            int n = atomic ? 3 : 2;
            Path file = imports.write(
                    "c",
                    Imports.documents(10, (w, i) -> w.int32("_id", 5 + i % 8).int32("n", n + i / 8)));

            CollectionSummary summary = imports.one(file);

            assertThat(summary.fault()).isEmpty();
            assertThat(number("select count(*) from c where n = (data ->> 'n')::int and k = _id"))
                    .isEqualTo(13);
            assertThat(number("select sum(n) from c where _id >= 5")).isEqualTo(8L * n + 2);
        }
        assertThat(number("select count(*) from pg_index where indrelid = 'c'::regclass"))
                .isEqualTo(2);
    }

    @Test
    void columnsOfAResumedImport() throws Exception {
        int count = 40_000;
        Path file = imports.write("c", Imports.wide(count, i -> i));
        imports.columns = columns(Misfit.REJECT, "n=n:bigint", "s=s:text");
        imports.verify = true;
        imports.cutOff(file, 2);
        imports.resume = true;

        CollectionSummary summary = imports.one(file);

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.skipped()).isPositive();
        assertThat(summary.columns().get(0).values()).isEqualTo(summary.rows()).isLessThan(count);
        assertThat(number("select count(*) from c where n = _id and s = data ->> 's'"))
                .isEqualTo(count);
    }

    @Test
    void columnsThatNoOptionNamesAreNoted() throws Exception {
        TestServer.execute(
                url, "create table c (_id int, data jsonb, \"o o\" text, g int generated always as (1) stored)");
        imports.ifExists = IfExists.APPEND;

        CollectionSummary summary = imports.one("c", Imports.numbered(10, i -> i));

        assertThat(summary.notes())
                .containsExactly("columns that take their defaults, because the import does not fill them: \"o o\"");
    }

    @Test
    void resumesNotWithAnotherColumn() throws Exception {
        Path file = imports.write("c", Imports.numbered(10, i -> i == 9 ? 0 : i));
        assertThat(imports.one(file).fault()).isNotEmpty();
        imports.resume = true;
        imports.columns = columns(Misfit.REJECT, "n=n:int");

        assertThatThrownBy(() -> imports.run(file)).hasMessageContaining("--column n: table c has no such column");
    }

    /** Documents of more than 1 MiB are sent in pieces. */
    @Test
    void largeDocumentsHaveColumnsToo() throws Exception {
        imports.columns = columns(Misfit.REJECT, "n=n:int", "d=d.x:jsonb", "s=s:text");
        imports.verify = true;
        imports.onDuplicate = OnDuplicate.SKIP;

        CollectionSummary summary = imports.one("c", Imports.documents(4, (w, i) -> {
            w.int32("_id", i)
                    .document("d")
                    .string("x", "\u0001".repeat(i * 400_000))
                    .end();
            if (i < 3) {
                w.int32("n", i);
            } else {
                w.string("n", "large");
            }
            w.string("s", "y".repeat(i * 300_000));
        }));

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.rejects()).hasSize(1);
        assertThat(number("select count(*) from c where n = _id and d = data #> '{d,x}' and s = data ->> 's'"))
                .isEqualTo(3);
    }

    @Test
    void indexesServeQueries() throws Exception {
        imports.columns = columns(Misfit.REJECT, "n=n:int:index", "all=s:jsonb:index");
        imports.run(imports.write("c", Imports.numbered(5_000, i -> i)));
        imports.ifExists = IfExists.APPEND;
        imports.run(imports.write("c", Imports.numbered(10, i -> i + 5_000)));

        String plan = TestServer.text(url, "explain (format json) select * from c where n = 4711");
        assertThat(plan).contains("c_n_idx");
        assertThat(number("select count(*) from pg_index where indrelid = 'c'::regclass"))
                .isEqualTo(3);
    }

    @Test
    void indexThatCannotBeCreatedIsAFault() throws Exception {
        imports.columns = columns(Misfit.REJECT, "s=s:text:index");
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        random.ints(9_000, ' ', '~').forEach(text::appendCodePoint);

        CollectionSummary summary = imports.one(
                "c", Imports.documents(1, (w, i) -> w.int32("_id", i).string("s", text)));

        assertThat(summary.fault()).startsWith("no index on column s: ").contains("54000");
        assertThat(count("c")).isEqualTo(1);
    }

    @Test
    void rejectsADocumentWithAValueThatDoesNotFit() throws Exception {
        imports.columns = columns(Misfit.REJECT, "n=n:int");

        CollectionSummary summary = imports.one("c", documents(10));

        assertThat(summary.rejects()).containsExactly(Map.entry("a value that does not fit its column", 1L));
        assertThat(Files.readString(directory.resolve("c.rejects.json")))
                .contains("\"_id\":{\"$numberInt\":\"3\"}")
                .contains("n is \\\"three\\\", a string, column n is of type integer (--column)");
        assertThat(number("select count(*) from c where n = _id")).isEqualTo(8);
        assertThat(number("select count(*) from c where n is null and _id = 4")).isEqualTo(1);
        assertThat(summary.columns())
                .singleElement()
                .extracting(ColumnSummary::text)
                .isEqualTo(
                        "column n (integer, generated from n): 8 values, 1 missing or null, 1 rejected, such as \"three\", a string (_id"
                                + " {\"$numberInt\":\"3\"})");
    }

    @Test
    void makesAValueThatDoesNotFitNull() throws Exception {
        imports.columns = columns(Misfit.NULL, "n=n:int", "s=s:text");

        CollectionSummary summary = imports.one("c", documents(10));

        assertThat(summary.rejects()).isEmpty();
        assertThat(number("select count(*) from c where n is null and _id in (3, 4)"))
                .isEqualTo(2);
        assertThat(number("select count(*) from c where n = _id and s = data ->> 's'"))
                .isEqualTo(8);
        assertThat(summary.columns().get(0).text())
                .contains("8 values, 1 missing or null, 1 that do not fit are null, such as \"three\", a string (_id");
        assertThat(summary.columns().get(1).text()).endsWith("10 values, 0 missing or null");
    }

    @Test
    void arrayOnThePathDoesNotFit() throws Exception {
        imports.columns = columns(Misfit.REJECT, "n=a.n:int", "first=a.0.n:int", "all=a:jsonb");

        CollectionSummary summary = imports.one("c", Imports.documents(2, (w, i) -> {
            w.int32("_id", i);
            if (i == 0) {
                w.document("a").int32("n", 5).end();
            } else {
                w.array("a").document("").int32("n", 6).end().end();
            }
        }));

        assertThat(summary.rows()).isEqualTo(1);
        assertThat(summary.columns().get(0).example()).contains("a value inside an array");
        assertThat(number("select n from c where first is null and \"all\" = '{\"n\": 5}'"))
                .isEqualTo(5);
    }

    /** Whatever data contains, writing it does not fail. */
    @Test
    void generatedColumnsRaiseNoErrors() throws Exception {
        imports.columns = columns(
                Misfit.NULL,
                Stream.of(FieldType.values())
                        .map(type -> type.name().toLowerCase(Locale.ROOT) + "_=n:" + type.sql())
                        .toArray(String[]::new));
        imports.run(imports.write("c", Imports.numbered(1, i -> i)));

        String[] odd = {
            "1e400",
            "-1e-400",
            "99999999999",
            "1.5",
            "\"x\"",
            "[1]",
            "{}",
            "null",
            "true",
            "{\"$numberDecimal\": \"1E+999999\"}",
            "{\"$numberDecimal\": \"1E+6144\"}",
            "{\"$numberDecimal\": \"x\"}",
            "{\"$numberDouble\": \"1E+400\"}",
            "{\"$numberInt\": {}}",
            "{\"$numberLong\": \"99999999999999999999\"}",
            "{\"$date\": \"2020-13-45T25:61:61Z\"}",
            "{\"$date\": \"yesterday\"}",
            "{\"$date\": 5}",
            "{\"$date\": {\"$numberLong\": \"999999999999999999\"}}",
            "{\"$date\": {\"$numberLong\": \"99999999999999999999\"}}",
            "{\"$binary\": {\"base64\": \"!\", \"subType\": \"04\"}}",
            "{\"$binary\": {\"base64\": 1, \"subType\": \"04\"}}",
            "{\"$oid\": []}"
        };
        for (int i = 0; i < odd.length; i++) {
            TestServer.execute(url, "insert into c values (" + (i + 1) + ", '{\"n\": " + odd[i] + "}')");
        }

        assertThat(count("c")).isEqualTo(odd.length + 1);
        assertThat(number("select count(int_) + count(boolean_) from c")).isEqualTo(2);
    }

    @Test
    void wrongSpecificationsAreExplained() {
        assertThat(List.of(
                        "n",
                        "n=:int",
                        "=a:int",
                        "n=a",
                        "n=a..b:int",
                        "n=a:strng",
                        "data=a:text",
                        "n=a.-1:int",
                        "n=a.$date:int"))
                .allSatisfy(text ->
                        assertThatThrownBy(() -> ColumnSpec.parse(text)).isInstanceOf(IllegalArgumentException.class));
        assertThatThrownBy(() -> ColumnSpec.parse("n=a:timestamp"))
                .hasMessageContaining("was 'timestamp'; did you mean 'timestamptz'?");
        assertThat(ColumnSpec.parse("a.b.n=\"x.y\".0.z:double precision:index").toString())
                .contains("collections=a.b, name=n, path=\"x.y\".0.z, type=DOUBLE, indexed=true");
    }

    @BeforeEach
    void tables() {
        TestServer.execute(url, "drop table if exists c, d, stress_imports, stress_import_chunks");
    }

    static ColumnOptions columns(Misfit misfit, String... specs) {
        return new ColumnOptions(Stream.of(specs).map(ColumnSpec::parse).toList(), misfit);
    }

    /** Documents {@code {_id, n, s}}; n is a string in the document with number 3 and missing in that with number 4. */
    static byte[] documents(int count) {
        return Imports.documents(count, (w, i) -> {
            w.int32("_id", i);
            switch (i) {
                case 3 -> w.string("n", "three");
                case 4 -> w.nothing("m");
                default -> w.int32("n", i);
            }
            w.string("s", "x".repeat(50));
        });
    }
}
