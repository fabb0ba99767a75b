package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.machine.MachineCounters;
import io.pgstress.probe.server.HostReader.ServerProcesses;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** CPU time of a server's own processes. */
final class ServerProcessesTest {
    private static String url;

    @BeforeAll
    static void makeDatabase() {
        assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
                "the server's processes: only Linux has /proc");
        url = TestServer.freshDatabase("server_processes");
    }

    @Test
    void sessionsCount() throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            long before = ticks(connection);
            burn(connection);

            assertThat(ServerProcesses.read(connection)).containsPattern("(?m)^cpu +\\d+ ");
            assertThat(pids(ServerProcesses.read(connection)))
                    .doesNotHaveDuplicates()
                    .contains(pid(connection));
            assertThat(ticks(connection)).isGreaterThan(before);
        }
    }

    @Test
    void copiedFilesHaveTheSameProcesses() throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            String lines = ServerProcesses.copied(connection).lines();
            HostReader.removeCopy(connection);

            assertThat(lines).containsPattern("(?m)^cpu +\\d+ ");
            assertThat(pids(lines))
                    .doesNotHaveDuplicates()
                    .contains(pid(connection))
                    .hasSizeGreaterThan(2);
        }
    }

    /** Clients disconnect when a measurement ends, which is when the processes are read. */
    @Test
    void timeOfSessionsThatEndDuringAReadingIsNeitherLostNorCountedTwice() throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            List<Connection> sessions = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sessions.add(TestServer.connector(url).open(SessionPurpose.CONTROL));
                burn(sessions.get(i));
            }
            List<Long> readings = new ArrayList<>(List.of(ticks(connection)));
            TestServer.execute(
                    url,
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where datname = current_database() and pid not in (pg_backend_pid(), " + pid(connection)
                            + ")");
            for (int i = 0; i < 50; i++) {
                readings.add(ticks(connection));
            }
            for (Connection session : sessions) {
                session.close();
            }

            assertThat(readings).isSorted();
        }
    }

    private static void burn(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select count(*) from generate_series(1, 300000)");
        }
    }

    private static String pid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getString(1);
        }
    }

    private static List<String> pids(String lines) {
        return lines.lines()
                .map(line -> line.split(" ", -1)[0])
                .filter(word -> !word.equals("cpu"))
                .toList();
    }

    private static long ticks(Connection connection) throws SQLException {
        return Objects.requireNonNull(MachineCounters.processTicks(ServerProcesses.read(connection)));
    }
}
