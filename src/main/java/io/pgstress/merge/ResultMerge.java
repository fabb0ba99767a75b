package io.pgstress.merge;

import io.pgstress.measure.Phase;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.Parts;
import io.pgstress.result.Pauses;
import io.pgstress.result.RateStep;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunInfo.PhaseLength;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.Workload;
import io.pgstress.verdict.Bottleneck;
import io.pgstress.verdict.Judge;
import io.pgstress.verdict.RateSteps;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Merges the results of several hosts that ran the same load at the same time into the result of one run. Counts, rates and
 * histograms are added, so every percentile of the whole run is exact. The servers' figures are taken from the first host,
 * because they already cover all hosts; the machines are those of all.
 */
public final class ResultMerge {
    private final List<RunResult> hosts;
    private final Parts<RunResult> parts;

    private ResultMerge(List<RunResult> hosts) {
        this.hosts = List.copyOf(hosts);
        this.parts = new Parts<>(this.hosts);
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
        return new RunResult(
                RunResult.SCHEMA,
                first.tool(),
                run(),
                HostMerge.clients(hosts),
                HostMerge.servers(hosts),
                first.dataset(),
                OperationMerge.byName(hosts.stream().map(RunResult::operations).toList()),
                OutageMerge.of(hosts),
                rateSteps(),
                parts.latency(RunResult::scheduleLagMicros),
                parts.knownSum(RunResult::backlog),
                parts.knownSum(RunResult::droppedFromWarmup),
                pauses(),
                serverProfile(rows),
                HostMerge.nodes(hosts),
                IntervalMerge.of(rows.intervals()),
                IntervalMerge.phase(
                        hosts.stream().map(RunResult::warmupIntervals).toList(), Phase.WARMUP),
                HostMerge.network(hosts.stream().map(RunResult::network).toList()),
                ConnectingMerge.of(hosts),
                true,
                List.of(),
                MergeChecks.losses(hosts),
                List.of(),
                rows.rows());
    }

    private Pauses pauses() {
        return new Pauses(
                (int) parts.sum(h -> h.halts().count()),
                hosts.stream().mapToDouble(h -> h.halts().seconds()).max().orElse(0),
                hosts.stream()
                        .flatMap(h -> h.halts().atSeconds().stream())
                        .sorted()
                        .toList(),
                Pauses.Rounds.together(
                        hosts.stream().map(h -> h.halts().rounds()).toList()));
    }

    private ServerProfile serverProfile(HostRows rows) {
        ServerProfile first = hosts.get(0).serverProfile();
        List<HostProfile> machines = rows.machines();
        return first.withMachines(
                machines, Bottleneck.of(first.hosts(), machines, first.unobserved(), pauses().seconds()));
    }

    /** Rates and backlogs added up, for each step that all hosts reached. */
    private List<RateStep> rateSteps() {
        int common = hosts.stream().mapToInt(h -> h.rateSteps().size()).min().orElse(0);
        List<RateStep> merged = new ArrayList<>();
        for (int n = 0; n < common; n++) {
            int step = n;
            Parts<RateStep> of =
                    new Parts<>(hosts.stream().map(h -> h.rateSteps().get(step)).toList());
            merged.add(new RateStep(
                    of.all().get(0).fromSeconds(),
                    of.all().stream().mapToDouble(RateStep::seconds).max().orElse(0),
                    of.rate(RateStep::targetRate),
                    of.rate(RateStep::opsPerSecond),
                    of.latency(RateStep::responseMicros),
                    of.sum(RateStep::backlog),
                    false));
        }
        return RateSteps.withKnee(merged);
    }

    private RunInfo run() {
        RunInfo first = hosts.get(0).run();
        Workload workload =
                first.workload().with((int) parts.sum(h -> h.run().workload().clients()), rates());
        Map<String, Object> scenario = new LinkedHashMap<>(first.scenario());
        scenario.computeIfPresent("threads", (option, value) -> Integer.toString(workload.clients()));
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
                .mapToObj(step -> parts.rate(h -> h.run().workload().rates().get(step)))
                .toList();
    }

    private List<PhaseLength> phases() {
        Map<String, Double> longest = new LinkedHashMap<>();
        hosts.forEach(h -> h.run().phases().forEach(p -> longest.merge(p.name(), p.seconds(), Math::max)));
        return longest.entrySet().stream()
                .map(e -> new PhaseLength(e.getKey(), e.getValue()))
                .toList();
    }
}
