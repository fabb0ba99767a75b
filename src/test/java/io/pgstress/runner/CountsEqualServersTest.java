package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.StatementMode;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.pool.Pools;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The program's counts equal the server's, for every pair of operation, statement mode and pool. */
@Slow
final class CountsEqualServersTest {
    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("counts");
        TestServer.table(url, "docs", 30_000);
    }

    /** A Latin square: each operation has each mode and each pool, and each mode has each pool. */
    static Stream<Arguments> cases() {
        List<String> ops = List.copyOf(Runs.DOCUMENT_OPERATIONS);
        List<String> pools = List.copyOf(Pools.names());
        return IntStream.range(0, ops.size())
                .boxed()
                .flatMap(op -> Stream.of(StatementMode.values())
                        .map(mode -> Arguments.of(
                                ops.get(op), mode.label(), pools.get((op + mode.ordinal()) % pools.size()))));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("cases")
    void callsOfEachStatementEqualTheServersCount(String op, String mode, String pool) {
        TestServer.execute(url, "select pg_stat_statements_reset()");

        RunResult result = Runs.run(
                "-t docs -c 3 --warmup 0 -T 0.15 -P 0.1 --op %s -M %s --pool %s%s"
                        .formatted(op, mode, pool, (op.equals("find") ? " --limit-max 200" : "")),
                "--url " + url);

        OperationResult operation = result.operations().get(op);
        assertThat(operation.errors()).isEmpty();
        assertThat(operation.ok()).isPositive();
        assertThat(operation.misses()).isZero();
        // each statement is a transaction; a session reports its last ones only when it ends
        assertThat(result.serverProfile().counts().database().get("xact_commit"))
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
}
