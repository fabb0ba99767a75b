package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run does before its clients connect. */
@Timeout(60)
final class RunSetUpTest {
    private static final String WAITING = "select count(*) from pg_locks where not granted and database ="
            + " (select oid from pg_database where datname = current_database())";

    private static final long MAX_SESSIONS = 8;
    /** Includes what the end of a run asks. */
    private static final long MAX_STATEMENTS = 69;

    private static final int OPERATIONS = 20;

    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("run_set_up");
        TestServer.table(url, "docs", 10);
        TestServer.execute(url, "create table docs_copy (like docs including all)");
    }

    private static Runner runner() {
        return Runs.runner(Runs.spec("-t docs --op find_insert --warmup 0 -T 0.1 --url " + url), RunListener.NONE);
    }

    @Test
    void aSignalDuringItEndsTheRunBeforeTheClientsConnect() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection other = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table docs_copy");
            Runner runner = runner();
            Future<RunResult> result = thread.submit(runner::run);
            while (TestServer.number(url, WAITING) == 0 && !result.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(runner.waitingFor()).isEqualTo("the tables to be prepared");
            runner.stop(StopCause.INTERRUPTED);
            other.rollback();

            assertThatThrownBy(result::get)
                    .hasCauseInstanceOf(TargetException.class)
                    .hasMessageContaining("interrupted before the clients connected");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void aRunnerThatIsStoppedBeforeItRunsChangesNothing() throws SQLException {
        TestServer.execute(url, "create table if not exists docs_copy (like docs including all)");
        TestServer.execute(url, "insert into docs_copy select * from docs limit 1 on conflict do nothing");
        Runner runner = runner();
        runner.stop(StopCause.INTERRUPTED);

        assertThatThrownBy(runner::run).hasMessage("interrupted before the clients connected");
        assertThat(TestServer.number(url, "select count(*) from docs_copy")).isEqualTo(1);
        TestServer.execute(url, "truncate docs_copy");
    }

    /** A short run consists mostly of these: connections cost the server about 3 ms each, and statements a round trip. */
    @Test
    void itNeedsFewConnectionsAndStatements() throws Exception {
        String own = TestServer.freshDatabase("run_statements");
        TestServer.table(own, "docs", 10);
        String sessions = "select sessions from pg_stat_database where datname = 'run_statements'";
        String calls =
                "select coalesce(sum(calls), 0) from pg_stat_statements where dbid = (select oid from pg_database"
                        + " where datname = 'run_statements') and ";
        String operations = calls + "query ~ '^select _id, data'";
        // others are repeated as time passes, or until counts are complete and readings of one moment
        String statements =
                calls + "query !~ '^select (_id, data|path, pg_read_file|count[(].[)] from pg_stat_activity)"
                        + "|^with postmaster'";
        long sessionsBefore = TestServer.number(url, sessions);
        long statementsBefore = TestServer.number(url, statements);

        Runner runner = Runs.runner(
                Runs.spec("-t docs -c 1 --warmup 0 -T 50 -P 50 --no-wait-samples --url " + own), RunListener.NONE);
        RunResult result;
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<RunResult> running = thread.submit(runner::run);
            while (TestServer.number(url, operations) < OPERATIONS && !running.isDone()) {
                Thread.onSpinWait();
            }
            runner.stop(StopCause.MEASURED_ENOUGH);
            result = running.get();
        } finally {
            thread.shutdownNow();
        }

        assertThat(result.reasons())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.NO_SUCCESS, RemarkCode.NO_SUCCESS_OF_BEGUN, RemarkCode.NONE_ENDED);
        assertThat(TestServer.number(url, sessions) - sessionsBefore)
                .as("with the client's")
                .isBetween(1L, MAX_SESSIONS);
        assertThat(TestServer.number(url, statements) - statementsBefore).isBetween(1L, MAX_STATEMENTS);
    }
}
