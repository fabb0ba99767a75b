package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Documents;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A role to which row security policies of the table apply. */
final class RowSecurityTest {
    private final String role = "limited" + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private String url;
    private String ofRole;

    @BeforeEach
    void makeRole() {
        url = TestServer.emptyDatabase("row_security");
        ofRole = url.replaceFirst("user=\\w+", "user=" + role);
        TestServer.table(url, "docs", 200);
        TestServer.execute(
                url,
                "create role " + role + " login",
                "grant all on schema public to " + role,
                "grant all on docs to " + role,
                "alter table docs enable row level security");
    }

    @AfterEach
    void dropRole() {
        TestServer.execute(url, "drop owned by " + role, "drop role " + role);
    }

    private Ended run(String operation) {
        return stress("-t docs -c 2 --warmup 0s -T 300ms -q --op " + operation + " --url " + ofRole);
    }

    private Ended imported(String... more) throws IOException {
        Path dump = Files.write(directory.resolve("docs.bson"), Documents.of(500, (w, i) -> w.int32("_id", 1000 + i)));
        return stress(
                "import " + dump + " -q --if-exists append --rejects " + directory + " --url " + ofRole,
                String.join(" ", more));
    }

    @Test
    void aTableWhoseRowsAreHiddenIsNotCalledEmpty() {
        Ended ended = run("find_first");

        assertThat(ended.err())
                .isEqualTo("stress: table docs shows no row to role " + role
                        + ", to which its row security policies apply: use a role that sees its rows (its owner, or one"
                        + " with BYPASSRLS), or import a dump if there are none\n");
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
    }

    @Test
    void readsSayThatPoliciesApply() {
        TestServer.execute(url, "create policy part on docs using (_id <= 100)");

        Ended ended = run("find_first --verbose");

        assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        assertThat(ended.out()).contains("Row security policies of docs apply to role " + role + " (part for all)");
        assertThat(stress("-t docs -c 2 --warmup 0s -T 300ms -q --verbose --url " + url)
                        .out())
                .doesNotContain("Row security policies");
    }

    @Test
    void hiddenRowsAreNoLostWrites() throws IOException {
        TestServer.execute(
                url,
                "create policy see on docs for select using (data->>'n' not like '%seen')",
                "create policy change on docs for insert with check (true)");
        Path operations = Files.writeString(directory.resolve("operations.yaml"), """
                add_unseen:
                  parameters:
                    id: {sequence: 100000}
                  steps:
                    - sql: insert into docs values (:id, jsonb_build_object('n', 'unseen'))
                """);

        Ended ended = run("add_unseen --verbose --operations " + operations);

        assertThat(ended.out())
                .as(ended.err())
                .contains("rows fewer and 0 rows more")
                .doesNotContain("lost acknowledged writes");
    }

    @Test
    void anImportIsRefusedBeforeItRejectsDocuments() throws IOException {
        Ended ended = imported();

        assertThat(ended.err())
                .isEqualTo("stress: table docs has row security policies that apply to role " + role
                        + ", and the server refuses COPY into such a table: import as its owner or a role with BYPASSRLS,"
                        + " or use --on-duplicate skip or replace, which inserts the rows\n");
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(directory.resolve("docs.rejects.json")).doesNotExist();
        assertThat(TestServer.number(url, "select count(*) from docs")).isEqualTo(200);
    }

    @Test
    void anImportThatInsertsItsRowsIsNotRefused() throws IOException {
        TestServer.execute(url, "create policy whole on docs using (true)");

        Ended ended = imported("--on-duplicate skip");

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(TestServer.number(url, "select count(*) from docs")).isEqualTo(700);
    }
}
