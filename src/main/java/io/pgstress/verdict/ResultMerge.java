package io.pgstress.verdict;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.RunMachines;
import io.pgstress.measure.Phase;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.Header;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.LoadResult;
import io.pgstress.result.LoadResult.Open;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunInfo.PhaseLength;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.Sum;
import io.pgstress.result.Validity;
import io.pgstress.result.Workload;
import io.pgstress.text.Records;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Merges the results of several hosts that ran the same load at the same time into the result of one run. Counts, rates and
 * histograms are added, so every percentile of the whole run is exact. The servers' figures are taken from the first host,
 * because they already cover all hosts; the machines are those of all.
 */
public final class ResultMerge {
    private final List<RunResult> hosts;

    private ResultMerge(List<RunResult> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    /**
     * Merges results.
     *
     * @param findings at least one
     * @throws InvalidPlanException if one is not a run, or if they did not run the same load
     */
    public static RunResult of(List<? extends Result> findings) {
        List<RunResult> hosts = runs(findings);
        return hosts.size() == 1 ? hosts.get(0) : Judge.judged(new ResultMerge(hosts).merged());
    }

    private static List<RunResult> runs(List<? extends Result> findings) {
        List<RunResult> runs = new ArrayList<>();
        for (Result finding : findings) {
            if (!(finding instanceof RunResult run)) {
                throw new InvalidPlanException("--merge: " + finding.run().id() + " is not a run");
            }
            runs.add(run);
        }
        return runs;
    }

    private RunResult merged() {
        MergeChecks.refuse(hosts);
        RunResult first = hosts.get(0);
        HostRows rows = new HostRows(hosts);
        List<LoadResult> loads = hosts.stream().map(RunResult::load).toList();
        Pauses halts = Sum.of(loads.stream().map(LoadResult::halts).toList());
        Open open = Sum.of(loads.stream().map(LoadResult::open).toList());
        ServerProfile servers = first.serverProfile();
        RunMachines machines = new RunMachines(
                servers.machines().hosts(), rows.machines(), servers.machines().unobserved());
        return new RunResult(
                new Header(
                        RunResult.SCHEMA,
                        first.header().tool(),
                        run(),
                        HostMerge.clients(hosts),
                        HostMerge.servers(hosts),
                        first.dataset()),
                new LoadResult(
                        Sum.byName(loads.stream().map(LoadResult::operations).toList()),
                        HostMerge.nodes(hosts),
                        Network.sum(loads.stream().map(LoadResult::network)),
                        connecting(),
                        OutageMerge.of(hosts),
                        halts,
                        open,
                        Stream.of(Phase.MEASURE, Phase.DRAIN)
                                .flatMap(phase -> intervals(rows.intervals(), phase).stream())
                                .toList(),
                        intervals(
                                loads.stream().map(LoadResult::warmupIntervals).toList(), Phase.WARMUP),
                        rows.rows()),
                Records.with(
                        Records.with(Records.with(servers, "machines", machines), "operationWaits", null),
                        "bottleneck",
                        Bottleneck.of(machines, halts.seconds())),
                new Validity(true, List.of(), MergeChecks.losses(hosts)),
                List.of());
    }

    /** The intervals of one phase added by number; as many as the longest run has. */
    private static List<IntervalResult> intervals(List<List<IntervalResult>> hosts, Phase phase) {
        List<List<IntervalResult>> all = hosts.stream()
                .map(h -> h.stream().filter(i -> i.in(phase)).toList())
                .toList();
        return IntStream.range(0, all.stream().mapToInt(List::size).max().orElse(0))
                .mapToObj(n -> IntervalResult.sum(all.stream()
                        .filter(h -> h.size() > n)
                        .map(h -> h.get(n))
                        .toList()))
                .toList();
    }

    private RunInfo run() {
        RunInfo first = hosts.get(0).run();
        Workload workload = first.workload()
                .with(hosts.stream().mapToInt(h -> h.run().workload().clients()).sum(), rates());
        Map<String, Object> scenario = new LinkedHashMap<>(first.scenario());
        scenario.computeIfPresent("clients", (option, value) -> Integer.toString(workload.clients()));
        if (workload.hasRate()) {
            scenario.put("rate", workload.rateText());
        }
        scenario.put("merged", hosts.stream().map(h -> h.run().id()).toList());
        return new RunInfo(
                hosts.stream().map(h -> h.run().id()).collect(Collectors.joining("+")),
                hosts.stream()
                        .map(h -> h.run().startedAt())
                        .sorted()
                        .findFirst()
                        .orElse(first.startedAt()),
                first.argv(),
                first.seed(),
                scenario,
                workload,
                phases(),
                hosts.stream().anyMatch(h -> h.run().partial()),
                first.toleratedLost(),
                first.insecure());
    }

    /** Target rates added up, for each step that all hosts have. */
    private List<Double> rates() {
        int common = hosts.stream()
                .mapToInt(h -> h.run().workload().rates().size())
                .min()
                .orElse(0);
        return IntStream.range(0, common)
                .mapToObj(step -> hosts.stream()
                        .mapToDouble(h -> h.run().workload().rates().get(step))
                        .sum())
                .toList();
    }

    private List<PhaseLength> phases() {
        Map<String, Double> longest = new LinkedHashMap<>();
        hosts.forEach(h -> h.run().phases().forEach(p -> longest.merge(p.name(), p.seconds(), Math::max)));
        return longest.entrySet().stream()
                .map(e -> new PhaseLength(e.getKey(), e.getValue()))
                .toList();
    }

    /** The time for connecting on hosts that connected at the same time; null if it is unknown for one of them. */
    private @Nullable Connecting connecting() {
        List<Connecting> known = hosts.stream()
                .flatMap(h -> Stream.ofNullable(h.load().connecting()))
                .toList();
        if (known.size() < hosts.size()) {
            return null;
        }
        Connecting.Window window = new Connecting.Window(
                hosts.stream().mapToDouble(h -> h.window().measured()).max().orElse(0),
                hosts.stream().mapToLong(h -> h.window().ok()).sum());
        if (!known.get(0).opensPerTransaction()) {
            return Connecting.perClient(
                    known.stream()
                            .flatMap(c -> Stream.ofNullable(c.seconds()))
                            .mapToDouble(Double::doubleValue)
                            .max()
                            .orElse(0),
                    window);
        }
        Latency times = OperationResult.sum(hosts.stream()
                        .flatMap(h -> h.operations().values().stream())
                        .toList())
                .latencyMicros()
                .get("acquire");
        boolean isClosed = !hosts.get(0).run().workload().hasRate();
        return Connecting.perTransaction(
                times == null ? null : times.mean(),
                isClosed ? hosts.stream().mapToInt(RunResult::clients).sum() : 0,
                window);
    }

    /**
     * The rows of the hosts of a merged result. A result that already has hosts keeps them, unless two hosts would then have the
     * same name; any other result is one host, named by its position.
     */
    static final class HostRows {
        private final List<RunResult> results;
        private final boolean areKept;

        HostRows(List<RunResult> results) {
            this.results = results;
            Set<String> names = new HashSet<>();
            this.areKept = rows(true).stream().allMatch(row -> names.add(row.name()));
        }

        List<HostResult> rows() {
            return rows(areKept);
        }

        private List<HostResult> rows(boolean areOwnKept) {
            List<HostResult> rows = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                RunResult result = results.get(i);
                if (areOwnKept && !result.hosts().isEmpty()) {
                    rows.addAll(result.hosts());
                } else {
                    rows.add(result.asHost(name(i)));
                }
            }
            return rows;
        }

        /** The machines of all load generators, named as their hosts, followed by the other machines, each once. */
        List<MachineProfile> machines() {
            List<MachineProfile> clients = new ArrayList<>();
            Map<String, MachineProfile> others = new LinkedHashMap<>();
            for (int i = 0; i < results.size(); i++) {
                List<MachineProfile> machines =
                        results.get(i).serverProfile().machines().machines();
                List<MachineProfile> own =
                        machines.stream().filter(MachineProfile::generatesLoad).toList();
                boolean areNamed = areKept && !results.get(i).hosts().isEmpty();
                for (MachineProfile client : own) {
                    String of = own.size() == 1 ? name(i) : name(i) + ": " + client.node();
                    clients.add(areNamed ? client : client.named(of));
                }
                machines.stream().filter(m -> !m.generatesLoad()).forEach(m -> others.putIfAbsent(m.node(), m));
            }
            return Stream.concat(clients.stream(), others.values().stream()).toList();
        }

        /** Each result's intervals, with the hosts' shares. */
        List<List<IntervalResult>> intervals() {
            List<List<IntervalResult>> intervals = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                RunResult result = results.get(i);
                String name = name(i);
                intervals.add(
                        areKept && !result.hosts().isEmpty()
                                ? result.intervals()
                                : result.intervals().stream()
                                        .map(interval -> interval.ofHost(name))
                                        .toList());
            }
            return intervals;
        }

