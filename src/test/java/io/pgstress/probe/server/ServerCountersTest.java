package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.probe.server.ServerCounters.Reading;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a server counted between two readings. */
final class ServerCountersTest {
    private static Reading with(Map<Long, ServerStatement> statements) {
        return new Reading(Map.of(), Map.of(), statements);
    }

    private static ServerStatement calls(long calls) {
        return new ServerStatement("", "select 1", calls, calls, calls, null, 0L, 0L, null);
    }

    @Test
    void callsAreThoseBetweenTheTwoReadings() {
        assertThat(with(Map.of(7L, calls(12))).statementsSince(with(Map.of(7L, calls(10))), "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(2));
        assertThat(with(Map.of(7L, calls(12))).statementsSince(with(Map.of()), "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(12));
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

    @Test
    void reportsNothingWithoutTheFirstReading() {
        assertThat(with(Map.of(7L, calls(12))).statementsSince(Reading.NONE, "a"))
                .isEmpty();
        assertThat(Reading.NONE.statementsSince(with(Map.of(7L, calls(12))), "a"))
                .isEmpty();
    }
}
