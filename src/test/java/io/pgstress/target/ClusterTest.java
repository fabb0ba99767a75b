package io.pgstress.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.CountingProxy;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Finds a hanging server before statements would wait for it. */
@Slow
final class ClusterTest {
    private static ClusterNode member(String name, int port) {
        String url = TestServer.maintenanceUrl().replace(":" + TestServer.port(), ":" + port);
        return new ClusterNode(name, "worker", TestServer.connector(url), true, true);
    }

    @Test
    void namesAHangingServerButNotOneThatIsDown() {
        try (CountingProxy still = new CountingProxy(TestServer.port())) {
            still.standStill();
            List<ClusterNode> members = List.of(
                    member("w1", TestServer.port()),
                    member("w2", still.port()),
                    member("w3", 1),
                    member("w4", still.port()));

            long start = System.nanoTime();
            assertThatThrownBy(() -> Cluster.check(members, 1))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("w2 (worker), w4 (worker): no answer within 1 s");
            assertThat((System.nanoTime() - start) / 1e9).isLessThan(4);
        }
    }

    @Test
    void acceptsServersThatAnswer() {
        Cluster.check(List.of(member("w1", TestServer.port()), member("w2", TestServer.port())), 5);
    }

    @Test
    void abandonsConnectingToAHangingServer() {
        try (CountingProxy still = new CountingProxy(TestServer.port())) {
            still.standStill();
            String url = TestServer.maintenanceUrl().replace(":" + TestServer.port(), ":" + still.port());

            SQLException silent = catchThrowableOfType(
                    SQLException.class, () -> TestServer.connector(url).open(SessionPurpose.LOOKUP.within(1, 30)));
            assertThat(Target.unreachable(Endpoint.parse(url), silent))
                    .hasMessageStartingWith("cannot connect to ")
                    .hasMessageEndingWith(": no answer within 1 s");
            assertThatThrownBy(() -> Target.open(Runs.spec("-t t --url " + url + "&socketTimeout=1")))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("cannot connect to ")
                    .hasMessageEndingWith(": it does not answer");
        }
    }

    @Test
    void serverThatRejectsTheRoleIsNotDown() {
        assertThat(Cluster.isOfServerThatIsDown(new SQLException("no password was provided", "08004")))
                .isFalse();
        assertThat(Cluster.isOfServerThatIsDown(new SQLException("refused", "08001")))
                .isTrue();
        assertThat(Cluster.isOfServerThatIsDown(new SQLException("starting up", "57P03")))
                .isTrue();
    }

    @Test
    void serverThatRefusesConnectionsIsDownButAHangingOneIsNot() {
        try (CountingProxy still = new CountingProxy(TestServer.port())) {
            still.standStill();

            assertThat(Cluster.isDown(member("w1", 1))).isTrue();
            assertThat(Cluster.isDown(member("w2", still.port()))).isFalse();
            assertThat(Cluster.isDown(member("w3", TestServer.port()))).isFalse();
        }
    }
}
