package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A role that has rights on its own table only: no superuser, no {@code pg_monitor}, no CREATE on the schema. */
@Slow
final class OrdinaryRoleTest {
    private static final int ROWS = 200;

    private final String role = "ordinary" + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private String url;
    private String ofRole;

    @BeforeEach
    void makeRole() {
        url = TestServer.freshDatabase("ordinary");
        ofRole = url.replaceFirst("user=\\w+", "user=" + role);
        TestServer.table(url, "docs", ROWS);
        TestServer.execute(
                url,
                "create role " + role + " login",
                "revoke all on schema public from public",
                "grant usage on schema public to " + role,
                "grant select on docs to " + role);
    }

    @AfterEach
    void dropRole() {
        TestServer.execute(url, "drop owned by " + role, "drop role " + role);
    }

    private Ended run(String operation, String... options) {
        return Ended.stress(
                "-t docs -c 2 --warmup 0s --op " + operation + " --url " + ofRole, String.join(" ", options));
    }

    private void refused(Ended ended, String message) {
        assertThat(ended.err()).isEqualTo("stress: " + message + "\n");
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.out()).isEmpty();
    }

    /** So short a run need not be valid. */
    private static void ran(Ended ended) {
        assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        assertThat(ended.out()).doesNotContain("error 42501");
    }

    private static List<String> unavailable(Ended ended) {
        return ended.out()
                .lines()
                .filter(line -> line.startsWith("  unavailable "))
                .map(line -> line.substring("  unavailable ".length()))
                .toList();
    }

    private void grant(String rights) {
        TestServer.execute(url, "grant " + rights + " to " + role);
    }

    @Test
    void readsWithAllFiguresOfTheLoad() throws Exception {
        Path file = directory.resolve("result.json");

        Ended ended = run("find_first", "-T 300ms --verbose --json " + file);

        ran(ended);
        assertThat(unavailable(ended))
                .containsExactly("Unavailable: running vacuums, and settings for superusers, of " + ofRole
                        + ". To see them, an administrator must run grant pg_monitor to \"" + role + "\".");
        RunResult result = (RunResult) ResultFile.read(file);
        long operations = result.operations().get("find_first").ok();
        assertThat(operations).isPositive();
        assertThat(result.serverProfile().counts().statements())
                .filteredOn(statement -> statement.query().contains("docs"))
                .singleElement()
                .satisfies(statement -> assertThat(statement.calls()).isGreaterThanOrEqualTo(operations));
        assertThat(result.serverProfile().counts().waitSamples()).isPositive();
        assertThat(result.serverProfile().counts().database().get("xact_commit"))
                .isGreaterThanOrEqualTo((double) operations);
        assertThat(result.serverProfile().counts().wal()).isNotEmpty();
        assertThat(result.serverProfile().explained().routes()).isNotEmpty();
    }

    @Test
    void grantsThatTheNotesNameMakeTheFiguresAvailable() {
        grant("pg_read_server_files");
        grant("execute on function pg_read_file(text, bigint, bigint, boolean)");
        grant("pg_monitor");

        Ended ended = run("find_first", "-T 200ms --verbose");

        ran(ended);
        assertThat(unavailable(ended)).isEmpty();
    }

    @Test
    void updateNeedsItsRightBeforeTheLoad() {
        refused(
                run("find_update", "-T 200ms"),
                "find_update: the role may not update rows of \"docs\"; its owner must run: grant update on docs to "
                        + role);

        grant("update on docs");
        Ended ended = run("find_update", "-T 200ms");
        ran(ended);
        assertThat(ended.out())
                .contains("all 2 checks of what was written passed")
                .doesNotContain("42501");
    }

    @Test
    void copyTableNeedsCreateOrItsOwner() {
        refused(
                run("find_insert", "-T 200ms"),
                "table docs_copy could not be made: permission denied for schema public; its owner must run: grant create on"
                        + " schema public to " + role);

        TestServer.execute(url, "create table docs_copy (like docs including all)");
        grant("select, insert, delete, truncate on docs_copy");
        refused(
                run("find_insert", "-T 200ms"),
                "table docs_copy could not be reset: must be owner of table docs_copy; its owner must run: comment on table"
                        + " \"docs_copy\" is 'stress: a copy table, emptied and filled by operations'; grant select, insert,"
                        + " delete, truncate on \"docs_copy\" to \"" + role + '"');
        TestServer.execute(
                url, "comment on table docs_copy is 'stress: a copy table, emptied and filled by operations'");
        Ended ended = run("find_insert", "-T 200ms");
        ran(ended);

        TestServer.execute(url, "revoke insert on docs_copy from " + role);
        refused(
                run("find_insert", "-T 200ms"),
                "find_insert: the role may not insert rows of \"docs_copy\"; its owner must run: grant insert on docs_copy to "
                        + role);
    }

    @Test
    void roleThatMayCreateTablesMakesTheCopyItself() {
        grant("create on schema public");

        Ended ended = run("find_delete", "-T 300ms");

        ran(ended);
    }

    @Test
    void tableThatCannotBeReadNamesEveryMissingGrant() {
        TestServer.execute(url, "revoke usage on schema public from " + role, "revoke select on docs from " + role);

        Ended ended = Ended.stress("--url " + ofRole + " -t public.docs --op find_first -c 1");

        refused(
                ended,
                "table public.docs cannot be read: permission denied for schema public; its owner must run: grant usage on"
                        + " schema public to " + role + "; grant select on public.docs to " + role);
    }

    @Test
    void settingsForSuperusersNeedAGrant() {
        String to = " to \"" + role + '"';
        refused(
                run("find_first", "--set log_statement=none"),
                ofRole
                        + " refuses the settings: FATAL: permission denied to set parameter \"log_statement\"; an administrator"
                        + " must run: grant set on parameter log_statement" + to);
        refused(
                run("find_first", "--alter-system deadlock_timeout=2s"),
                ofRole
                        + ": ALTER SYSTEM: permission denied for view pg_file_settings (SQLSTATE 42501); an administrator must"
                        + " run: grant alter system on parameter deadlock_timeout" + to
                        + "; grant execute on function pg_reload_conf()" + to
                        + "; grant execute on function pg_show_all_file_settings()" + to
                        + "; grant select on pg_file_settings" + to);

        grant("alter system on parameter deadlock_timeout");
        grant("execute on function pg_reload_conf()");
        grant("execute on function pg_show_all_file_settings()");
        grant("select on pg_file_settings");
        Ended altered = run("find_first", "-T 300ms --alter-system deadlock_timeout=2s");
        ran(altered);
    }

    @Test
    void connectionLimitsOfRolesCount() {
        TestServer.execute(url, "alter role " + role + " connection limit 5");

        refused(
                run("find_first"),
                ofRole + " has 5 free connections (connection limit 5 of role " + role
                        + "), but this run needs 7: 2 for clients and 5 for control. Use fewer --clients, a --pool with a smaller"
                        + " --pool-size, or a higher limit.");
    }

    @Test
    void secondConnectionThatIsRefusedIsReportedAsThat() {
        TestServer.execute(url, "alter role " + role + " connection limit 1");

        refused(
                run("find_first"),
                "cannot connect to " + ofRole + ": FATAL: too many connections for role \"" + role + "\"");
    }

    @Test
    void resetNeedsTheRightToTruncate() {
        TestServer.execute(
                url,
                "create table pgbench_branches (bid int primary key, bbalance int, filler char(88))",
                "create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84))",
                "create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84))",
                "create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))",
                "insert into pgbench_branches values (1, 0)",
                "insert into pgbench_accounts values (100000, 1, 0)");
        grant("select, insert, update on pgbench_branches, pgbench_tellers, pgbench_accounts, pgbench_history");

        refused(
                Ended.stress("-c 2 --warmup 0s -T 300ms --op tpcb --url " + ofRole),
                "the operations could not be prepared: permission denied for table pgbench_history");
    }
}
