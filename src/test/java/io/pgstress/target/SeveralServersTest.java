package io.pgstress.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.result.ReachedSessions;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.testing.Runs;
import io.pgstress.testing.ServerHomes;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TcpProxy;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Behind a proxy or a URL of several hosts, each session says which server it has reached. */
@Slow
final class SeveralServersTest {
    private static final Path FIRST = Path.of("target", "reached-server-1").toAbsolutePath();
    private static final Path SECOND = Path.of("target", "reached-server-2").toAbsolutePath();
    private static final String DATABASE = "reached";

    private static EmbeddedServer first;
    private static EmbeddedServer second;

    /** The second server is a copy of the first one; both are kept between builds. */
    @BeforeAll
    static void start() throws IOException {
        if (!Files.exists(SECOND)) {
            EmbeddedServer.open(FIRST).close();
            ServerHomes.copy(FIRST, SECOND);
        }
        first = EmbeddedServer.open(FIRST);
        second = EmbeddedServer.open(SECOND);
        for (EmbeddedServer server : List.of(first, second)) {
            TestServer.execute(server.url(), "drop database if exists " + DATABASE, "create database " + DATABASE);
            TestServer.table(database(server), "docs", 200);
        }
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    private static Path data(Path home) throws IOException {
        try (Stream<Path> files = Files.find(home, 3, (file, about) -> file.endsWith("PG_VERSION"))) {
            return files.findFirst().orElseThrow().getParent();
        }
    }

    private static String database(EmbeddedServer server) {
        return server.url().replace("/postgres?", "/" + DATABASE + "?");
    }

    private static RunResult run(String url, int clients) {
        return Runs.run("-t docs -c " + clients + " --think 2ms -T 0.4 --warmup 0 -P 0.1 --url " + url);
    }

    private static List<ReachedSessions> reached(RunResult result) {
        return result.nodes().get(0).reached();
    }

    @Test
    void sessionsAreReportedByServer() {
        try (TcpProxy proxy = new TcpProxy(first.port(), second.port())) {
            RunResult result = run(proxy.through(database(first)), 4);
            assertThat(reached(result))
                    .extracting(ReachedSessions::server)
                    .containsExactlyInAnyOrder("127.0.0.1:" + first.port(), "127.0.0.1:" + second.port());
            assertThat(reached(result)).extracting(ReachedSessions::sessions).containsExactly(2L, 2L);
            assertThat(reached(result))
                    .extracting(ReachedSessions::systemIdentifier)
                    .doesNotContainNull();
            assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
            assertThat(result.serverProfile().counts().database().get("xact_commit"))
                    .as("both servers' counters")
                    .isGreaterThanOrEqualTo((double) result.total().okInWindow());
        }
    }

    @Test
    void hostsOfTheUrlAreReported() {
        String url = database(first).replaceFirst(":\\d+/", ":" + first.port() + ",127.0.0.1:" + second.port() + "/")
                + "&loadBalanceHosts=true";
        RunResult result = run(url, 12);
        assertThat(reached(result).stream().mapToLong(ReachedSessions::sessions).sum())
                .isEqualTo(12);
        assertThat(result.servers()).extracting(ServerInfo::pooling).containsOnlyNulls();
        assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
    }

    @Test
    void aProxyBeforeOneServerIsReported() {
        try (TcpProxy proxy = new TcpProxy(first.port())) {
            RunResult result = run(proxy.through(database(first)), 3);
            assertThat(result.servers()).extracting(ServerInfo::pooling).containsExactly("none");
            assertThat(reached(result)).extracting(ReachedSessions::sessions).containsExactly(3L);
        }
    }

    @Test
    void refusesToWriteWhereSomeSessionsReachAStandby() throws IOException {
        Path signal = data(SECOND).resolve("standby.signal");
        second.close();
        Files.writeString(signal, "");
        second = EmbeddedServer.open(SECOND);
        try (TcpProxy proxy = new TcpProxy(first.port(), second.port())) {
            String url = proxy.through(database(first));
            assertThat(Runs.reasonsOfTheRunItself(run(url, 4))).isEmpty();
            assertThatThrownBy(() -> Runs.run("-t docs -c 2 -T 0.1 --op find_update --url " + url))
                    .hasMessageEndingWith(" leads to 127.0.0.1:" + second.port()
                            + ", which is a standby, and find_update writes: name the primary alone, or add"
                            + " targetServerType=primary to the URL");
        } finally {
            second.close();
            Files.delete(signal);
            second = EmbeddedServer.open(SECOND);
        }
    }

    /** Tables are prepared and checked on the first only. */
    @Test
    void refusesToWriteToSeparateDatabases() {
        String other = first.url();
        assertThatThrownBy(() ->
                        Runs.run("-t docs -c 2 -T 0.1 --op find_update --url " + database(first) + " --url " + other))
                .hasMessageContaining(" are separate databases, and find_update writes to tables");
        assertThat(Runs.reasonsOfTheRunItself(Runs.run(
                        "-t docs -c 2 -T 0.1 --op find_first --url " + database(first) + " --url " + database(first))))
                .isEmpty();
    }

    @Test
    void theOnlyServerIsNotAsked() {
        RunResult result = run(database(first), 2);
        assertThat(result.servers()).extracting(ServerInfo::pooling).containsOnlyNulls();
        assertThat(reached(result)).isNull();
    }

    @Test
    void refusesServersWithDifferentData() {
        TestServer.freshDatabase(DATABASE);
        try (TcpProxy proxy = new TcpProxy(first.port(), TestServer.port())) {
            String url = proxy.through(database(first));
            assertThatThrownBy(() -> Target.open(Runs.spec("-t docs -c 2 --url " + url)))
                    .hasMessageContaining("leads to servers with different data (127.0.0.1:")
                    .hasMessageContaining("give each its own --url");
        }
    }
}