        static String name(int position) {
            return "host " + (position + 1);
        }
    }

    /** Merges outages: the times at which the outages of all hosts overlap, for the whole run and for each node. */
    static final class OutageMerge {
        private OutageMerge() {}

        /** The outages of all hosts together, then those of each node among the hosts that used it. */
        static List<Outage> of(List<RunResult> hosts) {
            List<Outage> merged = new ArrayList<>(overlap(hosts, null, false));
            hosts.stream()
                    .flatMap(h -> h.nodes().stream())
                    .map(NodeResult::url)
                    .distinct()
                    .forEach(node -> merged.addAll(overlap(
                            hosts.stream()
                                    .filter(h -> h.nodes().stream()
                                            .anyMatch(n -> n.url().equals(node)))
                                    .toList(),
                            node,
                            false)));
            hosts.stream()
                    .flatMap(h -> h.load().outages().stream())
                    .filter(Outage::silent)
                    .map(Outage::node)
                    .distinct()
                    .forEach(node -> merged.addAll(overlap(hosts, node, true)));
            return merged;
        }

        private static List<Outage> overlap(List<RunResult> hosts, @Nullable String node, boolean silent) {
            List<Outage> common = of(hosts.get(0), node, silent);
            for (RunResult host : hosts.subList(1, hosts.size())) {
                List<Outage> next = new ArrayList<>();
                for (Outage a : common) {
                    for (Outage b : of(host, node, silent)) {
                        double from = Math.max(a.fromSeconds(), b.fromSeconds());
                        double to = Math.min(a.toSeconds(), b.toSeconds());
                        if (from < to) {
                            next.add(both(a, b, from, to));
                        }
                    }
                }
                common = next;
            }
            return common;
        }

        /** The overlap of two hosts' outages; losses are assumed to be spread evenly over each. */
        private static Outage both(Outage a, Outage b, double from, double to) {
            Long lost = a.operationsLost() == null || b.operationsLost() == null
                    ? null
                    : Long.valueOf(Math.round(lostPerSecond(a) * (to - from) + lostPerSecond(b) * (to - from)));
            Double full = a.fullRateAtSeconds() == null || b.fullRateAtSeconds() == null
                    ? null
                    : Double.valueOf(Math.max(a.fullRateAtSeconds(), b.fullRateAtSeconds()));
            List<String> servers = Stream.concat(a.silentServers().stream(), b.silentServers().stream())
                    .distinct()
                    .toList();
            return new Outage(
                    from,
                    to,
                    a.node(),
                    a.silent(),
                    lost,
                    full,
                    servers,
                    a.answeredAtSeconds() == null ? b.answeredAtSeconds() : a.answeredAtSeconds(),
                    a.clientStalled() && b.clientStalled());
        }

        private static double lostPerSecond(Outage outage) {
            return outage.operationsLost() == null
                    ? 0
                    : outage.operationsLost() / (outage.toSeconds() - outage.fromSeconds());
        }

        private static List<Outage> of(RunResult host, @Nullable String node, boolean silent) {
            return host.load().outages().stream()
                    .filter(o -> o.silent() == silent && Objects.equals(o.node(), node))
                    .toList();
        }
    }

    /** Checks whether several results belong together, and collects the warnings if they do. */
    static final class MergeChecks {
        /** Options that may differ between hosts of one run: the part of the load, the addresses and the share of the ids. */
        private static final Set<String> MAY_DIFFER =
                Set.of("clients", "rate", "seed", "pool-size", "url", "hosts", "coordinators", "merged");

        private MergeChecks() {}

        /** @throws InvalidPlanException with every reason why the results do not belong to one run */
        static void refuse(List<RunResult> hosts) {
            List<String> problems = new ArrayList<>();
            Set<String> options = new TreeSet<>();
            hosts.forEach(h -> options.addAll(h.run().scenario().keySet()));
            options.removeAll(MAY_DIFFER);
            for (String option : options) {
                Set<String> values =
                        hosts.stream().map(h -> h.run().optionText(option)).collect(Collectors.toSet());
                if (values.size() > 1) {
                    problems.add("--merge: the results differ in " + option + ": " + String.join(", ", values));
                }
            }
            if (hosts.stream().map(h -> h.dataset().keyType()).distinct().count() > 1) {
                problems.add("--merge: the tables have keys of different types");
            }
            if (hosts.stream().map(h -> h.run().workload().hasRate()).distinct().count() > 1) {
                problems.add("--merge: some loads are open, some closed");
            }
            if (hosts.stream().map(h -> h.run().id()).distinct().count() < hosts.size()) {
                problems.add("--merge: the same run was given twice");
            }
            if (!problems.isEmpty()) {
                throw new InvalidPlanException(problems);
            }
        }

        /** Warnings about what merging loses. */
        static List<Remark> losses(List<RunResult> hosts) {
            List<Remark> warnings = new ArrayList<>();
            double apart = secondsApart(hosts);
            double interval = hosts.get(0).intervals().stream()
                    .mapToDouble(IntervalResult::seconds)
                    .max()
                    .orElse(1);
            if (apart > interval) {
                warnings.add(RemarkCode.MERGED_APART.with("seconds", apart).remark());
            }
            if (hosts.stream()
                    .flatMap(h -> h.intervals().stream())
                    .flatMap(i -> Stream.ofNullable(i.times().totalMicros()))
                    .anyMatch(l -> l.histogram() == null)) {
                warnings.add(RemarkCode.MERGED_WITHOUT_TIMES.remark());
            }
            return warnings;
        }

        private static double secondsApart(List<RunResult> hosts) {
            try {
                List<Instant> starts = hosts.stream()
                        .map(h -> Instant.parse(h.run().startedAt()))
                        .sorted()
                        .toList();
                return Duration.between(starts.get(0), starts.get(starts.size() - 1))
                                .toMillis()
                        / 1e3;
            } catch (DateTimeParseException e) {
                return 0;
            }
        }
    }

    /** Merges the machines of several results: load generators are added up, servers and nodes are matched by URL. */
    public static final class HostMerge {
        private HostMerge() {}

        /** The load generators added up. */
        public static ClientInfo clients(List<RunResult> hosts) {
            ClientInfo sum = Sum.of(hosts.stream().map(RunResult::client).toList());
            Double cpu = perOperation(hosts, ClientInfo::cpuMicrosPerOperation);
            ClientInfo ofAll = Records.with(sum, "cpuMicrosPerOperation", Objects.requireNonNullElse(cpu, 0.0));
            return Records.with(
                    Records.with(ofAll, "ownWaitShare", perOperation(hosts, ClientInfo::ownWaitShare)),
                    "cpus",
                    cpus(hosts));
        }

        /** The CPUs that all may use: those of several hosts on one machine together are no more than it has. */
        private static int cpus(List<RunResult> hosts) {
            int apart = 0;
            Map<String, Integer> byKernel = new HashMap<>();
            for (RunResult host : hosts) {
                int own = host.client().cpus();
                List<MachineProfile> machines = host.serverProfile().machines().machines().stream()
                        .filter(MachineProfile::generatesLoad)
                        .toList();
                Environment machine = machines.size() == 1 ? machines.get(0).environment() : null;
                if (machine == null || machine.kernelBoot() == null || machine.cpus() == null) {
                    apart += own;
                } else {
                    int all = machine.cpus();
                    byKernel.merge(machine.kernelBoot(), own, (one, other) -> Math.min(one + other, all));
                }
            }
            return apart
                    + byKernel.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** The mean over all operations; null if there are none, or if it is unknown for one of the hosts. */
        private static @Nullable Double perOperation(
                List<RunResult> hosts, Function<ClientInfo, @Nullable Double> figure) {
            double sum = 0;
            long operations = 0;
            for (RunResult host : hosts) {
                Double of = figure.apply(host.client());
                if (of == null) {
                    return null;
                }
                sum += of * host.window().ok();
                operations += host.window().ok();
            }
            return operations == 0 ? null : Double.valueOf(sum / operations);
        }

        static List<ServerInfo> servers(List<RunResult> hosts) {
            Map<String, ServerInfo> servers = new LinkedHashMap<>();
            hosts.forEach(h -> h.servers().forEach(s -> servers.putIfAbsent(s.url(), s)));
            return List.copyOf(servers.values());
        }

        static List<NodeResult> nodes(List<RunResult> hosts) {
            Map<String, List<NodeResult>> byUrl = new LinkedHashMap<>();
            hosts.forEach(h -> h.nodes()
                    .forEach(n -> byUrl.computeIfAbsent(n.url(), u -> new ArrayList<>())
                            .add(n)));
            return byUrl.values().stream()
                    .map(parts -> Records.with(
                            Sum.<NodeResult>of(parts),
                            "reached",
                            ReachedSessions.together(
                                    parts.stream().map(NodeResult::reached).toList())))
                    .toList();
        }
    }
}
