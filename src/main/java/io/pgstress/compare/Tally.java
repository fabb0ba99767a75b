package io.pgstress.compare;

import io.pgstress.result.Latency;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.ServerStatement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A variant's blocks added up. Immutable.
 *
 * @param seconds measured in all
 * @param sums what {@link Facts} are made of
 */
public record Tally(int blocks, double seconds, Map<String, OperationResult> operations, Map<String, Double> sums) {
    static final Tally NONE = new Tally(0, 0, Map.of(), Map.of());

    /** The sum with one more block. */
    Tally plus(RunResult result, double blockSeconds) {
        Map<String, Double> all = new TreeMap<>(sums);
        sums(result).forEach((name, value) -> all.merge(name, value, Double::sum));
        return new Tally(
                blocks + 1,
                seconds + blockSeconds,
                OperationMerge.byName(
                        operations.isEmpty() ? List.of(result.operations()) : List.of(operations, result.operations())),
                all);
    }

    /** Operations per second over all blocks. */
    double opsPerSecond() {
        return seconds == 0
                ? 0
                : operations.values().stream()
                                .mapToDouble(OperationResult::opsPerSecond)
                                .sum()
                        / blocks;
    }

    /** The operations with their rates as averages over the blocks, which are all of one length. */
    Map<String, OperationResult> averaged() {
        Map<String, OperationResult> averaged = new LinkedHashMap<>();
        operations.forEach((name, o) -> averaged.put(
                name,
                new OperationResult(
                        o.ok(),
                        o.misses(),
                        o.duplicates(),
                        o.retries(),
                        o.late(),
                        o.unfinished(),
                        o.rows(),
                        o.errors(),
                        o.opsPerSecond() / blocks,
                        o.rowsPerSecond() / blocks,
                        o.megabytesPerSecond() == null ? null : Double.valueOf(o.megabytesPerSecond() / blocks),
                        o.statements(),
                        o.latencyMicros())));
        return averaged;
    }

    private static Map<String, Double> sums(RunResult r) {
        Map<String, Double> sums = new TreeMap<>();
        OperationResult all = OperationMerge.of(r.operations().values());
        double calls =
                all.statements().values().stream().mapToDouble(s -> s.calls()).sum();
        double callsInAll = all.statements().values().stream()
                .mapToDouble(s -> s.callsInAll())
                .sum();
        sums.put("ok", (double) all.ok());
        sums.put("calls", calls);
        sums.put("okInAll", calls == 0 ? 0 : all.ok() * callsInAll / calls);
        sums.put("bytesIn", (double) r.network().bytesIn());
        sums.put("bytesOut", (double) r.network().bytesOut());
        sums.put("clientCpuMicros", r.client().cpuMicrosPerOperation() * all.ok());
        Latency acquire = all.latencyMicros().get("acquire");
        if (acquire != null) {
            sums.put("acquireMicros", acquire.mean() * acquire.count());
        }
        server(r, sums);
        return sums;
    }

    private static void server(RunResult r, Map<String, Double> sums) {
        sums.put("waitSamples", (double) r.serverProfile().waitSamples());
        r.serverProfile().waitEvents().forEach((event, count) -> sums.put("wait " + event, (double) count));
        r.serverProfile().database().forEach((name, value) -> sums.put("database " + name, value));
        if (r.serverProfile().wal().containsKey("wal_bytes")) {
            sums.put("walBytes", r.serverProfile().wal().get("wal_bytes"));
        }
        for (ServerStatement s : r.serverProfile().statements()) {
            sums.merge("serverCalls", (double) s.calls(), Double::sum);
            sums.merge("serverExecMillis", s.totalExecMillis(), Double::sum);
        }
        for (HostProfile host : r.serverProfile().hosts()) {
            if (host.cpuBusy() != null) {
                sums.put("cpu " + host.node(), host.cpuBusy());
                sums.put("cpu blocks " + host.node(), 1.0);
            }
        }
    }
}
