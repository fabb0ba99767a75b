package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.ServerCounters.Counted;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server counted between two readings. */
final class ServerCountersTest {
    private static ServerCounters with(Map<Long, Counted> statements) {
        return new ServerCounters(Map.of(), Map.of(), statements);
    }

    private static Counted calls(long calls) {
        return new Counted("select 1", calls, calls, calls, 0, 0, null);
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
    void reportsAMissingExtensionWithTheCommandThatCreatesIt() throws SQLException {
        String url = TestServer.freshDatabase("no_statistics");
        TestServer.execute(url, "drop extension pg_stat_statements");
        List<String> notes = new ArrayList<>();

        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            assertThat(ServerCounters.read(connection, "a", notes::add).statements())
                    .isNull();
        }

        assertThat(notes)
                .containsExactly("statement statistics of a unavailable: run CREATE EXTENSION pg_stat_statements");
    }

    @Test
    void reportsNothingWithoutTheFirstReading() {
        assertThat(with(Map.of(7L, calls(12))).statementsSince(ServerCounters.NONE, "a"))
                .isEmpty();
        assertThat(ServerCounters.NONE.statementsSince(with(Map.of(7L, calls(12))), "a"))
                .isEmpty();
    }
}
