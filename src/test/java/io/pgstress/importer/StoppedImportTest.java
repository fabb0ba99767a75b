package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.RejectLimit.TooManyRejectsException;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an import says while it runs and when it stops. */
final class StoppedImportTest extends ImportTestCase {
    private Path dump(String database) throws Exception {
        return Files.createDirectories(directory.resolve("dump").resolve(database));
    }

    @Test
    void tooManyRejectsNameTheCollectionItsFileAndTheTablesWithoutAKey() throws Exception {
        Path dump = dump("rejecting");
        Files.write(dump.resolve("a.bson"), Imports.numbered(10, i -> i));
        Files.write(dump.resolve("b.bson"), Imports.documents(5, (w, i) -> w.int32("n", i)));
        Files.write(dump.resolve("c.bson"), Imports.numbered(10, i -> i));

        assertThatThrownBy(() -> imports.run(dump))
                .isInstanceOf(TooManyRejectsException.class)
                .hasMessageContaining("; most are of rejecting.b: see "
                        + directory.resolve("b.rejects.json").toAbsolutePath().normalize() + "; the import stopped")
                .hasMessageContaining("; still without a primary key: a, b")
                .hasMessageContaining("--resume");
    }

    @Test
    void aFailureNamesTheCollectionAndTheTablesWithoutAKey() throws Exception {
        TestServer.execute(
                url,
                "create table full_disk (_id integer primary key, data jsonb)",
                "create function full_disk_now() returns trigger language plpgsql as"
                        + " 'begin raise exception ''no space left'' using errcode = ''53100''; end'",
                "create trigger full_disk before insert on full_disk for each row execute function full_disk_now()");
        Path dump = dump("failing");
        Files.write(dump.resolve("before.bson"), Imports.numbered(10, i -> i));
        Files.write(dump.resolve("full_disk.bson"), Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;

        assertThatThrownBy(() -> imports.run(dump))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("failing.full_disk: no space left")
                .hasMessageContaining("; loaded 10 rows; still without a primary key: before; run the same command");
    }

    /** The search for the type of _id has read everything before. */
    @Test
    void progressBeginsAtZero() throws Exception {
        Path file = imports.write("progress", Imports.numbered(100, i -> i));
        List<List<Long>> calls = Collections.synchronizedList(new ArrayList<>());
        imports.listener = (rows, read, total) -> calls.add(List.of(rows, read, total));

        imports.run(file);

        long size = Files.size(file);
        assertThat(calls).startsWith(List.of(0L, 0L, size)).endsWith(List.of(100L, size, size));
    }
}
