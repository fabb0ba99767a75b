package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.importer.BundledData;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.Explained;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.StatementRoute;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.target.pool.Pools;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.Journal;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * What every kind of server must support: creating, distributing and filling tables, all operations in all modes and with all
 * pools, changing and restoring settings, plans that match what happens, and leaving nothing behind. On the embedded PostgreSQL,
 * the program's counts of statements must equal the server's. Always tests the embedded PostgreSQL; also a
 * cluster if the environment names one, and Citus with one node in a container if Docker is available ({@code
 * pgstress.test.citus.image} selects another image). Skipped servers are reported.
 */
@Slow
final class DialectContractTest {
    private static PostgreSQLContainer container;

    @TempDir
    private Path home;

    static Stream<Arguments> servers() {
        return Dialects.all().stream()
                .map(dialect -> Arguments.of(
                        dialect.name(),
                        dialect == Dialects.postgreSql()
                                ? ""
                                : "PGSTRESS_TEST_"
                                        + dialect.name()
                                                .toUpperCase(Locale.ROOT)
                                                .replace('-', '_') + "_URL"));
    }

    @AfterAll
    static void stopContainer() {
        if (container != null) {
            container.stop();
        }
    }

    private static String url(String name, String variable) {
        if (variable.isEmpty()) {
            return TestServer.freshDatabase("dialects");
        }
        String url = System.getenv(variable);
        String image = System.getProperty("pgstress.test.citus.image", "citusdata/citus:13.2");
        if (url == null
                && name.equals("citus")
                && !image.equals("none")
                && DockerClientFactory.instance().isDockerAvailable()) {
            return citusInDocker(image);
        }
        assumeTrue(url != null, name + ": " + variable + " names no server");
        return url;
    }

