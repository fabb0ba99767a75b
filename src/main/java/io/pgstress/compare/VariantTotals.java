package io.pgstress.compare;

import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Explained;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.result.StatementRoute;
import io.pgstress.result.Sum;
import io.pgstress.text.Records;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a variant's blocks. Immutable.
 *
 * @param seconds total measured time
 * @param sums the sums from which {@link VariantFacts} are computed
 * @param durability the {@link Durability} of its servers at its last block
 * @param machines the machines during each block, with their properties in the first
 */
public record VariantTotals(
        int blocks,
        double seconds,
        Map<String, OperationResult> operations,
        Map<String, Double> sums,
        Map<String, Map<String, String>> durability,
        List<RunMachines> machines) {
    /** Sum of the blocks' rates. */
    private static final String RATE = "rate";

    /** Statements that a driver adds around those of an operation. */
    private static final Pattern TRANSACTION = Pattern.compile(
            "^\\s*(begin|commit|end|rollback|set|reset|discard|deallocate)\\b", Pattern.CASE_INSENSITIVE);

    private static final String PAUSED = "pausedSeconds";

    static final VariantTotals NONE = new VariantTotals(0, 0, Map.of(), Map.of(), Map.of(), List.of());

    /** The totals plus one more block. */
    VariantTotals plus(RunResult result, double blockSeconds) {
        Map<String, Double> all = new TreeMap<>(sums);
        sums(result).forEach((name, value) -> all.merge(name, value, Double::sum));
        return new VariantTotals(
                blocks + 1,
                seconds + blockSeconds,
                Sum.byName(List.of(operations, result.operations())),
                all,
                Durability.of(result),
                Stream.concat(machines.stream(), Stream.of(machinesOf(result))).toList());
    }

    /** Their properties are the same in all blocks. */
    private RunMachines machinesOf(RunResult block) {
        RunMachines found = block.serverProfile().machines();
        return found.each(machines.isEmpty() ? MachineProfile::withoutSamples : MachineProfile::load);
    }

    /** The machines over all blocks. */
    RunMachines medianMachines() {
        return RunMachines.medians(machines);
    }

    /** What was full over all blocks. */
    List<Remark> bottleneck() {
        return Bottleneck.of(medianMachines(), sums.getOrDefault(PAUSED, 0.0) / Math.max(1, blocks));
    }

    /** Operations per second over all blocks. */
    double opsPerSecond() {
        return seconds == 0 ? 0 : sums.getOrDefault(RATE, 0.0) / blocks;
    }

    /** What the rates of blocks are to their counts of whole operations. */
    private double perCount() {
        double counted = operations.values().stream()
                .mapToDouble(OperationResult::opsPerSecond)
                .sum();
        return counted == 0 ? 1 : sums.getOrDefault(RATE, counted) / counted;
    }

    /** The operations, with rates averaged over the blocks, which have equal lengths. */
    Map<String, OperationResult> averaged() {
        return operations.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, o -> averaged(o.getValue()), (a, b) -> a, LinkedHashMap::new));
    }

    private OperationResult averaged(OperationResult o) {
        Double megabytes = o.megabytesPerSecond() == null ? null : Double.valueOf(o.megabytesPerSecond() / blocks);
        return Records.with(
                Records.with(
                        Records.with(o, "opsPerSecond", o.opsPerSecond() * perCount() / blocks),
                        "rowsPerSecond",
                        o.rowsPerSecond() * perCount() / blocks),
                "megabytesPerSecond",
                megabytes);
    }

    private static Map<String, Double> sums(RunResult r) {
        Map<String, Double> sums = new TreeMap<>();
        OperationResult all = r.total();
        double calls =
                all.statements().values().stream().mapToDouble(s -> s.calls()).sum();
        double callsInAll = all.statements().values().stream()
                .mapToDouble(s -> s.callsInAll())
                .sum();
        sums.put("blocks", 1.0);
        sums.put(PAUSED, r.load().halts().seconds());
        sums.put(RATE, BlockRate.of(r, all));
        sums.put("ok", (double) all.okInWindow());
        sums.put("calls", calls);
        sums.put(
                "dataCallsInAll",
                all.statements().entrySet().stream()
                        .filter(s -> !TRANSACTION.matcher(s.getValue().sql()).find())
                        .mapToDouble(s -> s.getValue().callsInAll())
                        .sum());
        sums.put("okInAll", calls == 0 ? 0 : all.ok() * callsInAll / calls);
        sums.put(ThreadKinds.SUM + r.client().threadKind(), 1.0);
        sums.put("bytesIn", (double) r.load().network().bytesIn());
        sums.put("bytesOut", (double) r.load().network().bytesOut());
        sums.put("clientCpuMicros", r.client().cpuMicrosPerOperation() * all.okInWindow());
        sums.put("clientCores", r.client().cpuCoresUsed());
        sums.put("clientCpus", (double) r.client().cpus());
        Latency total = all.latencyMicros().get("total");
        if (total != null) {
            sums.put("totalMicros", total.mean() * total.count());
        }
        Latency acquire = all.latencyMicros().get("acquire");
        if (acquire != null) {
            sums.put("acquireMicros", acquire.mean() * acquire.count());
        }
        server(r, sums);
        return sums;
    }

    private static void server(RunResult r, Map<String, Double> sums) {
        ServerCounts counts = r.serverProfile().counts();
        sums.put("waitSamples", (double) counts.waitSamples());
        counts.waitEvents().forEach((event, count) -> sums.put("wait " + event, (double) count));
        OperationWaits waits = r.serverProfile().operationWaits();
        if (waits != null) {
            waits.operations().forEach(each -> {
                waits("ordinary " + each.operation(), each.usual(), sums);
                waits("the slowest " + each.operation(), each.slow(), sums);
            });
        }
        for (ServerStatement s : counts.statements()) {
            sums.merge("serverCalls", (double) s.calls(), Double::sum);
            if (!TRANSACTION.matcher(s.query()).find()) {
                sums.merge("serverDataCalls", (double) s.calls(), Double::sum);
            }
            sums.merge("serverExecMillis", s.totalExecMillis(), Double::sum);
            add(sums, "blocksHit", s.blocksHit());
            add(sums, "blocksRead", s.blocksRead());
            add(sums, "walBytes", s.walBytes());
        }
        plans(r, sums);
        for (MachineProfile host : r.serverProfile().machines().hosts()) {
            QuotaUse quota = host.use() == null ? null : host.use().quota();
            ofNode(sums, "cpu", host, host.cpuBusy());
            ofNode(sums, "throttled", host, quota == null ? null : Double.valueOf(quota.throttled()));
            ofNode(sums, "cores", host, quota == null ? null : quota.usedCores());
            if (host.processCpu() != null
                    && host.environment() != null
                    && host.environment().cpus() != null) {
                double micros =
                        host.processCpu() * host.environment().cpus() * r.run().measuredSeconds() * 1e6;
                sums.merge("serverCpuMicros", micros, Double::sum);
            }
        }
    }

    /** A figure that is averaged over the blocks that know it. */
    private static void ofNode(Map<String, Double> sums, String figure, MachineProfile node, @Nullable Double value) {
        if (value != null) {
            sums.put(figure + " " + node.node(), value);
            sums.put(figure + " blocks " + node.node(), 1.0);
        }
    }

    private static void waits(String operations, OperationWaits.Group group, Map<String, Double> sums) {
        sums.put(VariantFacts.SAMPLED + operations, (double) group.sampledOperations());
        double seconds = group.samples() == 0 ? 0 : group.seconds();
        sums.put("seconds of " + operations, seconds);
        group.waits()
                .forEach((wait, share) ->
                        sums.put(VariantFacts.WAIT_OF + operations + ": " + wait, share.share() * seconds));
    }

    /** Adds where statements went in the run's own mode, the nodes' counts, and how sessions planned them. */
    private static void plans(RunResult r, Map<String, Double> sums) {
        Explained explained = r.serverProfile().explained();
        String mode = r.run().workload().statement();
        for (StatementRoute route : explained.routes()) {
            if (route.mode().equals(mode) && !route.scans().isEmpty()) {
                String statement = route.operation() + " " + route.statement() + ": ";
                sums.merge(VariantFacts.PLAN + statement + String.join(" and ", route.scans()), 1.0, Double::sum);
            }
            if (route.mode().equals(mode)
                    && route.touchedLater() != null
                    && !route.unit().equals("table")) {
                String where = route.operation() + " " + route.statement() + " of " + route.of() + " " + route.unit();
                sums.merge("touched " + where, (double) route.touchedLater(), Double::sum);
                sums.merge("touched blocks " + where, 1.0, Double::sum);
            }
        }
        for (NodeStatements node : explained.nodes()) {
            sums.merge("nodeStatements", (double) node.statements(), Double::sum);
            sums.merge("nodesOfTooFewTwoPhase", node.twoPhaseAtLeast() ? 1.0 : 0.0, Double::sum);
        }
        add(sums, "twoPhaseCommits", explained.twoPhaseCommits());
        if (!explained.nodes().isEmpty() && explained.twoPhaseCommits() == null) {
            sums.put("nodesOfTooFewTwoPhase", 1.0);
        }
        add(sums, "genericPlans", explained.genericPlans());
        add(sums, "customPlans", explained.customPlans());
    }

    private static void add(Map<String, Double> sums, String name, @Nullable Long value) {
        if (value != null) {
            sums.merge(name, value.doubleValue(), Double::sum);
        }
    }
}
