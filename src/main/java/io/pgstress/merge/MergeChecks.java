package io.pgstress.merge;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks whether several results belong together, and collects the warnings if they do. */
final class MergeChecks {
    /** Options that may differ between hosts of one run: the part of the load, the addresses and the share of the ids. */
    private static final Set<String> MAY_DIFFER =
            Set.of("threads", "rate", "seed", "id-slice", "pool-size", "url", "hosts", "coordinators", "merged");

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
    static List<String> losses(List<RunResult> hosts) {
        List<String> warnings = new ArrayList<>();
        double apart = secondsApart(hosts);
        double interval = hosts.get(0).intervals().stream()
                .mapToDouble(IntervalResult::seconds)
                .max()
                .orElse(1);
        if (apart > interval) {
            warnings.add("the runs started " + Figures.seconds(apart)
                    + " apart: the sums combine intervals of different times");
        }
        if (IntervalMerge.losesTimes(hosts.stream().map(RunResult::intervals).toList())) {
            warnings.add("some intervals have no histograms, so merged intervals have no times");
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
