package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress tables in a schema of their own. */
final class ProgressSchemaTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void database() {
        url = TestServer.freshDatabase("progress_schema");
        TestServer.execute(
                url,
                "drop role if exists may_create_there_only",
                "create role may_create_there_only login",
                "create schema closed",
                "create table closed.some (_id int primary key, data jsonb)",
                "create schema \"own one\" authorization may_create_there_only",
                "grant usage on schema closed to may_create_there_only",
                "grant all on closed.some to may_create_there_only",
                "alter role may_create_there_only set search_path = closed");
    }

    private Imports imports(String progressSchema) {
        Imports imports = new Imports(url.replace("user=postgres", "user=may_create_there_only"), directory);
        imports.ifExists = IfExists.APPEND;
        imports.progressSchema = progressSchema;
        return imports;
    }

    @Test
    void roleWithoutCreateOnTheSchemaUsesAnother() throws Exception {
        assertThatThrownBy(() -> imports("").one("some", Imports.numbered(1, i -> i)))
                .hasMessageContaining("permission denied for schema closed: an import records its progress in the table"
                        + " stress_imports; use --progress-schema with a schema")
                .hasMessageContaining("create table if not exists stress_imports");
        assertThatThrownBy(() -> imports("a new one").one("some", Imports.numbered(1, i -> i)))
                .hasMessageContaining("create schema if not exists \"a new one\"");

        assertThat(imports("own one").one("some", Imports.numbered(10, i -> i)).rows())
                .isEqualTo(10);

        Imports again = imports("own one");
        again.resume = true;
        assertThat(again.one("some", Imports.numbered(10, i -> i)).skipped()).isEqualTo(10);
        assertThat(TestServer.text(url, "select string_agg(target, ',') from \"own one\".stress_imports"))
                .isEqualTo("closed.some");
    }

    @Test
    void roleThatMayNotCreateSchemasUsesItsSearchPath() throws Exception {
        TestServer.execute(url, "create schema open authorization may_create_there_only");
        Imports imports = imports("");
        imports.url += "&currentSchema=open";
        imports.resume = true;

        assertThat(imports.one("docs", Imports.numbered(10, i -> i)).rows()).isEqualTo(10);
        assertThat(imports.one("docs", Imports.numbered(10, i -> i)).skipped()).isEqualTo(10);

        assertThat(TestServer.number(url, "select count(*) from open.stress_imports"))
                .isEqualTo(1);
        Imports other = new Imports(imports.url.replace("user=may_create_there_only", "user=postgres"), directory);
        other.resume = true;
        assertThat(other.one("docs", Imports.numbered(10, i -> i)).skipped()).isEqualTo(10);
    }

    /** Another role may have made it for its own imports. */
    @Test
    void roleThatMayNotUseTheSchemaUsesItsSearchPath() throws Exception {
        String to = TestServer.freshDatabase("progress_of_others");
        assertThat(new Imports(to, directory)
                        .one("docs", Imports.numbered(5, i -> i))
                        .rows())
                .isEqualTo(5);
        TestServer.execute(to, "create schema open authorization may_create_there_only");
        Imports imports = new Imports(
                to.replace("user=postgres", "user=may_create_there_only") + "&currentSchema=open", directory);

        assertThat(imports.one("docs", Imports.numbered(10, i -> i)).rows()).isEqualTo(10);
        assertThat(TestServer.number(to, "select count(*) from open.stress_imports"))
                .isEqualTo(1);
    }

    @Test
    void tablesOfAnEarlierVersionInTheSearchPathAreNotUsed() throws Exception {
        String to = TestServer.freshDatabase("progress_of_old");
        TestServer.execute(to, "create table stress_imports (target text primary key)");

        assertThat(new Imports(to, directory)
                        .one("docs", Imports.numbered(10, i -> i))
                        .rows())
                .isEqualTo(10);
        assertThat(TestServer.number(to, "select count(*) from stress_progress.stress_imports"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stress_progress", "named"})
    void tablesOfAnEarlierVersionInTheSchemaItselfAreNamed(String schema) throws Exception {
        String to = TestServer.freshDatabase("progress_in_" + schema);
        TestServer.execute(
                to, "create schema " + schema, "create table " + schema + ".stress_imports (target text primary key)");
        Imports imports = new Imports(to, directory);
        imports.progressSchema = schema.equals("named") ? schema : "";

        assertThatThrownBy(() -> imports.one("docs", Imports.numbered(1, i -> i)))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("the table " + schema + ".stress_imports is not one in which this version")
                .hasMessageContaining("--progress-schema");
        imports.progressSchema = "another";
        assertThat(imports.one("docs", Imports.numbered(1, i -> i)).rows()).isEqualTo(1);
    }

    @Test
    void tablesOfTheSameNameInOtherSchemasAreOtherTables() throws Exception {
        TestServer.execute(url, "create schema first", "create schema second");
        for (String schema : new String[] {"first", "second"}) {
            Imports imports = new Imports(url + "&currentSchema=" + schema, directory);
            imports.progressSchema = "shared";
            imports.resume = true;
            assertThat(imports.one("docs", Imports.numbered(10, i -> i)).rows()).isEqualTo(10);
        }
        assertThat(TestServer.text(url, "select string_agg(target, ',' order by target) from shared.stress_imports"))
                .isEqualTo("first.docs,second.docs");
    }
}
