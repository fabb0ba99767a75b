package io.pgstress.compare;

import io.pgstress.compare.Fact.Group;
import io.pgstress.compare.Fact.NodeFigure;
import io.pgstress.compare.Fact.OfNode;
import io.pgstress.compare.Fact.Scans;
import io.pgstress.compare.Fact.Speed;
import io.pgstress.compare.Fact.Touched;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Connecting;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a variant's blocks, from which {@link VariantFacts} are computed. Immutable.
 *
 * @param seconds total measured time
 * @param sums those of the counts that were known
 * @param threadKinds the kinds of threads that its clients ran on
 * @param server what was observed of its servers
 * @param durability the {@link Durability} of its servers at its last block
 * @param machines the machines during each block, with their properties in the first
 */
public record VariantTotals(
        int blocks,
        double seconds,
        Map<String, OperationResult> operations,
        Map<Count, Double> sums,
        Set<String> threadKinds,
        Server server,
        Map<String, Map<String, String>> durability,
        List<RunMachines> machines) {
    /** What is added up over the blocks. */
    enum Count {
        PAUSED_SECONDS,

        /** The blocks' operations per second. */
        RATE,
        OK,
        CALLS,

        /** Those that the server had to parse, as the statement mode tells. */
        PARSED_CALLS,

        /** Statements of the whole run, including warm-up and drain, without those of {@link #TRANSACTION}. */
        DATA_CALLS_IN_ALL,

        /** Successful operations of the whole run. */
        OK_IN_ALL,
        BYTES_IN,
        BYTES_OUT,
        CLIENT_CPU_MICROS,
        CLIENT_CORES,
        CLIENT_CPUS,
        TOTAL_MICROS,
        ACQUIRE_MICROS,
        SESSION_SECONDS,
        SERVER_CALLS,
        SERVER_DATA_CALLS,
        SERVER_EXEC_MILLIS,
        BLOCKS_HIT,
        BLOCKS_READ,
        WAL_BYTES,
        SERVER_CPU_MICROS,
        NODE_STATEMENTS,

        /** Nodes that counted too few two-phase commits. */
        NODES_OF_TOO_FEW_TWO_PHASE,
        TWO_PHASE_COMMITS,
        GENERIC_PLANS,
        CUSTOM_PLANS
    }

    /**
     * What was observed of the servers.
     *
     * @param sessionWaits seconds of sessions by what they waited for
     * @param scans number of plans
     */
    record Server(
            Map<String, Double> sessionWaits,
            List<GroupWaits> groups,
            List<Total<Touched>> touched,
            List<Total<Scans>> scans,
            List<Total<OfNode>> nodes) {
        static final Server NONE = new Server(Map.of(), List.of(), List.of(), List.of(), List.of());

        private Server plus(Server other) {
            return new Server(
                    sum(sessionWaits, other.sessionWaits),
                    merged(Stream.concat(groups.stream(), other.groups.stream()), GroupWaits::group, GroupWaits::plus),
                    Total.sums(Stream.concat(touched.stream(), other.touched.stream())),
                    Total.sums(Stream.concat(scans.stream(), other.scans.stream())),
                    Total.sums(Stream.concat(nodes.stream(), other.nodes.stream())));
        }
    }

    /** The sum of a figure and how many were added. */
    record Total<F extends Fact>(F fact, double sum, double count) {
        Total(F fact, double value) {
            this(fact, value, 1);
        }

        private Total<F> plus(Total<F> other) {
            return new Total<>(fact, sum + other.sum, count + other.count);
        }

        private static <F extends Fact> List<Total<F>> sums(Stream<Total<F>> all) {
            return merged(all, Total::fact, Total::plus);
        }
    }

    /**
     * What sampled operations waited for.
     *
     * @param sampledOperations number of those with a sample
     * @param allSeconds their time; 0 if there is no sample
     * @param seconds the time by what they waited for
     */
    record GroupWaits(Group group, double sampledOperations, double allSeconds, Map<String, Double> seconds) {
        private static GroupWaits of(Speed speed, String operation, OperationWaits.Group sampled) {
            double all = sampled.samples() == 0 ? 0 : sampled.seconds();
            Map<String, Double> seconds = new TreeMap<>();
            sampled.waits().forEach((wait, share) -> seconds.put(wait, share.share() * all));
            return new GroupWaits(new Group(speed, operation), sampled.sampledOperations(), all, seconds);
        }

        private GroupWaits plus(GroupWaits other) {
            return new GroupWaits(
                    group,
                    sampledOperations + other.sampledOperations,
                    allSeconds + other.allSeconds,
                    sum(seconds, other.seconds));
        }
    }

    private static <K, T> List<T> merged(Stream<T> all, Function<T, K> key, BinaryOperator<T> sum) {
        Map<K, T> byKey = new LinkedHashMap<>();
        all.forEach(each -> byKey.merge(key.apply(each), each, sum));
        return List.copyOf(byKey.values());
    }

    private static <K> Map<K, Double> sum(Map<K, Double> a, Map<K, Double> b) {
        Map<K, Double> all = new TreeMap<>(a);
        b.forEach((name, value) -> all.merge(name, value, Double::sum));
        return all;
    }

    /** Statements that a driver adds around those of an operation. */
    private static final Pattern TRANSACTION = Pattern.compile(
            "^\\s*(begin|commit|end|rollback|set|reset|discard|deallocate)\\b", Pattern.CASE_INSENSITIVE);

    static final VariantTotals NONE =
            new VariantTotals(0, 0, Map.of(), Map.of(), Set.of(), Server.NONE, Map.of(), List.of());

    /** The totals plus one more block. */
    VariantTotals plus(RunResult result, double blockSeconds) {
        Set<String> kinds = new TreeSet<>(threadKinds);
        kinds.add(result.client().threadKind());
        return new VariantTotals(
                blocks + 1,
                seconds + blockSeconds,
                Sum.byName(List.of(operations, result.operations())),
                sum(sums, sums(result)),
                kinds,
                server.plus(server(result)),
                Durability.of(result),
                Stream.concat(machines.stream(), Stream.of(machinesOf(result))).toList());
    }

    /** The sum of a count over the blocks that know it; 0 if none does. */
    double sum(Count count) {
        return sums.getOrDefault(count, 0.0);
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
        return Bottleneck.of(medianMachines(), sum(Count.PAUSED_SECONDS) / Math.max(1, blocks));
    }

    /** Operations per second over all blocks. */
    double opsPerSecond() {
        return seconds == 0 ? 0 : sum(Count.RATE) / blocks;
    }

    /** What the rates of blocks are to their counts of whole operations. */
    private double perCount() {
        double counted = operations.values().stream()
                .mapToDouble(OperationResult::opsPerSecond)
                .sum();
        return counted == 0 ? 1 : sums.getOrDefault(Count.RATE, counted) / counted;
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

    /** Whether the server parses a statement at each execution; otherwise once in a session. */
    private static boolean parsesEach(RunResult r) {
        Connecting connecting = r.load().connecting();
        return !StatementMode.PREPARED.label().equals(r.run().workload().statement())
                || (connecting != null && connecting.wasPerTransaction());
    }

    private static Map<Count, Double> sums(RunResult r) {
        Map<Count, Double> sums = new TreeMap<>();
        OperationResult all = r.total();
        double calls =
                all.statements().values().stream().mapToDouble(s -> s.calls()).sum();
        double callsInAll = all.statements().values().stream()
                .mapToDouble(s -> s.callsInAll())
                .sum();
        sums.put(Count.PAUSED_SECONDS, r.load().halts().seconds());
        sums.put(Count.RATE, BlockRate.of(r, all));
        sums.put(Count.OK, (double) all.okInWindow());
        sums.put(Count.CALLS, calls);
        sums.put(Count.PARSED_CALLS, parsesEach(r) ? calls : 0);
        sums.put(
                Count.DATA_CALLS_IN_ALL,
                all.statements().entrySet().stream()
                        .filter(s -> !TRANSACTION.matcher(s.getValue().sql()).find())
                        .mapToDouble(s -> s.getValue().callsInAll())
                        .sum());
        sums.put(Count.OK_IN_ALL, calls == 0 ? 0 : all.ok() * callsInAll / calls);
        sums.put(Count.BYTES_IN, (double) r.load().network().bytesIn());
        sums.put(Count.BYTES_OUT, (double) r.load().network().bytesOut());
        sums.put(Count.CLIENT_CPU_MICROS, r.client().cpuMicrosPerOperation() * all.okInWindow());
        sums.put(Count.CLIENT_CORES, r.client().cpuCoresUsed());
        sums.put(Count.CLIENT_CPUS, (double) r.client().cpus());
        Latency total = all.latencyMicros().get("total");
        if (total != null) {
            sums.put(Count.TOTAL_MICROS, total.mean() * total.count());
        }
        Latency acquire = all.latencyMicros().get("acquire");
        if (acquire != null) {
            sums.put(Count.ACQUIRE_MICROS, acquire.mean() * acquire.count());
        }
        ofStatements(r.serverProfile().counts(), sums);
        ofNodes(r.serverProfile().explained(), sums);
        for (MachineProfile host : r.serverProfile().machines().hosts()) {
            if (host.processCpu() != null
                    && host.environment() != null
                    && host.environment().cpus() != null) {
                double micros =
                        host.processCpu() * host.environment().cpus() * r.run().measuredSeconds() * 1e6;
                sums.merge(Count.SERVER_CPU_MICROS, micros, Double::sum);
            }
        }
        return sums;
    }

    private static void ofStatements(ServerCounts counts, Map<Count, Double> sums) {
        sums.put(Count.SESSION_SECONDS, counts.sessionSeconds());
        for (ServerStatement s : counts.statements()) {
            sums.merge(Count.SERVER_CALLS, (double) s.calls(), Double::sum);
            if (!TRANSACTION.matcher(s.query()).find()) {
                sums.merge(Count.SERVER_DATA_CALLS, (double) s.calls(), Double::sum);
            }
            sums.merge(Count.SERVER_EXEC_MILLIS, s.totalExecMillis(), Double::sum);
            add(sums, Count.BLOCKS_HIT, s.blocksHit());
            add(sums, Count.BLOCKS_READ, s.blocksRead());
            add(sums, Count.WAL_BYTES, s.walBytes());
        }
    }

    /** Adds the nodes' counts, and how sessions planned. */
    private static void ofNodes(Explained explained, Map<Count, Double> sums) {
        for (NodeStatements node : explained.nodes()) {
            sums.merge(Count.NODE_STATEMENTS, (double) node.statements(), Double::sum);
            sums.merge(Count.NODES_OF_TOO_FEW_TWO_PHASE, node.twoPhaseAtLeast() ? 1.0 : 0.0, Double::sum);
        }
        add(sums, Count.TWO_PHASE_COMMITS, explained.twoPhaseCommits());
        if (!explained.nodes().isEmpty() && explained.twoPhaseCommits() == null) {
            sums.put(Count.NODES_OF_TOO_FEW_TWO_PHASE, 1.0);
        }
        add(sums, Count.GENERIC_PLANS, explained.genericPlans());
        add(sums, Count.CUSTOM_PLANS, explained.customPlans());
    }

    private static void add(Map<Count, Double> sums, Count count, @Nullable Long value) {
        if (value != null) {
            sums.merge(count, value.doubleValue(), Double::sum);
        }
    }

    private static Server server(RunResult r) {
        OperationWaits waits = r.serverProfile().operationWaits();
        List<GroupWaits> groups = waits == null
                ? List.of()
                : waits.operations().stream()
                        .flatMap(each -> Stream.of(
                                GroupWaits.of(Speed.ORDINARY, each.operation(), each.usual()),
                                GroupWaits.of(Speed.SLOWEST, each.operation(), each.slow())))
                        .toList();
        List<StatementRoute> routes = r.serverProfile().explained().routes().stream()
                .filter(route -> route.mode().equals(r.run().workload().statement()))
                .toList();
        return new Server(
                r.serverProfile().counts().waitEventSeconds(),
                groups,
                Total.sums(routes.stream().flatMap(VariantTotals::touched)),
                Total.sums(routes.stream()
                        .filter(route -> !route.scans().isEmpty())
                        .map(route ->
                                new Total<>(new Scans(statement(route), String.join(" and ", route.scans())), 1))),
                r.serverProfile().machines().hosts().stream()
                        .flatMap(VariantTotals::ofNode)
                        .toList());
    }

    private static String statement(StatementRoute route) {
        return route.operation() + " " + route.statement();
    }

    private static Stream<Total<Touched>> touched(StatementRoute route) {
        Integer touched = route.touchedLater();
        return touched == null || route.unit().equals("table")
                ? Stream.empty()
                : Stream.of(new Total<>(new Touched(statement(route), route.of(), route.unit()), touched));
    }

    /** The figures of a node that it knows. */
    private static Stream<Total<OfNode>> ofNode(MachineProfile host) {
        QuotaUse quota = host.use() == null ? null : host.use().quota();
        List<Total<OfNode>> known = new ArrayList<>();
        add(known, NodeFigure.CPU_BUSY, host, host.cpuBusy());
        add(known, NodeFigure.THROTTLED, host, quota == null ? null : Double.valueOf(quota.throttled()));
        add(known, NodeFigure.CORES, host, quota == null ? null : quota.usedCores());
        return known.stream();
    }

    private static void add(List<Total<OfNode>> known, NodeFigure figure, MachineProfile host, @Nullable Double value) {
        if (value != null) {
            known.add(new Total<>(new OfNode(figure, host.node()), value));
        }
    }
}
