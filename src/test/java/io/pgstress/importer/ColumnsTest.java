package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@code --column}: typed columns beside {@code _id} and {@code data}. */
@Slow
final class ColumnsTest extends ColumnsFixture {
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

    /** The new rows pass through an atomic table and a staging table. */
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
        int count = 80_000;
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
}
