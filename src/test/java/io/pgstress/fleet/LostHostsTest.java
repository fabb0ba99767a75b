package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess;
import io.pgstress.target.ServerAccess.Between;
import io.pgstress.target.ServerFacts;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A lost host writes nothing more: its lease has passed, and the server has ended its sessions. */
final class LostHostsTest {
    private static final String LOST = SessionPurpose.AGENT_NAME + "lost-0";
    private static final String OTHER = SessionPurpose.AGENT_NAME + "lost-1";

    private static String url;
    private final TestHosts fleet = new TestHosts(2);

    @BeforeAll
    static void open() {
        url = TestServer.freshDatabase("lost_hosts");
    }

    private static Target target(String itsUrl, ServerAccess access) throws SQLException {
        Connector connector = TestServer.connector(itsUrl);
        try (Connection lookup = connector.open(SessionPurpose.LOOKUP)) {
            ServerFacts facts = ServerFacts.read(lookup, Dialects.postgreSql());
            return new Target(List.of(new Node(itsUrl, 1, connector, facts, access)), Dialects.postgreSql(), List.of());
        }
    }

    /** The first of two hosts is lost. */
    private LostHosts lost() {
        List<RemoteHost> hosts = List.of(host(0, LOST), host(1, OTHER));
        assertThat(hosts.get(0).lost("silent", 0)).isTrue();
        return of(hosts);
    }

    private LostHosts of(List<RemoteHost> hosts) {
        return new LostHosts(new RemoteHosts(hosts, (member, message) -> {}), fleet, fleet::sleepUntil);
    }

    private static RemoteHost host(int number, String sessions) {
        return new RemoteHost(
                new Member("h" + number, "10.0.0." + number + ":7800", number),
                "h" + number,
                new Message.Work(number, 2, number, 2, List.of(0, 1), sessions, Map.of(), Map.of()),
                1);
    }

    private static long sessions(String name) {
        return TestServer.number(url, "select count(*) from pg_stat_activity where application_name = '" + name + "'");
    }

    @Test
    void sessionsOfTheLostHostOnlyAreEnded() throws SQLException {
        Target target = target(url, ServerAccess.DIRECT);
        Connector connector = target.first().connector();
        try (Connection ofLost = connector.naming(LOST).open(SessionPurpose.LOAD);
                Connection ofOther = connector.naming(OTHER).open(SessionPurpose.LOAD);
                Connection ofRun = connector.open(SessionPurpose.LOAD)) {
            assertThat(sessions(LOST)).isEqualTo(1);
            assertThat(TestServer.number(
                            url,
                            "select count(*) from pg_stat_activity where datname = current_database() and "
                                    + SessionPurpose.IS_OF_LOAD))
                    .isEqualTo(3);
            assertThat(lost().endSessions(target, LostHosts.MAX_MILLIS)).isEmpty();
            assertThat(sessions(LOST)).isZero();
            assertThat(ofLost.isValid(1)).isFalse();
            assertThat(ofOther.isValid(1)).isTrue();
            assertThat(ofRun.isValid(1)).isTrue();
        }
    }

    @Test
    void sessionsThatMayNotBeEndedAreReported() throws SQLException {
        TestServer.execute(url, "drop role if exists lost_hosts_weak", "create role lost_hosts_weak login");
        Target weak = target(url.replace("user=postgres", "user=lost_hosts_weak"), ServerAccess.DIRECT);
        try (Connection ofLost = TestServer.connector(url).naming(LOST).open(SessionPurpose.LOAD)) {
            List<Remark> remarks = lost().endSessions(weak, LostHosts.MAX_MILLIS);
            assertThat(remarks).extracting(Remark::code).containsExactly(RemarkCode.LOST_HOST_MAY_WRITE);
            assertThat(remarks.get(0).figures()).containsEntry("host", "h0").containsEntry("sessions", 1L);
            assertThat(ofLost.isValid(1)).isTrue();
        }
    }

    @Test
    void sessionsBehindATransactionPoolerAreReported() throws SQLException {
        Target shared = target(url, new ServerAccess(Between.TRANSACTION_POOLER, List.of()));
        assertThat(lost().endSessions(shared, LostHosts.MAX_MILLIS))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.LOST_HOST_MAY_WRITE);
    }

    /** Two servers accept connections and never answer: the time limit is one for both servers and both hosts. */
    @Test
    void serversThatDoNotAnswerAreReportedTogether() throws SQLException, IOException {
        Target answering = target(url, ServerAccess.DIRECT);
        List<RemoteHost> hosts = List.of(host(0, LOST), host(1, OTHER));
        hosts.forEach(host -> assertThat(host.lost("silent", 0)).isTrue());
        try (ServerSocket first = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            List<Node> silent = Stream.of(first, second)
                    .map(socket -> "jdbc:postgresql://127.0.0.1:" + socket.getLocalPort() + "/silent?user=postgres")
                    .map(its -> new Node(
                            its,
                            1,
                            TestServer.connector(its),
                            answering.nodes().get(0).facts(),
                            ServerAccess.DIRECT))
                    .toList();
            long from = System.nanoTime();
            List<Remark> remarks = of(hosts).endSessions(new Target(silent, Dialects.postgreSql(), List.of()), 200);
            assertThat(System.nanoTime() - from).isLessThan(4 * TestHosts.SECOND);
            assertThat(remarks)
                    .extracting(
                            remark -> remark.figures().get("host"),
                            remark -> remark.figures().get("url"))
                    .containsExactly(
                            tuple("h0", silent.get(0).url()),
                            tuple("h1", silent.get(0).url()),
                            tuple("h0", silent.get(1).url()),
                            tuple("h1", silent.get(1).url()));
            assertThat(remarks)
                    .allSatisfy(remark -> assertThat(remark.figures()).containsKey("why"));
        }
    }

    @Test
    void waitsForTheLeaseOfALostHostOnly() {
        LostHosts hosts = new LostHosts(fleet.hosts(), fleet, fleet::sleepUntil);
        long start = fleet.nanoTime();
        fleet.hosts().lease(fleet.host(0), start);
        fleet.hosts().lease(fleet.host(1), start + 3 * TestHosts.SECOND);
        assertThat(hosts.await(() -> false)).isTrue();
        assertThat(fleet.nanoTime()).isEqualTo(start);

        assertThat(fleet.host(0).lost("silent", 0)).isTrue();
        assertThat(hosts.await(() -> true)).isFalse();
        assertThat(hosts.await(() -> false)).isTrue();
        assertThat(fleet.nanoTime()).isGreaterThan(start + Message.Lease.NANOS);
        assertThat(fleet.nanoTime()).isLessThan(start + Message.Lease.NANOS + TestHosts.SECOND);
    }
}
