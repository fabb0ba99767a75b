package io.pgstress.compare;

import io.pgstress.compare.EffectJudge.Differences;
import io.pgstress.compare.statistics.Difference;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.runner.Threads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of threads that the variants' clients ran on. Scheduling affects latency, so latencies of different kinds are
 * not compared; throughput is. Immutable.
 */
public final class ThreadKinds {
    private final Map<String, String> byVariant;

    private ThreadKinds(Map<String, String> byVariant) {
        this.byVariant = byVariant;
    }

    /** The kinds used by the measured blocks. */
    static ThreadKinds of(ComparisonState state, @Nullable EarlierResult earlier) {
        Map<String, String> kinds = new LinkedHashMap<>();
        state.tallies().forEach((variant, tally) -> {
            if (!tally.threadKinds().isEmpty()) {
                kinds.put(variant, String.join("/", new TreeSet<>(tally.threadKinds())));
            }
        });
        return new ThreadKinds(with(kinds, earlier));
    }

    private static ThreadKinds of(Workload workload, @Nullable EarlierResult earlier) {
        Map<String, String> kinds = new LinkedHashMap<>();
        workload.variants()
                .forEach(v -> kinds.put(
                        v.name(),
                        Threads.name(v.spec(), HostShare.whole(v.spec().load().clients()))));
        return new ThreadKinds(with(kinds, earlier));
    }

    private static Map<String, String> with(Map<String, String> kinds, @Nullable EarlierResult earlier) {
        if (earlier != null && earlier.threadKind() != null) {
            kinds.put(earlier.name(), earlier.threadKind());
        }
        return kinds;
    }

    private boolean differ(String variant, String other) {
        String of = byVariant.get(variant);
        String to = byVariant.get(other);
        return of != null && to != null && !of.equals(to);
    }

    /** The differences without latencies that are not comparable. */
    Differences comparable(Differences all, String baseline) {
        return (variant, metric) -> Metrics.isRate(metric) || !differ(variant, baseline)
                ? all.logRatio(variant, metric)
                : Optional.<Difference>empty();
    }

    /** One sentence for each variant whose latencies are not compared with the baseline. */
    List<String> words(List<String> variants, String baseline) {
        return variants.stream()
                .filter(v -> differ(v, baseline))
                .map(v -> "Latencies of " + v + " and " + baseline + " are not compared: their clients ran on different"
                        + " kinds of threads (" + byVariant.get(v) + ", " + byVariant.get(baseline)
                        + "), and thread scheduling affects latency.")
                .toList();
    }

    /**
     * The limits on latencies that cannot be checked because clients run on different kinds of threads.
     *
     * @return one sentence per limit
     */
    public static List<String> unanswered(Scenario scenario, @Nullable EarlierResult earlier) {
        List<String> problems = new ArrayList<>();
        for (Workload workload : scenario.workloads()) {
            Map<String, String> kinds = of(workload, earlier).byVariant;
            for (Limit limit : scenario.limits()) {
                if (!Metrics.isRate(Metrics.ofLimit(limit.metric())) && new TreeSet<>(kinds.values()).size() > 1) {
                    problems.add("--fail-if: " + limit.text()
                            + ": latencies are not compared between kinds of client threads ("
                            + kinds.entrySet().stream()
                                    .map(k -> k.getKey() + ": " + k.getValue())
                                    .collect(Collectors.joining(", "))
                            + "); use the same --client-threads for all variants");
                }
            }
        }
        return problems.stream().distinct().toList();
    }
}
