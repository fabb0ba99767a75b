package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.RunMachines;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.HostResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs on three hosts: the counts equal the server's, and the times are exactly those that the hosts recorded. */
@Slow
final class FleetCountsTest extends OnThreeHosts {

    @BeforeAll
    static void makeTables() {
        TestServer.table(url, "docs", 20_000);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "'find_first:3,find_in:1,find:1', prepared, none, 7, 0",
        "'find_first:2,find_update:1', extended, hikari, 6, 0",
        "find_insert, plain, c3p0, 5, 0.5"
    })
    void countsEqualTheServers(String op, String mode, String pool, int clients, String warmup)
            throws IOException, DataFormatException {
        boolean updates = op.contains("update");
        String more = (op.endsWith("find:1") ? " --limit-max 200" : "") + (updates ? " --transaction" : "");
        RunResult result = ofEachOperation(
                "--op %s -c %d --warmup %s -M %s --pool %s".formatted(op, clients, warmup, mode, pool) + more);

        assertThat(result.clients()).isEqualTo(clients);
        assertThat(result.hosts()).extracting(HostResult::clients).containsExactly(shares(clients));
        assertCountsEqual(result, warmup.equals("0"));
        assertHostsAddUp(result);
        assertThat(result.clientOperations()).satisfies(each -> {
            assertThat(each.clients()).isEqualTo(clients);
            assertThat(Math.round(each.mean() * clients))
                    .isEqualTo(result.total().okInWindow());
        });
        if (updates) {
            assertThat(Runs.found(result, RemarkCode.UPDATES_COUNTED))
                    .containsExactly(Map.of(
                            "operations",
                            "find_update",
                            "table",
                            "docs",
                            "updated",
                            result.operations().get("find_update").ok()));
            assertThat(Runs.found(result, RemarkCode.UPDATES_FOUND)).hasSize(1);
        }
    }

    /** All agents, the server and the command are on one machine here. */
    @Test
    void theCommandIsNoneOfTheOtherProcesses() throws IOException {
        RunMachines machines = run("docs", "--op find_first -c 3 --think 2ms -T 1")
                .serverProfile()
                .machines();

        assertThat(machines.machines())
                .extracting(MachineProfile::node)
                .contains("command")
                .hasSize(4);
        assertThat(machines.machines())
                .allSatisfy(machine -> assertThat(machine.processCpu()).isPositive());
    }

    /** Runs long enough, on this machine, for each operation of a mix to succeed. */
    private static RunResult ofEachOperation(String options) throws IOException {
        double seconds = 0.5;
        while (true) {
            TestServer.execute(url, "select pg_stat_statements_reset()");
            RunResult result = run("docs", "--think 2ms -P 0.25 -T " + seconds + " " + options);
            if (seconds > 30 || result.operations().values().stream().allMatch(each -> each.ok() > 0)) {
                return result;
            }
            seconds *= 4;
        }
    }

    private static Integer[] shares(int clients) {
        return new Integer[] {(clients + 2) / 3, (clients + 1) / 3, clients / 3};
    }

    private static void assertCountsEqual(RunResult result, boolean withoutWarmup) {
        Map<String, Long> calls = new TreeMap<>();
        Map<String, Long> counted = new TreeMap<>();
        for (OperationResult operation : result.operations().values()) {
            assertThat(operation.errors()).isEmpty();
            assertThat(operation.ok()).isPositive();
            for (StatementResult statement : operation.statements().values()) {
                if (statement.sql().equals("commit")) { // the server does not count all of them
                    continue;
                }
                calls.merge(normalised(statement.sql()), statement.callsInAll(), Long::sum);
                counted.merge(normalised(statement.sql()), statement.calls(), Long::sum);
            }
        }
        assertThat(calls).isNotEmpty().allSatisfy((sql, number) -> {
            long servers = TestServer.number(
                    url,
                    "select coalesce(sum(calls), 0) from pg_stat_statements where regexp_replace(query,"
                            + " '\\$\\d+( /\\*, ... \\*/)?', '?', 'g') = '" + sql + "'");
            assertThat(number).as(sql).isPositive().isEqualTo(servers);
        });
        if (withoutWarmup) { // every call belongs to a counted operation
            assertThat(counted).isEqualTo(calls);
        } else {
            assertThat(counted).allSatisfy((sql, number) -> assertThat(number).isLessThan(calls.get(sql)));
        }
    }

    /** The server shows a list of parameters as a single one. */
    private static String normalised(String sql) {
        return sql.replaceAll(" in \\(\\?(, \\?)+\\)$", " in (?)").replace("'", "''");
    }

    /** The totals come from what was sent during the run, the hosts' rows from what each host computed at its end. */
    private static void assertHostsAddUp(RunResult result) throws DataFormatException {
        OperationResult total = result.total();
        assertThat(result.hosts().stream().mapToLong(HostResult::ok).sum()).isEqualTo(total.okInWindow());
        LatencyHistogram sum = new LatencyHistogram();
        result.hosts().forEach(host -> sum.add(host.latencyMicros().decoded()));
        Latency merged = result.headline(total);
        assertThat(merged.count()).isPositive();
        assertThat(merged.withoutHistogram()).isEqualTo(Latency.of(sum).withoutHistogram());
        assertThat(buckets(merged)).isEqualTo(buckets(Latency.of(sum)));
        assertThat(result.intervals().stream()
                        .filter(i -> i.phase().equals("measure"))
                        .mapToLong(i -> i.counts().ok())
                        .sum())
                .isEqualTo(total.okInWindow());
        assertThat(Runs.reasonsOfTheRunItself(result))
                .allMatch(reason -> reason.figures().containsKey("about"));
    }

    private static Histogram buckets(Latency latency) throws DataFormatException {
        byte[] bytes = Base64.getDecoder().decode(latency.histogram());
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    }
}