    private static String citusInDocker(String image) {
        container = new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
                .withCommand(
                        "postgres",
                        "-c",
                        "max_connections=400",
                        "-c",
                        "shared_preload_libraries=citus,pg_stat_statements");
        try {
            container.start();
        } catch (RuntimeException e) {
            container = null;
            if (Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                    .noneMatch(ContainerFetchException.class::isInstance)) {
                throw e;
            }
            abort("citus: there is Docker, but " + image + ", or the image that Testcontainers looks after"
                    + " containers with, cannot be had within 20 s (docker pull fetches it); -Dpgstress.test.citus.image=NAME takes another,"
                    + " PGSTRESS_TEST_CITUS_URL names a server: " + e);
        }
        String url = container.getJdbcUrl().replaceFirst("\\?.*", "") + "?user=" + container.getUsername()
                + "&password=" + container.getPassword();
        TestServer.execute(
                url,
                "create extension if not exists citus",
                "create extension if not exists pg_stat_statements",
                "select citus_set_coordinator_host('127.0.0.1')",
                "select citus_set_node_property('127.0.0.1', 5432, 'shouldhaveshards', true)");
        return url;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void supportsEverythingThatTheProgramDoes(String name, String variable) throws Exception {
        String url = url(name, variable);
        RunSpec spec = Runs.spec("-t check_in --url " + url);
        Target target = Target.open(spec);
        assertThat(target.dialect().name()).isEqualTo(name);
        drop(url);
        try {
            BundledData.importIfMissing(target.first().connector(), target.dialect());
            assertThat(TestServer.number(url, "select count(*) from check_in")).isEqualTo(20_000);
            assertThat(TestServer.number(
                            url,
                            target.dialect().tables().totalBytes(spec.table().orElseThrow())))
                    .isGreaterThan(1_000_000);
            long sum = checksum(url);

            List<String> ops = Runs.DOCUMENT_OPERATIONS;
            for (String op : ops) {
                for (StatementMode mode : StatementMode.values()) { // each with each pool: a Latin square
                    String pool = Pools.names()
                            .get((ops.indexOf(op) + mode.ordinal())
                                    % Pools.names().size());
                    if (variable.isEmpty()) {
                        TestServer.execute(url, "select pg_stat_statements_reset()");
                    }
                    RunResult run = run(url, op, mode, "--pool " + pool, op.equals("find") ? "--limit-max 300" : "");
                    holds(run, op, mode);
                    if (variable.isEmpty()) {
                        countsEqualTheServers(url, run.operations().get(op), run);
                    }
                }
            }

            assertThat(checksum(url)).as("the table after all operations").isEqualTo(sum);
            settingIsInForce(url);
            serversSettingIsPutBack(target, url);
        } finally {
            drop(url);
        }
        assertThat(TestServer.text(
                        url, "select to_regclass('check_in') is null and to_regclass('check_in_copy') is null"))
                .isEqualTo("t");
    }

    private static void drop(String url) {
        TestServer.execute(
                url, "set lock_timeout = '10s'", "drop table if exists check_in, check_in_copy, orders, orders_copy");
    }

    /** A hash of values, so that order and storage do not matter. */
    private static long checksum(String url) {
        return TestServer.number(url, "select sum(hashtext(_id::text || (data->>'n'))::bigint) from check_in");
    }

    private static RunResult run(String url, String op, StatementMode mode, String... more) {
        String what = " --op " + op + " -M " + mode.label();
        return Runs.run("-t check_in -c 4 --think 2ms --warmup 0 -T 0.15 --url " + url + what, more);
    }

    private static void holds(RunResult run, String op, StatementMode mode) {
        String what = op + " " + mode;
        OperationResult result = run.operations().get(op);
        assertThat(result.errors()).as(what).isEmpty();
        assertThat(result.misses() + result.duplicates()).as(what).isZero();
        assertThat(result.ok()).as(what).isPositive();
        Explained explained = run.serverProfile().explained();
        assertThat(explained.lines()).as(what).hasSize(1);
        assertThat(explained.routes()).as(what).isNotEmpty().allMatch(r -> r.error() == null);
        Double expected = explained.expectedPerOperation();
        if (expected != null && exact(op, run.load().halts().count())) {
            assertThat(explained.seenPerOperation())
                    .as(what + ", " + explained.verdict() + ", operations begun "
                            + result.statements().values().iterator().next().callsInAll() + ", " + explained.nodes()
                            + ", " + run.serverProfile().counts().statements())
                    .isEqualTo(expected);
        }
        if (op.equals("find_first") && !explained.routes().get(0).unit().equals("table")) {
            assertThat(touched(explained, "plain")).as(what).isEqualTo(1);
        }
    }

    /** The program's counts of calls equal those of {@code pg_stat_statements} since its reset. */
    private static void countsEqualTheServers(String url, OperationResult operation, RunResult run) {
        // each statement is a transaction; a session reports its last ones only when it ends
        assertThat(run.serverProfile().counts().database().get("xact_commit"))
                .isGreaterThanOrEqualTo(operation.statements().values().stream()
                        .mapToDouble(StatementResult::callsInAll)
                        .sum());
        for (StatementResult statement : operation.statements().values()) {
            String pattern = normalised(statement.sql());
            long calls = TestServer.number(
                    url,
                    "select coalesce(sum(calls), 0) from pg_stat_statements where regexp_replace(query,"
                            + " '\\$\\d+( /\\*, ... \\*/)?', '?', 'g') = '" + pattern + "'");
            assertThat(statement.callsInAll()).as(statement.sql()).isEqualTo(calls);
            // without a warm-up, every call belongs to a counted operation, in an interval or in the drain
            assertThat(statement.calls()).as(statement.sql()).isEqualTo(calls);
        }
    }

    /** The server shows a list of parameters as a single one. */
    private static String normalised(String sql) {
        return sql.replaceAll(" in \\(\\?(, \\?)+\\)$", " in (?)").replace("'", "''");
    }

    /** The shards that find_in touches differ from draw to draw. */
    private static boolean exact(String op, int halts) {
        return !op.equals("find_in") && halts == 0;
    }

    private static Integer touched(Explained explained, String mode) {
        return explained.routes().stream()
                .filter(r -> r.mode().equals(mode))
                .map(StatementRoute::touched)
                .findFirst()
                .orElseThrow();
    }

    private static void settingIsInForce(String url) {
        RunResult run = run(url, "find_first", StatementMode.PLAIN, "--set work_mem=5MB");
        assertThat(run.servers().get(0).settings()).containsEntry("work_mem", "5MB");
    }

    private void serversSettingIsPutBack(Target target, String url) throws Exception {
        List<ClusterNode> members = ClusterNode.of(target);
        String before = TestServer.text(url, "show checkpoint_warning");
        try (AlteredSettings open =
                AlteredSettings.apply(members, Map.of("checkpoint_warning", "77s"), Journal.own(home))) {
            assertThat(open.failures()).isEmpty();
            assertThat(TestServer.text(url, "show checkpoint_warning")).isIn("77s", "77");
        }
        assertThat(TestServer.text(url, "show checkpoint_warning")).isEqualTo(before);
    }
}
