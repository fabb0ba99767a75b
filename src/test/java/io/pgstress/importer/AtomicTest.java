package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --atomic}: the tables are unchanged, or contain the whole dump. */
@Slow
final class AtomicTest extends ImportTestCase {
    @BeforeEach
    void tables() {
        TestServer.execute(
                url,
                "drop table if exists a, a_copy, b, b_copy, stress_progress.stress_imports, stress_progress.stress_import_chunks");
        imports.atomic = true;
        imports.verify = true;
        imports.jobs = 2;
    }

    @ParameterizedTest
    @CsvSource({"FAIL, false, 100", "APPEND, true, 110", "TRUNCATE, true, 100", "DROP, true, 100"})
    void importsEverything(IfExists ifExists, boolean exists, long rows) throws Exception {
        if (exists) {
            TestServer.execute(
                    url,
                    "create table a (_id int primary key, data jsonb not null)",
                    "insert into a select -i, '{}' from generate_series(1, 10) i");
        }
        imports.ifExists = ifExists;

        CollectionSummary summary = imports.one("a", Imports.numbered(100, i -> i));

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.table()).isEqualTo("a");
        assertThat(summary.rows()).isEqualTo(100);
        assertThat(count("a")).isEqualTo(rows);
        assertThat(number("select count(*) from pg_index where indrelid = 'a'::regclass and indisprimary"))
                .isEqualTo(1);
    }

    @Test
    void truncatedDumpLeavesNothing() throws Exception {
        byte[] documents = Imports.numbered(100, i -> i);
        Path dump = Files.createDirectory(directory.resolve("db"));
        Files.write(dump.resolve("a.bson"), documents);
        Files.write(dump.resolve("b.bson"), Arrays.copyOf(documents, documents.length - 3));

        ImportSummary summary = imports.run(dump);

        assertThat(summary.rows()).isZero();
        assertThat(summary.collections()).allSatisfy(c -> assertThat(c.fault()).startsWith("nothing was imported. "));
        assertThat(summary.collections().get(1).fault()).contains("b.bson at byte");
        assertThat(exists("a")).isFalse();
        assertThat(exists("b")).isFalse();
    }

    @Test
    void toleratesRejectsUpToTheLimit() throws Exception {
        byte[] documents = Imports.documents(10, (w, i) -> {
            if (i < 9) {
                w.int32("_id", i);
            }
        });

        assertThat(imports.one("a", documents).fault()).contains("1 reject, more than --max-rejects 0");
        assertThat(exists("a")).isFalse();
        imports.maxRejects = 1;
        assertThat(imports.one("a", documents).rows()).isEqualTo(9);
        assertThat(count("a")).isEqualTo(9);
    }

    @Test
    void duplicateKeysLeaveNothing() throws Exception {
        assertThat(imports.one("a", Imports.numbered(100, i -> i % 50)).fault())
                .contains("nothing was imported", "Key (_id)=");
        assertThat(exists("a")).isFalse();
        imports.onDuplicate = OnDuplicate.REPLACE;
        assertThat(imports.one("a", Imports.numbered(100, i -> i % 50)).rows()).isEqualTo(50);
        assertThat(number("select count(*) from a where (data->>'n')::int >= 50"))
                .isEqualTo(50);
    }

    @Test
    void existingKeyLeavesTheTableUnchanged() throws Exception {
        imports.one("a", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;

        assertThat(imports.one("a", Imports.numbered(10, i -> i + 9)).fault())
                .contains("1 reject, more than --max-rejects 0");
        assertThat(count("a")).isEqualTo(10);
        Files.delete(directory.resolve("a.rejects.bson"));
        Files.delete(directory.resolve("a.rejects.json"));
        imports.onDuplicate = OnDuplicate.SKIP;
        CollectionSummary skipped = imports.one("a", Imports.numbered(10, i -> i + 9));
        assertThat(skipped.rows()).isEqualTo(9);
        assertThat(skipped.duplicates()).isEqualTo(1);
        assertThat(count("a")).isEqualTo(19);
    }

    @Test
    void aLostConnectionLeavesNothing() throws Exception {
        Path file = imports.write("a", Imports.wide(40_000, i -> i));
        TestServer.execute(
                url,
                "create table a (_id int primary key, data jsonb not null)",
                "create or replace function lose() returns trigger language plpgsql as $$ begin"
                        + " if new._id = 35000 then perform pg_terminate_backend(pg_backend_pid()); end if;"
                        + " return new; end $$",
                "create trigger lose before insert on a for each row execute function lose()");
        imports.ifExists = IfExists.TRUNCATE;

        assertThatThrownBy(() -> imports.run(file))
                .isInstanceOf(TargetException.class)
                .hasMessageEndingWith("; nothing was imported");

        assertThat(count("a")).isZero();
        assertThat(number("select count(*) from pg_class where relname ~ 'stress_import' and relkind = 'r'"))
                .isZero();
    }

    @Test
    void namesTheDocumentsThatTheServerRefuses() throws Exception {
        TestServer.execute(
                url, "create table a (_id int primary key, data jsonb check ((data->>'n')::int % 4000 <> 7))");
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 10;

        CollectionSummary summary = imports.one("a", Imports.wide(40_000, i -> i));

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.rows()).isEqualTo(39_990);
        assertThat(count("a")).isEqualTo(39_990);
        assertThat(Files.readAllLines(directory.resolve("a.rejects.json"))).hasSize(10);
    }
}
