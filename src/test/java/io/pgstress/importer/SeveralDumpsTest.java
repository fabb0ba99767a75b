package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.bson.Documents;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.ImportSummary.DumpSummary;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.Naming.Renaming;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several dumps in one import, and names of tables that differ from the dump's. */
final class SeveralDumpsTest extends ImportTestCase {
    @BeforeEach
    void tables() {
        TestServer.execute(
                url,
                "drop schema if exists s, \"s x\" cascade",
                "drop table if exists a, good, cut, stress_progress.stress_imports, stress_progress.stress_import_chunks");
    }

    private Path file(String path, byte[] bytes) throws Exception {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    private ImportSummary run(byte[] stdin, Path... paths) throws Exception {
        List<String> names = Arrays.stream(paths).map(Path::toString).toList();
        InputStream in = new ByteArrayInputStream(stdin);
        try (ImportInput input = ImportInput.open(names, ImportInput.Streams.of(in), DumpFilter.ALL)) {
            return imports.importer().run(input);
        }
    }

    @Test
    void importsDirectoriesFilesAndAStreamTogether() throws Exception {
        file("one/shop/a.bson", Imports.numbered(10, i -> i));
        file("one/shop/b.bson", Imports.numbered(20, i -> i));
        Path two = file("two/shop/c.bson.zst", Documents.zstd(Imports.numbered(30, i -> i)));
        imports.naming = new Naming(List.of(), "s", null);

        ImportSummary summary =
                run(Documents.zstd(Imports.numbered(40, i -> i)), directory.resolve("one"), two, Path.of("-"));

        assertThat(summary.dumps())
                .extracting(DumpSummary::dump, DumpSummary::collections, DumpSummary::rows, DumpSummary::whole)
                .containsExactly(
                        tuple(directory.resolve("one").toString(), 2, 30L, true),
                        tuple(two.toString(), 1, 30L, true),
                        tuple("standard input", 1, 40L, true));
        assertThat(summary.collections())
                .extracting(CollectionSummary::table)
                .containsExactly("s.a", "s.b", "s.c", "s.stdin");
        assertThat(count("s.c")).isEqualTo(30);
    }

    @Test
    void sameTableTwiceIsRefusedBeforeAnythingIsWritten() throws Exception {
        Path one = file("one/a.bson", Imports.numbered(1, i -> i));
        Path two = file("two/a.bson", Imports.numbered(1, i -> i));
        imports.naming = new Naming(List.of(Renaming.parse("$d$.$c$=all.$c$")), "", null);

        assertThatThrownBy(() -> run(new byte[0], one, two))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "collections one.a (" + one + ") and two.a (" + two
                                + ") would both become table a: use --rename, or import them one after the other with --include");
        assertThat(number("select count(*) from pg_class where relname in ('a', 'stress_imports')"))
                .isZero();

        assertThatThrownBy(() -> run(new byte[0], one, one))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(one + ": this dump is named twice");
    }

    @Test
    void damagedDumpDoesNotStopTheOthersAndResumeContinues() throws Exception {
        byte[] whole = Documents.zstd(Imports.numbered(50_000, i -> i * 7919));
        Path cut = file("d/cut.bson.zst", Arrays.copyOf(whole, whole.length / 2));
        Path good = file("d/good.bson", Imports.numbered(5, i -> i));

        ImportSummary first = run(new byte[0], cut, good);

        assertThat(first.dumps()).extracting(DumpSummary::whole).containsExactly(false, true);
        assertThat(first.collections().get(0).fault())
                .contains("the rest was not imported", "cut.bson.zst at byte ", "found truncated zstd data");
        assertThat(count("good")).isEqualTo(5);

        imports.resume = true;
        ImportSummary again = run(new byte[0], good, cut);
        assertThat(again.collections().get(0).notes())
                .startsWith("nothing left to do: the same input was imported completely before");
        assertThat(again.collections().get(1).notes())
                .startsWith("nothing left to do: the same input was imported before, as far as it could be read");
    }

    @Test
    void tableAndSchemaNameTheTable() throws Exception {
        Path one = file("one/a.bson", Imports.numbered(3, i -> i));
        imports.naming = new Naming(List.of(), "s x", TableName.parse("b"));
        assertThat(run(new byte[0], one).collections().get(0).table()).isEqualTo("s x.b");
        assertThat(number("select count(*) from \"s x\".b")).isEqualTo(3);

        imports.ifExists = IfExists.DROP;
        Path two = file("one/b.bson", Imports.numbered(3, i -> i));
        assertThatThrownBy(() -> run(new byte[0], one, two))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageStartingWith("--table names one table, but there are 2");
        imports.naming = new Naming(List.of(Renaming.parse("x.*=y.*")), "", null);
        assertThatThrownBy(() -> run(new byte[0], one, two))
                .hasMessage("--rename x.*=y.*: no collection that is imported has such a name");
    }
}
