package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code stress explain} creates what is missing and changes nothing that exists. */
@Slow
final class ExplainCommandTest {
    private static final int ROWS = 300;

    @TempDir
    private Path directory;

    private String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.freshDatabase("explain_command");
        TestServer.table(url, "docs", ROWS);
    }

    private Ended explain(String... options) {
        return Ended.stress("explain -t docs --url " + url, String.join(" ", options));
    }

    /** PostgreSQL has nothing to gain from values that a statement does not have, so it plans such a statement once. */
    @Test
    void aStatementWithoutParametersHasAGenericPlanAtOnce() throws IOException {
        Path own = Files.writeString(
                directory.resolve("own.yaml"),
                "all: {steps: [{sql: select count(*) from docs}]}\none: {parameters: {id: {id: any}}, steps: [{sql: select data from docs where _id = :id}]}\n");

        Ended ended = explain("--operations " + own + " --op all:1,one:1");

        assertThat(ended.out()).as(ended.err()).containsPattern("(?m)^all .*prepared.*, generic plan");
        assertThat(ended.out()).containsPattern("(?m)^one .*prepared.*, custom plan, generic from the sixth on");
    }

    @ParameterizedTest
    @CsvSource({
        "load, pgstress_load_1, 'id int, k int, c char(120), pad char(60)'",
        "bulk_copy, pgstress_bulk_copy_1, 'id int, filler text'",
        "count, pgstress_scan, 'id int, k int, c char(120), pad char(60)'",
        "shard_insert, pgstress_shard_insert, 'id int, filler text'",
        "oltp_insert, sbtest1, 'id int, k int, c char(120), pad char(60)'"
    })
    void leavesExistingObjectsUnchanged(String op, String table, String columns) {
        TestServer.execute(
                url,
                "create table " + table + " (" + columns + ")",
                "insert into " + table + " (id) select i from generate_series(1, 5) i");

        boolean hasRows = op.startsWith("bulk_");
        Ended ended = hasRows ? explain("--op " + op + " --rows 1") : explain("--op " + op);

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(ended.err()).doesNotContain("created ");
        assertThat(ended.out().replace("not explained: COPY has no plan", "")).doesNotContain("not explained");
        assertThat(TestServer.number(url, "select count(*) from " + table)).isEqualTo(5);
        assertThat(TestServer.number(url, "select pg_relation_size('" + table + "')"))
                .as("nor has it rows that were rolled back")
                .isEqualTo(8192);
    }

    @Test
    void createsAndReportsMissingObjects() {
        Ended ended = explain("--op find_insert:1,oltp_insert:1");

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(ended.err())
                .contains("created table docs_copy, which was missing", "created table sbtest1, which was missing");
        assertThat(explain("--op find_insert:1,oltp_insert:1").err()).doesNotContain("created ");
        TestServer.execute(url, "drop table docs_copy");
        Ended ofAll = explain();
        assertThat(ofAll.code()).as(ofAll.err()).isEqualTo(ExitCode.DONE);
        assertThat(ofAll.out()).contains(Runs.DOCUMENT_OPERATIONS);
        assertThat(ofAll.err())
                .as("nothing was asked for by name")
                .doesNotContain("created ")
                .contains(
                        "not explained: changes of table docs_copy, which does not exist; --op find_insert,find_delete"
                                + " creates it");
        assertThat(ofAll.out()).doesNotContain("not explained");
    }

    @Test
    void describesABatchAsTheDriverSendsIt() {
        assertThat(explain("--op bulk_batch --rows 300").out())
                .contains(
                        "bulk_batch batch plain: one server, not explained: the driver sends a batch of 300 rows as 300 INSERTs"
                                + " of a row",
                        "bulk_batch batch prepared: one server, not explained: the driver sends a batch of 300 rows as 2"
                                + " INSERTs of 128 rows, 1 of 32, 1 of 8, 1 of 4");
        assertThat(explain("--op bulk_batch --rows 1").out())
                .contains("bulk_batch batch prepared: one server, ")
                .doesNotContain("not explained");
    }

    @Test
    void doesNotRunTheSetupOfCustomOperations() throws IOException {
        Path file = Files.writeString(directory.resolve("my.yaml"), """
                copies:
                  copy: empty
                  setup: delete from ${table}
                  steps: [{name: insert, sql: "insert into ${copy} (_id) values (1)"}]
                makes:
                  setup: create table made (i int)
                  steps: [{name: read, sql: select * from made}]
                """);

        Ended copies = explain("--operations " + file + " --op copies");
        assertThat(copies.code()).as(copies.err()).isEqualTo(ExitCode.DONE);
        assertThat(copies.out()).contains("copies insert prepared: ").doesNotContain("not explained");
        assertThat(TestServer.number(url, "select count(*) from docs")).isEqualTo(ROWS);

        Ended makes = explain("--operations " + file + " --op makes");
        assertThat(makes.code()).isEqualTo(ExitCode.USAGE);
        assertThat(makes.err())
                .contains(
                        "my.yaml:7: operation 'makes', step 'read': relation \"made\" does not exist (SQLSTATE 42P01);"
                                + " explain does not run its setup");
    }

    @Test
    void explainsTheSqlOfScripts() throws IOException {
        Path file = Files.writeString(directory.resolve("mine.sql"), """
                \\set id random(1, 9)
                begin;
                select _id as found from docs where _id = :id \\gset
                delete from docs where _id = :found returning 7 as gone \\gset
                \\set next :gone + 1
                select data from docs where _id = :next;
                select 1 \\; delete from docs;
                \\sleep 1000 s
                end;
                """);

        Ended ended = explain("-f " + file);

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(ended.out())
                .contains("mine select_docs prepared: one server, ", "mine delete_docs plain: one server, ")
                .contains("mine select_docs_2 extended: one server, not explained: no value for ':next'")
                .contains("mine select_docs_3 plain: one server, not explained: it has several statements")
                .doesNotContain("mine delete_docs plain: one server, not explained")
                .doesNotContain("mine select_docs plain: one server, not explained");
        assertThat(TestServer.number(url, "select count(*) from docs")).isEqualTo(ROWS);
    }

    @Test
    void explainsOrReportsStepsAfterOneWithoutRows() throws IOException {
        Path file = Files.writeString(directory.resolve("my.yaml"), """
                mine:
                  copy: empty
                  parameters: {id: {id: any}}
                  steps:
                    - {name: insert, sql: "insert into ${copy} (_id) values (:id)"}
                    - {name: read, sql: "select data from ${copy} where _id = :id", keep: {doc: data}}
                    - {name: use, sql: "update ${copy} set data = :doc where _id = :id", miss: below 2}
                    - {name: last, sql: "select data from ${table} where _id = :id"}
                """);

        for (String miss : List.of("miss: empty", "miss: never")) {
            Files.writeString(
                    file,
                    Files.readString(file).replaceAll("keep: \\{doc: data}.*", "keep: {doc: data}, " + miss + "}"));
            Ended ended = explain("--operations " + file + " --op mine:1,find_first:1");

            assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
            assertThat(ended.out())
                    .contains(
                            "mine insert prepared: ",
                            "mine read prepared: ",
                            "mine use prepared: one server, not explained: no value for ':doc': the step that keeps it finds no"
                                    + " row before the load",
                            "mine last prepared: one server, Seq Scan",
                            "find_first select prepared: one server, Seq Scan");
        }
    }

    @Test
    void doesNotRunAChangeWhoseResultALaterStepNeeds() throws IOException {
        Path file = Files.writeString(directory.resolve("my.yaml"), """
                mine:
                  steps:
                    - {name: a, sql: "insert into ${table} values (-1, '{}') returning _id", keep: {a: _id}}
                    - name: b
                      sql: with gone as (delete from ${table} where _id = 1 returning _id) select _id from gone
                      keep: {b: _id}
                    - {name: c, sql: "select 1 where :a::int = :b::int"}
                """);
        TestServer.execute(
                url,
                "create sequence met",
                "create function meet() returns trigger language plpgsql as"
                        + " $$ begin perform nextval('met'); return null; end $$",
                "create trigger meets after insert or delete on docs for each row execute function meet()");

        Ended ended = explain("--operations " + file + " --op mine");

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(ended.out())
                .contains("mine b prepared: one server, ")
                .contains("mine c prepared: one server, not explained: no value for ':a'");
        assertThat(TestServer.text(url, "select is_called::text from met")).isEqualTo("false");
    }

    @Test
    void reportsStatementsWithoutAPlan() throws IOException {
        Path file = Files.writeString(directory.resolve("my.yaml"), """
                mine:
                  transaction: true
                  steps:
                    - {name: set, sql: "/* here */ set local work_mem = '8MB'"}
                    - {name: read, sql: "/* there */ select data from ${table} limit 1"}
                """);

        Ended own = explain("--operations " + file + " --op mine");
        assertThat(own.code()).as(own.err()).isEqualTo(ExitCode.DONE);
        assertThat(own.out())
                .contains(
                        "mine set plain: one server, not explained: SET has no plan",
                        "mine read plain: one server, Seq Scan")
                .doesNotContain("syntax error", "mine begin");
        assertThat(explain("--op bulk_copy --rows 1").out())
                .contains("bulk_copy copy prepared: one server, not explained: COPY has no plan");
    }
}
