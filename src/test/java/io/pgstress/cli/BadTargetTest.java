package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.PasswordRefusal;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What new users see first: every command reports a problem with the target by the same line and exit code. */
@Slow
final class BadTargetTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTables() {
        url = TestServer.freshDatabase("bad_target");
        TestServer.table(url, "docs", 10);
        TestServer.execute(
                url,
                "create table vacant (_id int primary key, data jsonb)",
                "create table other (id int primary key, data jsonb)",
                "create table plain (_id int primary key, data text)");
    }

    private void assertRefused(EveryCommand command, String line, String options) {
        Ended ended = Ended.ofWords(command.with(directory, options));
        assertThat(ended.err()).isEqualTo("stress: " + line + "\n");
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.out()).isEmpty();
    }

    /** All commands except import, which creates its table. */
    private static String on(EveryCommand command, String server, String more) {
        return "--url " + server + (command == EveryCommand.IMPORT ? "" : " -t docs " + more);
    }

    @ParameterizedTest
    @EnumSource(EveryCommand.class)
    void reportsAServerThatCannotBeReached(EveryCommand command) {
        String nowhere = "jdbc:postgresql://127.0.0.1:1/x?user=u";
        assertRefused(
                command,
                "cannot connect to " + nowhere + ": Connection to 127.0.0.1:1 refused. Check that the hostname and"
                        + " port are correct and that the postmaster is accepting TCP/IP connections.",
                on(command, nowhere, ""));
    }

    @ParameterizedTest
    @EnumSource(EveryCommand.class)
    void reportsAMissingDatabase(EveryCommand command) {
        String unknown = url.replace("/bad_target?", "/bad_tarket?");
        assertRefused(
                command,
                "cannot connect to " + unknown + ": FATAL: database \"bad_tarket\" does not exist. Create it,"
                        + " or name another database.",
                on(command, unknown, ""));
    }

    @ParameterizedTest
    @EnumSource(EveryCommand.class)
    void reportsAWrongPassword(EveryCommand command) throws IOException {
        try (PasswordRefusal server = new PasswordRefusal()) {
            assertRefused(
                    command,
                    "cannot connect to " + server.url("***") + ": FATAL: password authentication failed for user \"u\"."
                            + " Check the user, and the password in the URL, PGPASSWORD, ~/.pgpass or --password-command.",
                    on(command, server.url("sesame"), ""));
        }
    }

    @ParameterizedTest
    @EnumSource(value = EveryCommand.class, mode = Mode.EXCLUDE, names = "IMPORT")
    void reportsAMissingTable(EveryCommand command) {
        assertRefused(command, "there is no table dosc; did you mean 'docs'?", "--url " + url + " -t dosc");
        assertRefused(
                command,
                "there is no table docs in the search path; there is one in schema public",
                "--url " + url + "&currentSchema=pg_catalog -t docs");
    }

    @ParameterizedTest
    @EnumSource(value = EveryCommand.class, mode = Mode.EXCLUDE, names = "IMPORT")
    void reportsAnEmptyTable(EveryCommand command) {
        assertRefused(
                command,
                "table vacant is empty: import a dump into it first (stress import)",
                "--url " + url + " -t vacant");
    }

    @ParameterizedTest
    @EnumSource(value = EveryCommand.class, mode = Mode.EXCLUDE, names = "IMPORT")
    void reportsATableWithoutDocuments(EveryCommand command) {
        assertRefused(
                command,
                "table other has no column _id: the operations need (_id, data jsonb), as stress import creates it",
                "--url " + url + " -t other");
        assertRefused(command, "column data of table plain must be jsonb, but is text", "--url " + url + " -t plain");
    }

    /** All at once: most of the time is the start of their JVMs. */
    @Test
    void everyCommandReportsThatTheEmbeddedServerCannotStoreItsData() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        Map<String, String> home = Map.of("PGSTRESS_HOME", file.resolve("home").toString());
        List<Child> children = new ArrayList<>();
        try {
            for (EveryCommand command : EveryCommand.values()) {
                children.add(new Child(directory, home, command.with(directory)));
            }
            for (Child child : children) {
                assertThat(child.exit()).as(child.err()).isEqualTo(ExitCode.TARGET);
                assertThat(child.err())
                        .endsWith("stress: cannot use " + file.resolve("home/postgresql-18")
                                + " for the embedded PostgreSQL: Not a directory; name a server with --url, or another"
                                + " directory with PGSTRESS_HOME\n");
                assertThat(child.out()).isEmpty();
            }
        } finally {
            children.forEach(Child::close);
        }
    }
}
