package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.RejectLimit.TooManyRejectsException;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
                .hasMessageContaining(", of rejecting.b: see "
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

    @Test
    void rowsThatACrashMayHaveTakenAreNotSaidToBeThere() throws Exception {
        TestServer.execute(
                url,
                "create table terminated (_id integer primary key, data jsonb)",
                "create function terminate() returns trigger language plpgsql as"
                        + " 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'",
                "create trigger terminate before insert on terminated for each row execute function terminate()");
        Path dump = dump("crashing");
        Files.write(dump.resolve("first.bson"), Imports.numbered(10, i -> i));
        Files.write(dump.resolve("terminated.bson"), Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;

        assertThatThrownBy(() -> imports.run(dump))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("; loaded 10 rows, or fewer if the server crashed; still without");
    }

    /** Postgres-XL numbers its nodes in messages, by OIDs of its catalog. */
    @Test
    void aFailureNamesTheNodesOfAClusterThatItsMessagesNumber() throws Exception {
        TestServer.execute(
                url,
                "create table lost_node (_id integer primary key, data jsonb)",
                "create function lose_node() returns trigger language plpgsql as"
                        + " 'begin raise exception ''Failed to receive more data from data node 16386'' using errcode = ''53000''; end'",
                "create trigger lose before insert on lost_node for each row execute function lose_node()");
        Dialect numbering = new Dialect() {
            @Override
            public String name() {
                return "numbering";
            }

            @Override
            public boolean recognises(Connection connection) {
                return true;
            }

            @Override
            public Map<String, String> nodeNames(Connection connection) {
                return Map.of("16386", "dn2");
            }
        };
        Path file = imports.write("lost_node", Imports.numbered(10, i -> i));
        imports.ifExists = IfExists.APPEND;
        Importer importer = new Importer(TestServer.connector(url), numbering, imports.options(), ImportListener.NONE);

        try (ImportInput input = ImportInput.of(MongoDump.open(file, DumpFilter.ALL))) {
            assertThatThrownBy(() -> importer.run(input))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("Failed to receive more data from data node dn2 ");
        }
    }

    /** The rows are there, so that statistics that could not be collected are no reason to import again. */
    @Test
    void aTableWithoutStatisticsIsImported() throws Exception {
        TestServer.execute(
                url,
                "create table unanalyzed (_id integer primary key, data jsonb)",
                "create function at_analyze(id integer) returns integer immutable language plpgsql as"
                        + " 'begin if current_query() ilike ''analyze%'' then raise exception ''no room for statistics''; end if;"
                        + " return id; end'",
                "create index on unanalyzed (at_analyze(_id))");
        imports.ifExists = IfExists.APPEND;

        CollectionSummary summary = imports.one("unanalyzed", Imports.numbered(10, i -> i));

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.rows()).isEqualTo(10);
        assertThat(summary.tableBytes()).isPositive();
        assertThat(summary.notes())
                .contains(
                        "its statistics were not collected; run: analyze \"unanalyzed\" (no room for statistics (SQLSTATE"
                                + " P0001))");
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
