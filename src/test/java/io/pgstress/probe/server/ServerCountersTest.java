package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.plan.RunSpec;
import io.pgstress.probe.server.ServerCounters.Statements;
import io.pgstress.probe.server.StatementsView.Losses;
import io.pgstress.report.Samples;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.runner.TestContext;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a server counted between two readings. */
final class ServerCountersTest {
    private static final String WHAT = "pg_stat_statements of a";

    /** Before PostgreSQL 14. */
    private static Statements with(Map<Long, ServerStatement> statements) {
        return new Statements(statements, new Losses(null, null, false));
    }

    private static Statements with(Map<Long, ServerStatement> statements, String resetAt, long drops) {
        return new Statements(statements, new Losses(resetAt, drops, false));
    }

    private static ServerStatement calls(long calls) {
        return new ServerStatement("", "select 1", calls, calls, calls, null, 0L, 0L, null);
    }

    @Test
    void callsAreThoseBetweenTheTwoReadings() {
        assertThat(with(Map.of(7L, calls(12))).since(with(Map.of(7L, calls(10))), "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(2));
        assertThat(with(Map.of(7L, calls(12))).since(with(Map.of()), "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(12));
    }

    @Test
    void countsThatWereResetAreSaidHoweverLargeTheyAreAgain() {
        Statements before = with(Map.of(7L, calls(10), 8L, calls(1)), "09:00", 3);
        Statements after = with(Map.of(7L, calls(500)), "09:01", 0);

        assertThat(after.loss(before, WHAT))
                .contains(RemarkCode.COUNTERS_RESET.with("what", WHAT).remark());
        assertThat(after.since(before, "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(500));
        assertThat(with(Map.of(7L, calls(500), 8L, calls(1)), "09:00", 3).loss(before, WHAT))
                .isEmpty();
    }

    /** Those of one role, database or statement may be removed alone, and the server before PostgreSQL 14 tells no time of a reset. */
    @Test
    void entriesThatAreGoneShowAReset() {
        Statements before = with(Map.of(7L, calls(10), 8L, calls(1)));
        assertThat(with(Map.of(7L, calls(500))).loss(before, WHAT))
                .contains(RemarkCode.COUNTERS_RESET.with("what", WHAT).remark());
        assertThat(with(Map.of(7L, calls(9), 8L, calls(1))).loss(before, WHAT))
                .contains(RemarkCode.COUNTERS_RESET.with("what", WHAT).remark());
        assertThat(with(Map.of(7L, calls(500), 8L, calls(1))).loss(before, WHAT))
                .isEmpty();
    }

    /** Its entry was removed alone, and then created again. */
    @Test
    void statementOfWhichTheServerCountedFewerExecutionsThanTheClientsMadeWasReset() {
        List<ServerStatement> counted = List.of(counted("select a from \"t\" where b = $1 limit  $2", 571));

        assertThat(ServerCounters.missing(List.of(made("select a from \"t\" where b = ? limit 1", 1500, 0)), counted))
                .contains(RemarkCode.STATEMENTS_MISSING
                        .with("counted", 571L)
                        .with("made", 1500L)
                        .remark());
        assertThat(ServerCounters.missing(List.of(made("select a from \"t\" where b = ? limit 1", 572, 0)), counted))
                .isEmpty();
        assertThat(ServerCounters.missing(List.of(made("select a from \"t\" where b = ? limit 1", 1500, 640)), counted))
                .as("most operations failed, in the warm-up too")
                .isEmpty();
        assertThat(ServerCounters.missing(List.of(made("select a from \"t\"", 1500, 0)), counted))
                .as("perhaps the server does not count it")
                .isEmpty();
    }

    private static ServerStatement counted(String sql, long calls) {
        return new ServerStatement("", sql, calls, calls, calls, null, 0L, 0L, null);
    }

    /** @param inAll executions of a statement in the whole run, two thirds of them in the measurement */
    private static OperationResult made(String sql, long inAll, long failed) {
        return Samples.with(
                Samples.with(
                        OperationResult.NONE,
                        "statements",
                        Map.of("s", new StatementResult(sql, inAll * 2 / 3, inAll, inAll, null))),
                "errors",
                Map.of("40001", new ErrorCount(failed, "")));
    }

    @Test
    void viewThatIsFullDropsRarelyUsedEntries() {
        Statements before = with(Map.of(7L, calls(10), 8L, calls(1)), "09:00", 3);

        assertThat(with(Map.of(7L, calls(500)), "09:00", 4).loss(before, WHAT)).isEmpty();
        assertThat(with(Map.of(7L, calls(2)), "09:00", 4).loss(before, WHAT))
                .contains(RemarkCode.COUNTERS_DROPPED.with("what", WHAT).remark());
    }

    /** What was noted of counters that the server had before, after it did this. */
    private static List<Object> notedAfter(String url, String... statements) throws InterruptedException, SQLException {
        Notes notes = new Notes();
        ServerLink link = new ServerLink(
                new ServerList.ObservedServer("a", ServerList.SINGLE, TestServer.connector(url), false, true, null),
                notes);
        RunSpec spec = Runs.spec("-t docs --url " + url);
        try (TestContext context = new TestContext(spec, Target.open(spec))) {
            ServerCounters counters = new ServerCounters("a", link);
            counters.begin();
            TestServer.execute(url, statements);
            counters.end();
            counters.contribute(context.findings());
        }
        link.drop();
        return notes.all().stream().map(note -> note.figures().get("what")).toList();
    }

    @Test
    void resetsWithinTheRunAreSaid() throws InterruptedException, SQLException {
        String url = TestServer.freshDatabase("resets");
        TestServer.table(url, "docs", 100);

        assertThat(notedAfter(url, "select count(*) from docs")).isEmpty();
        assertThat(notedAfter(url, "select pg_stat_statements_reset()")).containsExactly(WHAT);
        assertThat(
                        notedAfter(
                                url,
                                "select pg_stat_statements_reset(0, oid, 0) from pg_database where datname = current_database()"))
                .containsExactly(WHAT);
        assertThat(notedAfter(url, "select pg_stat_reset()")).containsExactly("pg_stat_database of a");
    }

    /** Two URLs of one server, and one of another database on it. */
    @Test
    void serverOfSeveralUrlsCountsOnce() throws InterruptedException, SQLException {
        String url = TestServer.freshDatabase("several_urls");
        String other = TestServer.freshDatabase("several_urls_other");
        TestServer.table(url, "docs", 100);
        TestServer.table(other, "docs", 100);
        RunSpec spec = Runs.spec("-t docs --url " + url);
        try (TestContext context = new TestContext(spec, Target.open(spec))) {
            Findings findings = context.findings();
            Findings ofOne = context.findings();
            List<ServerLink> links = new ArrayList<>();
            List<ServerCounters> all = new ArrayList<>();
            for (String each : List.of(url, url, url + "&tcpKeepAlive=true", other)) {
                ServerLink link = new ServerLink(
                        new ServerList.ObservedServer(
                                each, ServerList.SINGLE, TestServer.connector(each), false, true, null),
                        new Notes());
                links.add(link);
                all.add(new ServerCounters(each, link));
            }
            all.forEach(ServerCounters::begin);
            String flush = "select pg_stat_force_next_flush()";
            TestServer.execute(url, "update docs set data = '{}'", flush);
            TestServer.execute(other, "update docs set data = '{}' where _id in (select _id from docs limit 7)", flush);
            for (ServerCounters each : all.subList(1, all.size())) {
                each.end();
                each.contribute(findings);
            }
            all.get(0).end(); // began before the others
            all.get(0).contribute(ofOne);
            links.forEach(ServerLink::drop);

            assertThat(findings.counts().database).containsEntry("tup_updated", 107.0);
            assertThat(findings.counts().statements)
                    .filteredOn(statement -> statement.query().startsWith("update docs"))
                    .extracting(ServerStatement::node, ServerStatement::rows)
                    .containsExactly(tuple(url, 100L), tuple(other, 7L));
            assertThat(findings.counts().wal.get("wal_records"))
                    .isBetween(107.0, ofOne.counts().wal.get("wal_records"));
        }
    }

    @Test
    void reportsAMissingExtensionWithTheCommandThatCreatesIt() throws InterruptedException {
        String url = TestServer.freshDatabase("no_statistics");
        TestServer.execute(url, "drop extension pg_stat_statements");
        Notes notes = new Notes();
        ServerLink link = new ServerLink(
                new ServerList.ObservedServer("a", ServerList.SINGLE, TestServer.connector(url), false, true, null),
                notes);

        new ServerCounters(url, link).begin();
        link.drop();

        assertThat(notes.all())
                .extracting(Remark::code, note -> note.figures().get("servers"))
                .containsExactly(tuple(RemarkCode.STATEMENTS_UNAVAILABLE, "a"));
    }

    @Test
    void reportsThatStatementsAreNotCounted() throws InterruptedException {
        String url = TestServer.freshDatabase("untracked");
        TestServer.execute(url, "alter database untracked set pg_stat_statements.track = 'none'");
        Notes notes = new Notes();
        ServerLink link = new ServerLink(
                new ServerList.ObservedServer("a", ServerList.SINGLE, TestServer.connector(url), false, true, null),
                notes);

        new ServerCounters(url, link).begin();
        link.drop();

        assertThat(notes.all())
                .extracting(Remark::code, note -> note.figures().get("remedy"))
                .containsExactly(tuple(RemarkCode.STATEMENTS_UNAVAILABLE, "set pg_stat_statements.track = top"));
    }

    @Test
    void sessionsOfAnotherRunAreNotThoseThatHaveNotEnded() throws SQLException, InterruptedException {
        String url = TestServer.freshDatabase("sessions_left");
        Notes notes = new Notes();
        ServerLink link = new ServerLink(
                new ServerList.ObservedServer("a", ServerList.SINGLE, TestServer.connector(url), false, true, null),
                notes);
        AtomicBoolean isOver = new AtomicBoolean();
        try (Connection ending = DriverManager.getConnection(url + "&ApplicationName=pgstress");
                Connection working = DriverManager.getConnection(url + "&ApplicationName=pgstress")) {
            ControlSql.number(ending, "select 1");
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                while (!isOver.get()) {
                    assertThatCode(() -> ControlSql.number(working, "select 1")).doesNotThrowAnyException();
                }
            });
            new ServerCounters(url, link).end();
            isOver.set(true);
            other.join();
        }
        link.drop();

        assertThat(notes.all())
                .singleElement()
                .satisfies(note -> assertThat(note.figures()).containsEntry("sessions", 1L));
    }
}
