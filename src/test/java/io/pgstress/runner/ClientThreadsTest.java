package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.plan.ClientThreads;
import io.pgstress.result.RunResult;
import io.pgstress.target.loop.EventLoops;
import io.pgstress.target.pool.Pools;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The kinds of threads: what auto selects, and that each kind works with each pool. */
@EveryJdk
final class ClientThreadsTest {
    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("client_threads");
        TestServer.table(url, "docs", 200);
    }

    @ParameterizedTest(name = "{0} clients on {1} cores, JDK {2}, loops {3}: {4}")
    @CsvSource({
        "4, 2, 25, true, LOOP",
        "3, 2, 25, true, PLATFORM",
        "8, 2, 26, false, PLATFORM",
        "32, 2, 26, false, VIRTUAL",
        "31, 2, 26, false, PLATFORM",
        "1000, 2, 21, false, PLATFORM"
    })
    void autoSelectsTheFastestKind(int clients, int cores, int jdk, boolean loops, ClientThreads expected) {
        assertThat(Threads.resolve(ClientThreads.AUTO, clients, cores, jdk, loops))
                .isEqualTo(expected);
        assertThat(Threads.resolve(ClientThreads.VIRTUAL, clients, cores, jdk, loops))
                .isEqualTo(ClientThreads.VIRTUAL);
    }

    static Stream<Arguments> kindsAndPools() {
        return Stream.of("platform", "virtual", "loop")
                .flatMap(kind -> Pools.names().stream().map(pool -> Arguments.of(kind, pool)));
    }

    @ParameterizedTest(name = "{0} threads, pool {1}")
    @MethodSource("kindsAndPools")
    void everyKindWorksWithEveryPool(String kind, String pool) {
        assumeKind(kind);

        RunResult result = run(kind, pool, "find_update");

        assertThat(result.client().threadKind()).isEqualTo(kind);
        assertThat(result.operations().get("find_update").ok()).isPositive();
        assertThat(result.operations().get("find_update").errors()).isEmpty();
        assertThat(TestServer.number(url, "select count(*) from pg_stat_activity where application_name = 'pgstress'"))
                .isZero();
    }

    @Test
    void statementsOfSeveralRoundTripsAndCopiesRunOnLoops() {
        assumeKind("loop");
        for (String operation : new String[] {"tpcb", "bulk_copy"}) {
            RunResult result = run("loop", "none", operation);
            assertThat(result.operations().get(operation).ok()).isPositive();
            assertThat(result.operations().get(operation).errors()).isEmpty();
        }
    }

    private static void assumeKind(String kind) {
        switch (ClientThreads.valueOf(kind.toUpperCase(Locale.ROOT))) {
            case LOOP -> assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
            case VIRTUAL -> assumeTrue(Runtime.version().feature() >= 21, "virtual threads: they need JDK 21 or newer");
            default -> assertThat(kind).isEqualTo("platform");
        }
    }

    private static RunResult run(String kind, String pool, String operation) {
        boolean needsTable = operation.startsWith("find");
        return Runs.run(
                "-c 6 --warmup 0 -T 400ms --op %s --pool %s --client-threads %s%s"
                        .formatted(operation, pool, kind, needsTable ? " -t docs" : " --rows 100"),
                "--url " + url);
    }
}
