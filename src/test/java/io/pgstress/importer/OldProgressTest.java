package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The progress table of earlier versions, with chunk numbers, and negative multiples of 8 MiB for states. */
final class OldProgressTest {
    private static String url = "";

    @TempDir
    private Path directory;

    private Path file = Path.of("");

    @BeforeAll
    static void database() {
        url = TestServer.freshDatabase("old_progress");
    }

    @BeforeEach
    void importedByAnEarlierVersion() throws Exception {
        TestServer.execute(
                url,
                "drop table if exists docs, docs_copy, stress_imports, stress_import_chunks, stress_import_progress");
        Imports imports = new Imports(url, directory);
        file = imports.write("docs", Imports.numbered(100, i -> i));
        imports.run(file);
        TestServer.execute(
                url,
                "drop table stress_imports, stress_import_chunks",
                "create table stress_import_progress (target text not null, chunk bigint not null, documents bigint"
                        + " not null, halved boolean not null default false, primary key (target, chunk, documents))");
    }

    private void entry(long chunk, long documents) {
        TestServer.execute(url, "insert into stress_import_progress values ('docs', " + chunk + ", " + documents + ")");
    }

    @Test
    void migratesCompleteImports() throws Exception {
        entry(-41943040, Files.size(file));
        entry(-58720256, Files.size(file));
        Imports again = new Imports(url, directory);
        again.resume = true;
        again.verify = true;

        CollectionSummary summary = again.one(file);

        assertThat(summary.skipped()).isEqualTo(100);
        assertThat(summary.fault()).isEmpty();
        assertThat(TestServer.text(url, "select target || ' ' || state || ' ' || verified from stress_imports"))
                .isEqualTo("docs complete true");
        assertThat(TestServer.text(url, "select to_regclass('stress_import_progress')::text"))
                .isNull();
    }

    @Test
    void refusesUnfinishedImportsAndSaysWhatToDo() throws Exception {
        entry(-8388608, Files.size(file));
        entry(0, 50);
        Imports again = new Imports(url, directory);
        again.resume = true;

        assertThatThrownBy(() -> again.one(file))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("unfinished import into docs by an earlier version")
                .hasMessageContaining("drop table stress_import_progress")
                .hasMessageNotContaining("\n");
        assertThat(TestServer.number(url, "select count(*) from docs")).isEqualTo(100);
        assertThat(TestServer.number(url, "select count(*) from stress_import_progress"))
                .isEqualTo(2);
    }
}
