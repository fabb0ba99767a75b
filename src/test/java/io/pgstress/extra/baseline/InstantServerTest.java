package io.pgstress.extra.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.TestServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InstantServerTest {
    private static final int EXECUTIONS = 40;

    private String direct;
    private InstantServer server;

    @BeforeEach
    void start() throws Exception {
        direct = TestServer.freshDatabase("instant");
        TestServer.execute(
                direct,
                "create sequence seen",
                "create table t (id int primary key, v text)",
                "insert into t select i, 'value ' || i from generate_series(1, 100) i");

        InetAddress loopback = InetAddress.getLoopbackAddress();
        server = new InstantServer(
                new InetSocketAddress(loopback, 0), new InetSocketAddress(loopback, TestServer.port()));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private Connection connect(String application, int prepareThreshold) throws SQLException {
        return DriverManager.getConnection(direct.replaceFirst(":\\d+/", ":" + server.port() + "/")
                + "&assumeMinServerVersion=9.4&ApplicationName=" + application + "&prepareThreshold="
                + prepareThreshold);
    }

    private long seen() {
        return TestServer.number(direct, "select last_value from seen");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void statementsReachTheServerOnlyUntilItsAnswersAreKnown(int prepareThreshold) throws SQLException {
        List<Integer> answers = new ArrayList<>();
        try (Connection load = connect("pgstress", prepareThreshold);
                PreparedStatement statement = load.prepareStatement("select nextval('seen'), ?::int")) {
            for (int i = 1; i <= EXECUTIONS; i++) {
                statement.setInt(1, i);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    answers.add(rows.getInt(1));
                }
            }
        }

        assertThat(answers).hasSize(EXECUTIONS).startsWith(1, 2, 3);
        assertThat(seen())
                .isLessThan(EXECUTIONS)
                .isEqualTo(answers.get(EXECUTIONS - 1).longValue());
    }

    @Test
    void literalsOfPlainStatementsMakeNoDifference() throws SQLException {
        try (Connection load = connect("pgstress", 5);
                Statement statement = load.createStatement()) {
            for (int i = 1; i <= EXECUTIONS; i++) {
                try (ResultSet rows =
                        statement.executeQuery("select nextval('seen'), v from t where id = " + (i % 100 + 1))) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(2)).startsWith("value ");
                }
            }
        }

        assertThat(seen()).isLessThan(EXECUTIONS);
    }

    @Test
    void quotedLiteralsMakeNoDifference() throws SQLException {
        try (Connection load = connect("pgstress", 5);
                Statement statement = load.createStatement()) {
            for (int i = 1; i <= EXECUTIONS; i++) {
                String text = "it''s " + "x".repeat(i);
                statement.executeUpdate("update t set v = '" + text + "' || nextval('seen') where id = 1");
            }
        }

        assertThat(seen()).isLessThan(EXECUTIONS);
    }

    @Test
    void sessionsThatObserveAlwaysReachTheServer() throws SQLException {
        try (Connection control = connect("pgstress control", 5);
                Statement statement = control.createStatement()) {
            for (int i = 1; i <= EXECUTIONS; i++) {
                statement.execute("select nextval('seen')");
            }
        }

        assertThat(seen()).isEqualTo(EXECUTIONS);
    }

    /** The answer to the second client's statement comes only after the first client's commit, on the same thread of the server. */
    @Test
    @Timeout(30)
    void clientThatWaitsForALockDoesNotHoldUpTheOneThatHasIt() throws Exception {
        try (Connection first = connect("pgstress", 5);
                Connection second = connect("pgstress", 5);
                Connection third = connect("pgstress", 5);
                Connection fourth = connect("pgstress", 5)) {
            first.setAutoCommit(false);
            update(first);
            List<Thread> waiting = new ArrayList<>();
            for (Connection other : List.of(second, third, fourth)) {
                Thread thread = new Thread(() -> update(other));
                thread.start();
                waiting.add(thread);
            }
            while (TestServer.number(direct, "select count(*) from pg_locks where not granted") < 3) {
                TestServer.execute(direct, "select pg_sleep(0.01)");
            }

            first.commit();
            for (Thread thread : waiting) {
                thread.join();
            }
        }

        assertThat(TestServer.number(direct, "select length(v) from t where id = 1"))
                .isEqualTo("value 1".length() + 4);
    }

    private static void update(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update t set v = v || '+' where id = 1");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
