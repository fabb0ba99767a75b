package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.importer.BundledData;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.Target;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every kind of server must do: be recognised, take the sample, and run all operations in all modes. The embedded
 * PostgreSQL always; a cluster where the environment names one.
 */
final class DialectContractTest {
    static Stream<Arguments> servers() {
        return Stream.of(
                Arguments.of("postgres", ""),
                Arguments.of("citus", "PGSTRESS_TEST_CITUS_URL"),
                Arguments.of("postgres-xl", "PGSTRESS_TEST_XL_URL"),
                Arguments.of("greenplum", "PGSTRESS_TEST_GREENPLUM_URL"));
    }

    private static String url(String variable) {
        if (variable.isEmpty()) {
            return TestServer.freshDatabase("dialects");
        }
        String url = System.getenv(variable);
        assumeTrue(url != null, "untested, as " + variable + " names no server");
        return url;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void sampleIsTakenAndAllOperationsRunInAllModes(String name, String variable) throws Exception {
        String url = url(variable);
        RunSpec spec = Runs.spec("url", url, "table", "check_in");
        Target target = Target.open(spec);
        assertThat(target.dialect().name()).isEqualTo(name);

        TestServer.execute(url, "drop table if exists check_in, check_in_copy, orders, orders_copy");
        BundledData.importIfMissing(target.first().connector(), target.dialect());
        assertThat(TestServer.number(url, "select count(*) from check_in")).isEqualTo(20_000);
        assertThat(TestServer.number(url, target.dialect().totalBytes(spec.table())))
                .isGreaterThan(1_000_000);

        for (String op : List.of("find_first", "find_in", "find", "find_update", "find_insert", "find_delete")) {
            for (StatementMode mode : StatementMode.values()) {
                RunResult run = Runs.run(
                        "url",
                        url,
                        "table",
                        "check_in",
                        "op",
                        op,
                        "statement",
                        mode.label(),
                        "threads",
                        "4",
                        "warmup",
                        "0",
                        "duration",
                        "0.5",
                        "limit-max",
                        "300");
                OperationResult result = run.operations().get(op);
                assertThat(result.errors()).as(op + " " + mode).isEmpty();
                assertThat(result.misses() + result.duplicates())
                        .as(op + " " + mode)
                        .isZero();
                assertThat(result.ok()).as(op + " " + mode).isPositive();
            }
        }
    }
}
