package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Documents that the server refuses are found and become rejects; what is not their fault ends the import. */
final class RefusedDocumentsTest extends ImportTestCase {
    @Test
    void findsRefusedDocumentsByHalving() throws Exception {
        TestServer.execute(url, "create table refused (_id int, data jsonb check ((data->>'n')::int % 1000 <> 7))");
        imports.ifExists = IfExists.APPEND;
        imports.jobs = 3;

        CollectionSummary summary = imports.one("refused", Imports.numbered(3000, i -> i));

        assertThat(summary.rejects()).containsEntry("refused by the server: a check constraint (23514)", 3L);
        assertThat(count("refused")).isEqualTo(2997);
        assertThat(Files.readAllLines(directory.resolve("refused.rejects.json")))
                .hasSize(3);
    }

    @Test
    void stopsOnAFullDiskInsteadOfHalving() throws Exception {
        TestServer.execute(
                url,
                "create table full_disk (_id int, data jsonb)",
                "create function full_disk() returns trigger language plpgsql as"
                        + " 'begin raise exception ''no space left'' using errcode = ''53100''; end'",
                "create trigger full_disk before insert on full_disk for each row execute function full_disk()");
        imports.ifExists = IfExists.APPEND;
        Path file = imports.write("full_disk", Imports.numbered(2000, i -> i));

        assertThatThrownBy(() -> imports.run(file))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("no space left (SQLSTATE 53100); loaded 0 rows")
                .hasMessageContaining("--resume");
        assertThat(directory.resolve("full_disk.rejects.json")).doesNotExist();
    }

    @Test
    void countsOnlyLoadedDocumentsAsAltered() throws Exception {
        TestServer.execute(url, "create table altered (_id int, data jsonb check ((data->>'_id')::int <> 7))");
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 1;

        CollectionSummary summary = imports.one(
                "altered",
                Imports.documents(16, (w, i) -> w.int32("_id", i).int32("k", 1).int32("k", 2)));

        assertThat(summary.rejected()).isEqualTo(1);
        assertThat(summary.altered()).containsEntry("duplicateKeys", 15L);
    }

    @Test
    void failedCommitDoesNotRepeatRejects() throws Exception {
        TestServer.execute(
                url, "create table deferred (_id int primary key deferrable initially deferred, data jsonb)");
        imports.ifExists = IfExists.APPEND;
        byte[] documents = Imports.documents(8, (w, i) -> {
            if (i == 1) {
                w.string("no", "key");
            } else {
                w.int32("_id", i == 7 ? 0 : i);
            }
        });

        CollectionSummary summary = imports.one("deferred", documents);

        assertThat(summary.rejected()).isEqualTo(2);
        assertThat(Files.readAllLines(directory.resolve("deferred.rejects.json")))
                .hasSize(2);
    }

    private void refusing(String table, String condition) {
        TestServer.execute(
                url,
                "create table " + table + " (_id int, data jsonb)",
                "create sequence " + table + "_tries",
                "create function " + table + "() returns trigger language plpgsql as $$ begin if " + condition
                        + " then raise exception 'a node failed' using errcode = 'XX000'; end if; return new; end $$",
                "create trigger refuse before insert on " + table + " for each row execute function " + table + "()");
        imports.ifExists = IfExists.APPEND;
    }

    @Test
    void stopsIfTheServerRefusesEveryDocumentWithoutAReason() throws Exception {
        refusing("broken", "true");
        Path file = imports.write("broken", Imports.numbered(2000, i -> i));

        assertThatThrownBy(() -> imports.run(file)).hasMessageContaining("100 documents in a row");
        assertThat(directory.resolve("broken.rejects.json")).doesNotExist();
    }

    @Test
    void singleDocumentRefusedWithoutAReasonIsAReject() throws Exception {
        refusing("unclear", "new._id % 1000 = 7");

        CollectionSummary summary = imports.one("unclear", Imports.numbered(2000, i -> i));

        assertThat(summary.rejects()).containsEntry("refused by the server: an internal error (XX000)", 2L);
        assertThat(count("unclear")).isEqualTo(1998);
    }

    @Test
    void retriesADocumentRefusedWithoutAReason() throws Exception {
        refusing("again", "new._id = 7 and nextval('again_tries') < 5"); // at the fourth attempt it is alone

        CollectionSummary summary = imports.one("again", Imports.numbered(8, i -> i));

        assertThat(summary.rejected()).isZero();
        assertThat(count("again")).isEqualTo(8);
    }
}
