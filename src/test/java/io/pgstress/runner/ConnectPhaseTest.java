package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.measure.NanoClock;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunSpec;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.pool.Pools;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The clients of a run if a server accepts their connections but does not answer. */
@Timeout(60)
final class ConnectPhaseTest {
    private static final int CLIENTS = 3;

    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("joining");
        TestServer.table(url, "docs", 10);
    }

    private @Nullable RunContext run;

    @AfterEach
    void closeRun() {
        run().close();
    }

    private RunContext run() {
        return Objects.requireNonNull(run);
    }

    private LocalClients clients(int silentPort) {
        return clients(silentPort, "none");
    }

    private LocalClients clients(int silentPort, String pool) {
        RunSpec spec = Runs.spec("-t docs --op find_first --pool " + pool + " --url " + url);
        Target target = Target.open(spec);
        Node good = target.first();
        String silent = url.replace(":" + TestServer.port(), ":" + silentPort);
        List<Node> nodes = List.of(
                new Node(good.url(), 1, good.connector(), good.facts()),
                new Node("silent", CLIENTS - 1, new Connector(new Endpoint(silent, 0), Login.of("")), good.facts()));
        run = new RunContext(
                spec,
                new Target(nodes, target.dialect(), List.of()),
                Runs.table(spec, target),
                new OneMachine(NanoClock.SYSTEM, (run, threads) -> List.of()),
                RunListener.NONE);
        return new LocalClients(run(), Threads.of(ClientThreads.PLATFORM, 1, e -> {}));
    }

    @Test
    void givesUpWhenNoMoreClientsGetConnected() throws IOException, InterruptedException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LocalClients clients = clients(silent.getLocalPort())) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> clients.connect(Duration.ofSeconds(1)))
                    .isInstanceOf(TargetException.class)
                    .hasMessage(
                            "1 of 3 clients are connected; the others wait for silent, which has accepted none for 1 s:"
                                    + " is it, or a pooler in front of it, full or stalled?");
            assertThat((System.nanoTime() - start) / 1e9).isBetween(1.0, 5.0);
            end(clients);
        }
    }

    @Test
    void doesNotWaitForClientsOfAStoppedRun() throws IOException, InterruptedException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LocalClients clients = clients(silent.getLocalPort())) {
            run().signals().stop().now(StopCause.INTERRUPTED);
            assertThatThrownBy(() -> clients.connect())
                    .isInstanceOf(TargetException.class)
                    .hasMessageMatching("interrupted while [01] of 3 clients were connected");
            end(clients);
        }
    }

    static Stream<String> pools() {
        return Pools.names().stream().skip(1); // the first is none
    }

    @ParameterizedTest
    @MethodSource("pools")
    void doesNotWaitForPoolsOfAStoppedRun(String pool) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LocalClients clients = clients(silent.getLocalPort(), pool)) {
            run().signals().stop().now(StopCause.INTERRUPTED);
            assertThatThrownBy(() -> clients.connect())
                    .isInstanceOf(TargetException.class)
                    .hasMessageMatching("interrupted while the pool of .* had [0-9]+ connections");
        }
        assertThat((System.nanoTime() - start) / 1e9).isLessThan(3.0);
    }

    private void end(LocalClients clients) throws InterruptedException {
        run().timeline().start(0);
        run().timeline().measure(0, 0);
        run().signals().go().open();
        clients.breakOff(false);
    }
}
