package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.RunSpec;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.TestContext;
import io.pgstress.target.Target;
import io.pgstress.testing.OldCitus;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Warnings before the load, on a cluster of a coordinator, a worker that clients connect to as well, and one that they do not connect
 * to.
 */
final class PreflightTest {
    private static final String TWICE = """
          parameters: {a: {id: any}, b: {id: any}}
          steps:
            - {name: one, sql: "update docs set data = data where _id = :a"}
            - {name: two, sql: "update docs set data = data where _id = :b"}
        """;

    private static final String ON_BOTH = "--coordinators all -c 2 --url ";

    @TempDir
    private static Path directory;

    private static Path operations;
    private static String url;
    private static int maxConnections;

    @BeforeAll
    static void createCluster() throws IOException {
        Assumptions.assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
                "the servers' machines: only Linux has /proc");
        operations = Files.writeString(
                directory.resolve("twice.yaml"), "twice:\n  transaction: true\n" + TWICE + "twice_apart:\n" + TWICE);
        url = TestServer.freshDatabase("preflight");
        OldCitus.createIn(url);
        TestServer.table(url, "docs", 10);
        TestServer.execute(url, "select create_distributed_table('docs', '_id')");
        maxConnections = (int) TestServer.number(url, "show max_connections");
    }

    private static List<Remark> warnings(int clients, String... more) throws InterruptedException {
        return warnings(Runs.spec("-t docs --coordinators all -c " + clients + " --url " + url, more)).stream()
                .filter(warning -> warning.code() == RemarkCode.FEW_CONNECTIONS)
                .toList();
    }

    private static List<Remark> warnings(RunSpec spec) throws InterruptedException {
        return warnings(spec, true);
    }

    private static List<Remark> warnings(RunSpec spec, boolean arePlanned) throws InterruptedException {
        try (TestContext context = new TestContext(spec, Target.open(spec));
                Servers servers = new Servers(context.run())) {
            int nodes = context.run().target().nodes().size();
            assertThat(context.run().target().nodes())
                    .allMatch(node -> node.clients() == spec.load().clients() / nodes);
            StatementPlans plans = new StatementPlans(context.run(), servers);
            if (arePlanned) {
                plans.beforeConnect();
            }
            servers.start();
            new Preflight(context.run(), servers, plans).start();
            return context.warnings();
        }
    }

    /** A server whose machine has huge pages, and a card with a single receive queue. */
    private static String odd() {
        String odd = TestServer.freshDatabase("preflight_machine");
        TestServer.table(odd, "public.docs", 10);
        TestServer.execute(odd, "create schema odd", """
            create function odd.pg_read_file(name text, start bigint, size bigint, missing_ok boolean) returns text
            language sql as $$ select case name
                when '/sys/kernel/mm/transparent_hugepage/enabled' then '[always] madvise never'
                when '/sys/devices/system/cpu/online' then '0-7'
                when '/proc/net/dev' then E'\\n  eth9: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\\n'
                when '/sys/class/net/eth9/device/uevent' then 'DRIVER=igb'
                when '/sys/class/net/eth9/queues/rx-0/rps_cpus' then '0'
                else pg_catalog.pg_read_file(name, start, size, missing_ok) end $$
            """);
        return odd + "&currentSchema=odd,pg_catalog,public";
    }

    @Test
    void propertiesOfAServersMachineAreJudgedUnlessItIsTheClientsToo() throws InterruptedException {
        String local = odd();
        String remote = local.replace("127.0.0.1:", "0.0.0.0:"); // an address of this machine that is not known as one

        assertThat(warnings(Runs.spec("-t docs -c 1 --url " + remote)))
                .anySatisfy(warning -> {
                    assertThat(warning.code()).isEqualTo(RemarkCode.HUGE_PAGES);
                    assertThat(warning.figures().get("machine")).asString().startsWith("jdbc:postgresql://0.0.0.0");
                })
                .anySatisfy(warning -> {
                    assertThat(warning.code()).isEqualTo(RemarkCode.SINGLE_RECEIVE_QUEUE);
                    assertThat(warning.figures()).containsEntry("cpus", 8);
                });
        assertThat(warnings(Runs.spec("-t docs -c 1 --url " + local)))
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.HUGE_PAGES, RemarkCode.SINGLE_RECEIVE_QUEUE);
    }

    @Test
    void aNodeWithDataNeedsAConnectionForEachSessionOfAllNodes() throws InterruptedException {
        assertThat(warnings(maxConnections + 2))
                .extracting(warning -> warning.figures().get("server").toString())
                .satisfiesExactlyInAnyOrder(
                        server -> assertThat(server).isEqualTo("localhost:" + TestServer.port()),
                        server -> assertThat(server).startsWith("jdbc:postgresql://127.0.0.1:" + TestServer.port()));
        assertThat(warnings(maxConnections / 2 * 2)).isEmpty();
    }

    @Test
    void commitsInTwoPhasesNeedPreparedTransactions() throws InterruptedException {
        assertThat(TestServer.number(url, "show max_prepared_transactions")).isZero();
        assertThat(fewPrepared("find_update", true)).isFalse();
        assertThat(fewPrepared("find_first", false)).isFalse();
        assertThat(fewPrepared("find_update", false)).as("unknown plans").isTrue();
        assertThat(fewPrepared("twice", true)).as("changes of one transaction").isTrue();
        assertThat(fewPrepared("twice_apart", true)).as("each change by itself").isFalse();
        assertThat(fewPrepared(Runs.spec(ON_BOTH + url, "--op bulk_copy"), true))
                .as("COPY has no plan")
                .isTrue();
    }

    private static boolean fewPrepared(String operation, boolean arePlanned) throws InterruptedException {
        return fewPrepared(
                Runs.spec("-t docs " + ON_BOTH + url, "--operations " + operations, "--op " + operation), arePlanned);
    }

    private static boolean fewPrepared(RunSpec spec, boolean arePlanned) throws InterruptedException {
        return warnings(spec, arePlanned).stream().anyMatch(w -> w.code() == RemarkCode.FEW_PREPARED);
    }

    @Test
    void poolsHaveFewerSessionsThanClients() throws InterruptedException {
        assertThat(warnings(maxConnections + 2, "--pool hikari --pool-size 2")).isEmpty();
    }
}
