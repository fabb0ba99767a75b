package io.pgstress.probe.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.RunSpec;
import io.pgstress.probe.server.Servers;
import io.pgstress.runner.TestContext;
import io.pgstress.target.Target;
import io.pgstress.testing.OldCitus;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Warnings before the load, on a cluster of a coordinator, a worker that clients connect to as well, and one that they do not connect
 * to.
 */
final class PreflightTest {
    private static String url;
    private static int maxConnections;

    @BeforeAll
    static void createCluster() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
                "the servers' machines: only Linux has /proc");
        url = TestServer.freshDatabase("preflight");
        OldCitus.createIn(url);
        TestServer.table(url, "docs", 10);
        TestServer.execute(url, "select create_distributed_table('docs', '_id')");
        maxConnections = (int) TestServer.number(url, "show max_connections");
    }

    private static List<String> warnings(int clients, String... more) throws InterruptedException {
        List<String> options = new ArrayList<>(List.of(more));
        options.addAll(List.of("coordinators", "all"));
        RunSpec spec = Runs.spec(Runs.findFirst(url, clients, options.toArray(String[]::new)));
        try (TestContext context = new TestContext(spec, Target.open(spec));
                Servers servers = new Servers(context.run())) {
            assertThat(context.run().target().nodes()).hasSize(2).allMatch(node -> node.clients() == clients / 2);
            servers.start();
            new Preflight(context.run(), servers).start();
            return context.warnings().stream()
                    .filter(warning -> warning.contains("max_connections"))
                    .toList();
        }
    }

    @Test
    void aNodeWithDataNeedsAConnectionForEachSessionOfAllNodes() throws InterruptedException {
        assertThat(warnings(maxConnections + 2))
                .satisfiesExactlyInAnyOrder(
                        warning -> assertThat(warning).startsWith("localhost:" + TestServer.port() + " accepts"),
                        warning -> assertThat(warning)
                                .startsWith("jdbc:postgresql://127.0.0.1:" + TestServer.port())
                                .contains(String.format(
                                        Locale.ROOT,
                                        "fewer than its %1$,d sessions of clients and one for each of the %1$,d on other"
                                                + " nodes",
                                        maxConnections / 2 + 1)));
        assertThat(warnings(maxConnections / 2 * 2)).isEmpty();
    }

    @Test
    void poolsHaveFewerSessionsThanClients() throws InterruptedException {
        assertThat(warnings(maxConnections + 2, "pool", "hikari", "pool-size", "2"))
                .isEmpty();
    }
}
