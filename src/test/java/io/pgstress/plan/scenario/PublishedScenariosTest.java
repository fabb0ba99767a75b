package io.pgstress.plan.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.testing.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scenarios that quote a published test have its operations, clients per server, statement mode and pool. */
final class PublishedScenariosTest {
    /**
     * Each row: the number of servers of the published test, the scenario, and what it runs. Workload, variant and operation, then the
     * servers' clients ({@code 1x96 8x48}: 96 on one, 48 on each of 8), the statement mode, the pool, and other options that are
     * part of what was published.
     */
    @ParameterizedTest(name = "{1}: {2}, {3}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        # Postgres-XL 9.5, cases 1 to 4: PreparedStatement through c3p0 on one coordinator, each step in addition to those before it
        1 | 10 | - | 1 prepared by the driver        | find_first  | 1x80 | extended | c3p0 | set persistent_datanode_connections=off global_snapshot_source=gtm
        1 | 10 | - | 2 persistent connections        | find_first  | 1x80 | extended | c3p0 | set persistent_datanode_connections=on global_snapshot_source=gtm
        1 | 10 | - | 3 plain statements              | find_first  | 1x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=gtm
        1 | 10 | - | 4 snapshots of the coordinator  | find_first  | 1x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=coordinator
        1 | 11 | find_first  | extended              | find_first  | 1x80 | extended | c3p0 | set persistent_datanode_connections=off global_snapshot_source=gtm
        1 | 11 | find_update | extended              | find_update | 1x80 | extended | c3p0 | set persistent_datanode_connections=off global_snapshot_source=gtm
        1 | 11 | find        | extended              | find        | 1x15 | extended | c3p0 | set persistent_datanode_connections=off global_snapshot_source=gtm
        1 | 12 | - | off                             | find_first  | 1x80 | extended | c3p0 | set persistent_datanode_connections=off
        1 | 12 | - | on                              | find_first  | 1x80 | extended | c3p0 | set persistent_datanode_connections=on
        1 | 13 | - | extended                        | find_first  | 1x80 | extended | c3p0 | set persistent_datanode_connections=on
        1 | 13 | - | plain                           | find_first  | 1x80 | plain    | c3p0 | set persistent_datanode_connections=on
        1 | 14 | - | gtm                             | find_first  | 1x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=gtm
        1 | 14 | - | coordinator                     | find_first  | 1x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=coordinator
        # case 5: four coordinators, 80 clients each
        4 | 15 | find_first  | one                   | find_first  | 1x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=coordinator
        4 | 15 | find_first  | all                   | find_first  | 4x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=coordinator
        4 | 15 | find_update | all                   | find_update | 4x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=coordinator
        4 | 15 | find_in     | all                   | find_in     | 4x80 | plain    | c3p0 | set persistent_datanode_connections=on global_snapshot_source=coordinator
        # Citus 7.5, 1 + 8 hosts, pgbench: 128 clients prepared; all nodes: 96 on the coordinator, 48 on each worker
        9 | 22 | find_first  | coordinator           | find_first  | 1x128      | prepared | none   | -
        9 | 22 | find_update | all                   | find_update | 1x96 8x48  | prepared | none   | -
        10 | 23 | select_only, 4 clients   | single              | select_only | 1x4   | prepared | none   | scale 1000
        10 | 23 | select_only, 128 clients | one coordinator     | select_only | 1x128 | prepared | none   | scale 1000, shards 128
        10 | 23 | tpcb, 512 clients        | all coordinators    | tpcb        | 8x57 1x56 | prepared | none   | scale 1000, shards 128
        3 | 34 | select_only | single                | select_only | 1x128 | prepared | none   | scale 1000
        3 | 34 | select_only | 8 shards              | select_only | 1x128 | prepared | none   | scale 1000, shards 8
        3 | 34 | tpcb        | 128 shards            | tpcb        | 1x128 | prepared | none   | scale 1000, shards 128
        9 | 36 | select_only | coordinator           | select_only | 1x128     | prepared | none   | scale 1000, shards 128
        9 | 36 | tpcb        | all                   | tpcb        | 1x96 8x48 | prepared | none   | scale 1000, shards 128, alter-system synchronous_commit=off
        # sysbench's oltp_insert: 128 threads on a single PostgreSQL; 64 on one coordinator; 64 on each of 8 workers
        10 | 31 | - | single                         | oltp_insert | 1x128 | plain | none   | id-order random, key-distribution special, alter-system synchronous_commit=off
        10 | 31 | - | one coordinator                | oltp_insert | 1x64  | plain | none   | id-order random, shards 128
        10 | 31 | - | all workers                    | oltp_insert | 8x64  | plain | none   | id-order random, shards 128
        # PostgreSQL 9.5: 128 clients, each with its own unlogged table, 100 rows of 360 bytes per prepared statement
        1 | 32 | - | published form                 | bulk_insert | 1x128 | prepared | none   | tables 128, rows 100, unlogged true, indexes none, row-values now, set synchronous_commit=off
        # Citus 7.5: nine ids per statement
        1 | 35 | - | 9 shards                        | shard_insert | 1x128 | prepared | none  | rows 9, shards-hit 9, row-values server, alter-system synchronous_commit=off
        1 | 40 | - | one phase                       | shard_insert | 1x128 | prepared | none  | rows 9, shards-hit 9, row-values server, set citus.multi_shard_commit_protocol=1pc, alter-system synchronous_commit=off
        # Greenplum: TPC-B with 4 to 32 clients; one COPY per table, five at once
        1 | 42 | - | 4                               | tpcb        | 1x4   | prepared | none   | -
        1 | 42 | - | 32                              | tpcb        | 1x32  | prepared | none   | -
        1 | 33 | small rows | before                 | load        | 1x5   | prepared | none   | tables 5, table-rows 1000000, copy-rows 1000000, indexes all
        """)
    void isThePublishedTest(
            int servers,
            int file,
            String workload,
            String variant,
            String operation,
            String clients,
            String statement,
            String pool,
            String options) {
        RunSpec spec = spec(file, servers, workload == null ? "" : workload, variant);

        assertThat(spec.mix()).extracting(WeightedOperation::name).containsExactly(operation);
        assertThat(clients(spec)).isEqualTo(clients);
        assertThat(spec.statement().name().toLowerCase(Locale.ROOT)).isEqualTo(statement);
        assertThat(spec.get(RunOptions.POOL)).isEqualTo(pool);
        Stream.ofNullable(options)
                .flatMap(all -> Stream.of(all.split(", ", -1)))
                .forEach(option -> {
                    String[] words = option.split(" ", -1);
                    assertThat(spec.options().texts().get(words[0]))
                            .as(words[0])
                            .containsExactlyInAnyOrder(Stream.of(words).skip(1).toArray(String[]::new));
                });
    }

    private static RunSpec spec(int file, int servers, String workload, String variant) {
        List<String> urls = IntStream.rangeClosed(1, servers)
                .mapToObj(i -> "jdbc:postgresql://server" + i + "/db")
                .toList();
        Scenario scenario = new ScenarioExpansion(Runs.reader(), Purpose.BLOCK)
                .expand(ScenarioReader.read(text(file))
                        .with(Map.of("url", urls, "table", List.of("check_in")), Map.of(), Map.of()));
        Workload found = scenario.workloads().stream()
                .filter(w -> w.name().equals(workload))
                .findFirst()
                .orElseThrow();
        return found.variants().stream()
                .filter(v -> v.name().equals(variant))
                .map(Variant::spec)
                .findFirst()
                .orElseThrow();
    }

    private static String text(int file) {
        try (Stream<Path> files = Files.list(Path.of("config"))) {
            return Files.readString(files.filter(f -> f.getFileName().toString().startsWith(file + "-"))
                    .findFirst()
                    .orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The servers' clients, equal ones in succession together. */
    private static String clients(RunSpec spec) {
        List<Integer> each = new ArrayList<>();
        int servers = spec.endpoints().size();
        for (Endpoint endpoint : spec.endpoints()) {
            int share =
                    spec.load().clients() / servers + (each.size() < spec.load().clients() % servers ? 1 : 0);
            each.add(endpoint.clients() > 0 ? endpoint.clients() : share);
        }
        assertThat(each.stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(spec.load().clients());
        List<String> groups = new ArrayList<>();
        for (int i = 0, from = 0; i < each.size(); i++) {
            if (i + 1 == each.size() || !each.get(i + 1).equals(each.get(i))) {
                groups.add((i + 1 - from) + "x" + each.get(i));
                from = i + 1;
            }
        }
        return groups.stream().collect(Collectors.joining(" "));
    }
}
