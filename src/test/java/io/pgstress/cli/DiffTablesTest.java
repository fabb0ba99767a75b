package io.pgstress.cli;

import static io.pgstress.cli.CommandLineTest.assertOneLine;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Which tables diff compares, and what it says of the others. */
@Slow
final class DiffTablesTest extends DiffFixture {
    @Test
    void oddKeysAreNamedAsInTheTable() throws Exception {
        Path dump = dump("k", 6, (w, i) -> {
            switch (i) {
                case 0 -> w.string("_id", "a\tb\\n\"'");
                case 1 -> w.int32("_id", 1);
                case 2 -> w.document("_id").int32("a", 1).end();
                case 3 -> w.string("_id", "");
                default -> w.int32("_id", i).int32("_id", i + 10);
            }
            w.int32("n", i);
        });
        load(dump);
        TestServer.execute(url, "update k set data = jsonb_set(data, '{n}', '-1')");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.differentRows()).hasSize(6).allSatisfy(row -> {
            assertThat(TestServer.number(
                            url,
                            "select count(*) from k where _id = '" + row.id().replace("'", "''") + "'"))
                    .isEqualTo(1);
            assertThat(row.paths()).extracting(PathDifference::path).containsExactly("n");
        });
    }

    @Test
    void junitFailsTheCaseOfATableThatDiffers() throws Exception {
        Path dump = dump("junit", 3, (w, i) -> w.int32("_id", i));
        load(dump);
        TestServer.execute(url, "delete from junit where _id = 1");
        Path xml = dump.resolveSibling("diff.xml");

        assertThat(Ended.stress("diff %s --url %s -q --junit %s".formatted(dump, url, xml))
                        .code())
                .isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(Files.readString(xml))
                .contains("tests=\"2\" failures=\"1\" errors=\"0\"")
                .contains(
                        "<failure type=\"difference\" message=\"1 only in the dump, 0 only in the table, 0 different\"");
    }

    @Test
    void aFileThatIsNoDumpIsNotSaidToHaveNoDifferences() throws Exception {
        Path notes = Files.writeString(directory.resolve("notes.md"), "# Notes");

        Ended ended = diff(notes);

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out())
                .startsWith("nothing could be compared between 1 table and the dump\n")
                .contains("notes.md is text", "\nnothing could be compared: 0 documents, ");
    }

    /** Rows that a policy hides are neither missing nor compared. */
    @Test
    void hiddenRowsAreNoDifferences() throws Exception {
        Path dump = dump("hidden", 10, (w, i) -> w.int32("_id", i));
        load(dump);
        TestServer.execute(
                url,
                "drop role if exists diff_reader",
                "create role diff_reader",
                "grant usage on schema public to diff_reader",
                "grant select on hidden to diff_reader",
                "alter table hidden enable row level security",
                "create policy even on hidden using (_id % 2 = 0)");
        String reader = url + (url.contains("?") ? "&" : "?") + "options=-c%20role=diff_reader";
        Path xml = dump.resolveSibling("hidden.xml");

        Ended ended = Ended.stress("diff %s --url %s -q --junit %s".formatted(dump, reader, xml));

        assertThat(ended.code()).as(ended.out()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out())
                .contains("was not compared completely: row security policies apply to role diff_reader")
                .contains("no differences in what could be compared: 10 documents, 5 rows");
        assertThat(Files.readString(xml)).contains("row security policies");
        TestServer.execute(url, "update hidden set data = '{}' where _id = 2");
        assertThat(Ended.stress("diff %s --url %s -q".formatted(dump, reader)).out())
                .contains("1 difference: 10 documents");
        TestServer.execute(url, "drop owned by diff_reader", "drop role diff_reader");
    }

    @Test
    void otherColumnsAreNamedAsNotCompared() throws Exception {
        Path dump = dump("wider", 3, (w, i) -> w.int32("_id", i));
        load(dump);
        TestServer.execute(url, "alter table wider add n int default 7");

        assertThat(differences(ExitCode.DONE, dump).notes())
                .containsExactly("not compared: the columns beside _id and data (\"n\")");
    }

    @Test
    void missingTableIsADifference() throws Exception {
        Path dump = dump("m", 30, (w, i) -> w.int32("_id", i));

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.onlyInDump()).isEqualTo(30);
        assertThat(found.notes()).containsExactly("the table does not exist");
        assertThat(found.idsOnlyInDump()).isEmpty();
    }

    @Test
    void tablesThatAreNotInTheDumpAreNamed() throws Exception {
        Path dump = dump("a", 10, (w, i) -> w.int32("_id", i));
        load(dump);
        TestServer.execute(
                url,
                "create table b (_id int, data jsonb)",
                "create table a_copy (_id int, data jsonb)",
                "create table c (_id int, data text)");

        Ended ended = diff(dump);

        assertThat(ended.out()).contains("\nnote: not in the dump: b\nno differences: ");
        assertThat(ended.code()).isZero();
        assertThat(diff(dump, "--include", "*.a").out()).doesNotContain("not in the dump");
    }

    @Test
    void severalDumpsAreComparedUnderTheirNewNames() throws Exception {
        Path one = dump("one", 10, (w, i) -> w.int32("_id", i));
        Path two = dump("two", 20, (w, i) -> w.int32("_id", i));
        String[] names = {two.toString(), "--schema", "dumped", "--rename", "*.one=*.first"};
        load(one, names);
        TestServer.execute(url, "delete from dumped.first where _id = 3");

        Ended ended = diff(one, names);

        assertThat(ended.out())
                .contains("dumped.first, only in the dump: 1\n  3\n")
                .contains("\n1 difference: 30 documents, 29 rows, ");
        assertOneLine(
                diff(one, two.toString(), "--table", "x"), ExitCode.USAGE, "--table names one table, but there are 2");
        assertOneLine(diff(one, one.toString()), ExitCode.USAGE, "one.bson: this dump is named twice");
    }

    @Test
    void otherTablesAreComparedBesideOneOfAnotherShape() throws Exception {
        dump("m", 30, (w, i) -> w.int32("_id", i));
        dump("n", 30, (w, i) -> w.int32("_id", i));
        load(directory);
        TestServer.execute(url, "drop table m", "create table m (_id int, data json)");

        Ended ended = diff(directory);

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out())
                .contains(
                        "error: m was not compared completely: nothing was compared. column data of table m must be jsonb, but is json")
                .contains("no differences in what could be compared: 30 documents, 30 rows, ");
    }

    @Test
    void damagedDumpIsComparedAsFarAsItCanBeRead() throws Exception {
        Path dump = dump("d", 1000, (w, i) -> w.int32("_id", i));
        load(dump);
        byte[] bytes = Files.readAllBytes(dump);
        Files.write(dump, Arrays.copyOf(bytes, bytes.length / 2 + 3));
        assertThat(differences(ExitCode.DATA, dump).fault()).startsWith("the rest was not compared. ");
        TestServer.execute(url, "delete from d where _id = 7");

        TableDiff found = differences(ExitCode.LIMIT_BROKEN, dump);

        assertThat(found.idsOnlyInDump()).containsExactly("7");
        assertThat(found.onlyInTable()).isZero();
    }

    @Test
    void badInputIsOneLine() throws Exception {
        Path dump = dump("b", 1, (w, i) -> w.int32("_id", i));

        assertOneLine(
                diff(dump, "--sample", "0"), ExitCode.USAGE, "--sample: must be above 0 and at most 100%, was 0%");
        assertOneLine(diff(dump, "--limit", "-1"), ExitCode.USAGE, "--limit");
        assertOneLine(diff(directory.resolve("none")), ExitCode.USAGE, "none: no such file or directory");
        assertOneLine(
                diff(directory, "--collection", "other"),
                ExitCode.USAGE,
                "there is no collection to compare; not compared: ");
    }
}
