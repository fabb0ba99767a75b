package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.copy.FieldType;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.ColumnCounts.ColumnSummary;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnSpec;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Values that do not fit their columns, and specifications that are wrong. */
@Slow
final class ColumnMisfitTest extends ColumnsFixture {
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
}
