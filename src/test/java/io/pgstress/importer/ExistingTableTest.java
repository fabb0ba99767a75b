package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Existing tables stay, unless the options say otherwise or they belong to an interrupted import. */
@Slow
final class ExistingTableTest extends ImportTestCase {
    @BeforeEach
    void tables() {
        TestServer.execute(
                url,
                "drop table if exists g, g_copy, g_import, g_import_import, g_copy_copy, stress_progress.stress_imports, stress_progress.stress_import_chunks");
    }

    @Test
    void columnsThatTheImportDoesNotFillAreNoted() throws Exception {
        TestServer.execute(
                url, "create table c (_id int, data jsonb, \"o o\" text, g int generated always as (1) stored)");
        imports.ifExists = IfExists.APPEND;

        CollectionSummary summary = imports.one("c", Imports.numbered(10, i -> i));

        assertThat(summary.notes())
                .startsWith("columns that take their defaults, because the import does not fill them: \"o o\"");
    }

    @Test
    void keepsATableWithTheNameOfATemporaryOne() {
        TestServer.execute(url, "create table g_import as select 1 as mine");
        imports.onDuplicate = OnDuplicate.SKIP;

        assertThatThrownBy(() -> imports.one("g", Imports.numbered(10, i -> i)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("table g_import exists, but not from an interrupted import of g");
        assertThat(number("select mine from g_import")).isEqualTo(1);
    }

    @Test
    void refusesACollectionNamedLikeATemporaryTable() throws Exception {
        Path dump = Files.createDirectory(directory.resolve("db"));
        Files.write(dump.resolve("g.bson"), Imports.numbered(10, i -> i));
        Files.write(dump.resolve("g_import.bson"), Imports.numbered(10, i -> i));
        imports.onDuplicate = OnDuplicate.SKIP;

        assertThatThrownBy(() -> imports.run(dump))
                .hasMessageContaining("collection db.g_import")
                .hasMessageContaining("has the same name as the staging table of db.g");
        assertThat(exists("g")).isFalse();
    }

    @Test
    void importLeavesNoTableButItsOwn() throws Exception {
        imports.one("g", Imports.numbered(10, i -> i));

        assertThat(TestServer.text(
                        url,
                        "select string_agg(relname, ' ' order by relname) from pg_class where relkind = 'r' and"
                                + " relnamespace = 'public'::regnamespace and relname !~ '^pg_'"))
                .isEqualTo("g");
        assertThat(TestServer.text(
                        url,
                        "select string_agg(relname, ' ' order by relname) from pg_class where relkind = 'r' and"
                                + " relnamespace = 'stress_progress'::regnamespace"))
                .isEqualTo("stress_import_chunks stress_imports");
    }

    /** It has entries under this name, but is another collection. */
    @Test
    void keepsAnInterruptedCollectionOfThatName() throws Exception {
        imports.cutOff(imports.write("g_import", Imports.wide(40_000, i -> i)), 2);
        long rows = number("select count(*) from g_import");
        assertThat(rows).isPositive();
        imports.onDuplicate = OnDuplicate.SKIP;
        Path file = imports.write("g", Imports.numbered(10, i -> i));

        assertThatThrownBy(() -> imports.run(file))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("table g_import exists, but not from an interrupted import of g");
        assertThat(number("select count(*) from g_import")).isEqualTo(rows);
    }

    /** Its staging table is marked as temporary, but the table itself is not. */
    @Test
    void keepsATableWhoseAppendWasInterrupted() throws Exception {
        TestServer.execute(
                url,
                "create table g_import (_id int primary key, data jsonb not null)",
                "insert into g_import values (-1, '{}')");
        imports.ifExists = IfExists.APPEND;
        imports.onDuplicate = OnDuplicate.SKIP;
        imports.cutOff(imports.write("g_import", Imports.wide(40_000, i -> i)), 2);
        imports.ifExists = IfExists.FAIL;
        Path file = imports.write("g", Imports.numbered(10, i -> i));

        assertThatThrownBy(() -> imports.run(file))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("table g_import exists, but not from an interrupted import of g");
        assertThat(number("select count(*) from g_import where _id = -1")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"g", "g_import"})
    void doesNotResumeIntoADroppedTable(String table) throws Exception {
        Path file = imports.write("g", Imports.wide(40_000, i -> i));
        imports.onDuplicate = table.equals("g") ? OnDuplicate.FAIL : OnDuplicate.SKIP;
        imports.cutOff(file, 2);
        TestServer.execute(url, "drop table " + table);
        imports.resume = true;

        assertThatThrownBy(() -> imports.run(file)).hasMessageContaining("table " + table + " no longer exists");
        imports.resume = false;
        imports.ifExists = IfExists.DROP;
        assertThat(imports.one(file).rows()).isEqualTo(40_000);
    }

    /** Otherwise {@code --resume} would rely on entries of deleted rows. */
    @ParameterizedTest
    @ValueSource(strings = {"TRUNCATE", "DROP"})
    void truncatesATableTogetherWithItsEntries(IfExists policy) throws Exception {
        Path file = imports.write("g", Imports.numbered(10, i -> i));
        imports.run(file);
        TestServer.execute(
                url,
                "create or replace function refuse() returns trigger language plpgsql as"
                        + " 'begin raise exception ''killed''; end'",
                "create trigger refuse before delete on stress_progress.stress_imports for each row execute function refuse()");
        imports.ifExists = policy;

        assertThatThrownBy(() -> imports.run(file)).hasMessageContaining("killed");
        assertThat(count("g")).isEqualTo(10);
    }

    @Test
    void refusesANumberOfShardsForATableThatStays() throws Exception {
        imports.one("g", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;
        Connector connector = TestServer.connector(url);

        try (Connection connection = connector.open(SessionPurpose.CONTROL);
                ImportInput input = ImportInput.of(MongoDump.open(directory.resolve("g.bson"), DumpFilter.ALL))) {
            Importer importer = new Importer(
                    connector,
                    Dialects.of("citus", connection).with(new TableOptions(8, 0, "")),
                    imports.options(),
                    ImportListener.NONE);

            assertThatThrownBy(() -> importer.run(input)).hasMessageContaining("--shards");
        }
        assertThat(count("g")).isEqualTo(10);
    }
}
