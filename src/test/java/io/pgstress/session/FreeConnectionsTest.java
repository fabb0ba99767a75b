package io.pgstress.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.PoolSpec;
import io.pgstress.plan.RunSpec;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess;
import io.pgstress.target.ServerFacts;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@Slow
final class FreeConnectionsTest {
    private static final PoolSpec NO_POOL = new PoolSpec("none", 0);

    private static Node node(int clients, int free, boolean sharesSessions) {
        ServerFacts facts =
                new ServerFacts("PostgreSQL", 180_000, Map.of(), 100, free, "max_connections 100", null, Map.of());
        Connector connector = new Connector(new Endpoint("jdbc:postgresql://127.0.0.1:1/x", 0), Login.of(""));
        return new Node(
                "url",
                clients,
                connector,
                facts,
                new ServerAccess(
                        sharesSessions ? ServerAccess.Between.TRANSACTION_POOLER : ServerAccess.Between.NOTHING,
                        List.of()));
    }

    private static Target target(Node... nodes) throws SQLException {
        try (Connection connection =
                TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.CONTROL)) {
            return new Target(Arrays.asList(nodes), Dialects.of(Dialects.AUTO, connection), List.of());
        }
    }

    @Test
    void serverNeedsAConnectionPerClientAndFiveMore() throws SQLException {
        Target enough = target(node(5, 10, false));
        assertThatCode(() -> FreeConnections.check(enough, NO_POOL)).doesNotThrowAnyException();

        Target tooFew = target(node(5, 10, false), node(6, 10, false));
        assertThatThrownBy(() -> FreeConnections.check(tooFew, NO_POOL))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(
                        "has 10 free connections (max_connections 100), but this run needs 11: 6 for clients and 5 for control.");
    }

    @Test
    void poolNeedsItsSizeOnEachServer() throws SQLException {
        Target target = target(node(50, 10, false));

        assertThatCode(() -> FreeConnections.check(target, new PoolSpec("hikari", 5)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> FreeConnections.check(target, new PoolSpec("hikari", 6)))
                .isInstanceOf(TargetException.class);
    }

    @Test
    void poolerSetsNoLimit() throws SQLException {
        Target target = target(node(50, 10, true));

        assertThatCode(() -> FreeConnections.check(target, NO_POOL)).doesNotThrowAnyException();
        assertThat(FreeConnections.maxClients(target, NO_POOL)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void searchEndsBeforeARunWouldBeRefused() throws SQLException {
        int most = FreeConnections.maxClients(target(node(1, 10, false), node(1, 12, false)), NO_POOL);

        assertThat(most).isEqualTo(10);
        assertThatCode(() ->
                        FreeConnections.check(target(node(most / 2, 10, false), node(most / 2, 12, false)), NO_POOL))
                .doesNotThrowAnyException();
        assertThat(FreeConnections.maxClients(target(node(1, 2, false)), NO_POOL))
                .isEqualTo(1);
        assertThat(FreeConnections.maxClients(target(node(1, 10, false)), new PoolSpec("hikari", 6)))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void runUsesNoMoreConnectionsThanReserved() throws Exception {
        String url = TestServer.freshDatabase("reserved");
        TestServer.table(url, "docs", 100);
        RunSpec spec = Runs.spec("-t docs --op find_insert -c 2 --warmup 100ms -T 1s --url " + url);
        Runner runner = Runs.runner(spec, RunListener.NONE);
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> {
            try {
                runner.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        int most = 0;
        try (Connection observer = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            Set<Integer> before = new HashSet<>();
            while (!run.isDone()) {
                Set<Integer> now = controlSessions(observer);
                before.retainAll(now); // the server needs a moment to end closed sessions
                most = Math.max(most, before.size());
                before = now;
                LockSupport.parkNanos(100_000_000);
            }
        }

        run.get();
        assertThat(most).isBetween(1, FreeConnections.RESERVED);
    }

    private static Set<Integer> controlSessions(Connection observer) throws SQLException {
        Set<Integer> sessions = new HashSet<>();
        try (Statement statement = observer.createStatement();
                ResultSet rows = statement.executeQuery("select pid from pg_stat_activity where datname = 'reserved'"
                        + " and application_name = 'pgstress control' and pid <> pg_backend_pid()")) {
            while (rows.next()) {
                sessions.add(rows.getInt(1));
            }
        }
        return sessions;
    }
}
