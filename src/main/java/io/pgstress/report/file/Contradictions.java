package io.pgstress.report.file;

import io.pgstress.measure.Phase;
import io.pgstress.result.Comparison;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.text.Inline;
import io.pgstress.text.Records;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds figures that cannot belong to one result, because they follow from each other. Those of a file that somebody has edited, or that is
 * damaged, are not shown, nor compared with others.
 */
final class Contradictions {
    /** Figures are written with all of their digits; rates of several hosts are added in another order. */
    private static final double ROUNDING = 1e-6;

    /** A histogram has 3 digits. */
    private static final double HISTOGRAM = 2e-3;

    /** Hosts measure for the same time except for this share, or the run is not valid. */
    private static final double HOSTS = 0.02;

    /** The rate of a block with few operations may follow from their mean time, and that of its variant from their number. */
    private static final double BLOCKS = 0.1;

    private @Nullable String first;

    private Contradictions() {}

    /** The first two figures that contradict each other, in words; empty if there are none. */
    static Optional<String> first(Result result) {
        Contradictions found = new Contradictions();
        found.visit("", result);
        return Optional.ofNullable(found.first);
    }

    /** Everything that is in a result, because runs, times and verdicts are at many places of it. */
    private void visit(String path, @Nullable Object value) {
        if (first != null) {
            return;
        }
        if (value instanceof RunResult run) {
            ofRun(path, run);
        } else if (value instanceof Comparison comparison) {
            ofComparison(comparison);
        } else if (value instanceof Validity validity) {
            ofVerdict(path, validity, false);
        } else if (value instanceof Latency times) {
            ofTimes(path, times);
        }
        if (value instanceof Record record) {
            for (RecordComponent part : Records.components(record)) {
                String at = part.isAnnotationPresent(Inline.class) ? path : at(path, part.getName());
                visit(at, Records.value(record, part));
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, part) -> visit(at(path, String.valueOf(name)), part));
        } else if (value instanceof Collection<?> list) {
            int index = 0;
            for (Object part : list) {
                visit(path + "[" + index++ + "]", part);
            }
        }
    }

    private static String at(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private void check(boolean isConsistent, String path, String figure, Object is, String other, Object isThere) {
        if (!isConsistent && first == null) {
            first = at(path, figure) + " is " + is + ", but " + other + " " + isThere;
        }
    }

    private static boolean isNear(double one, double other, double tolerance) {
        return Math.abs(one - other) <= tolerance * Math.max(1, Math.max(Math.abs(one), Math.abs(other)));
    }

    /** A search may be not valid because a step was, whose reason is usual for a step and not told. */
    private void ofVerdict(String path, Validity validity, boolean needsReason) {
        int reasons = validity.reasons().size();
        boolean isConsistent = validity.valid() ? reasons == 0 : reasons > 0 || !needsReason;
        check(isConsistent, path, "valid", validity.valid(), "the number of its reasons is", reasons);
    }

    private void ofTimes(String path, Latency times) {
        Map<String, Double> order = new LinkedHashMap<>();
        if (times.min() != null) {
            order.put("min", times.min());
        }
        order.put("p50", times.p50());
        order.put("p90", times.p90());
        order.put("p95", times.p95());
        order.put("p99", times.p99());
        order.put("p999", times.p999());
        order.put("max", times.max());
        String lower = "0 and";
        double least = 0;
        for (Map.Entry<String, Double> figure : order.entrySet()) {
            check(figure.getValue() >= least, path, figure.getKey(), figure.getValue(), lower + " is", least);
            lower = figure.getKey();
            least = figure.getValue();
        }
        check(times.mean() <= times.max() * (1 + HISTOGRAM), path, "mean", times.mean(), "max is", times.max());
        if (times.histogram() != null && first == null) {
            Latency all = Latency.of(times.decoded());
            check(times.count() == all.count(), path, "count", times.count(), "its histogram has", all.count());
            for (String figure : List.of("mean", "p50", "p90", "p95", "p99", "p999", "max")) {
                check(
                        isNear(times.figure(figure), all.figure(figure), HISTOGRAM),
                        path,
                        figure,
                        times.figure(figure),
                        "its histogram has",
                        all.figure(figure));
            }
        }
    }

    private void ofRun(String path, RunResult run) {
        ofVerdict(path, run.validity(), true);
        boolean isMerged = run.run().scenario().containsKey("merged");
        // a result from before this figure does not have it
        boolean isKnown = run.operations().values().stream().anyMatch(o -> o.okInWindow() > 0)
                || run.operations().values().stream().allMatch(o -> o.opsPerSecond() == 0);
        ofOperations(at(path, "operations"), run, run.operations(), isKnown, isMerged);
        for (int n = 0; n < run.nodes().size(); n++) {
            NodeResult node = run.nodes().get(n);
            ofOperations(at(path, "nodes[" + n + "].operations"), run, node.operations(), isKnown, isMerged);
        }
        ofNodes(path, run);
        ofIntervals(path, run, isKnown);
        if (isMerged) {
            ofHosts(path, run);
        }
    }

    private void ofOperations(
            String path, RunResult run, Map<String, OperationResult> operations, boolean isKnown, boolean isMerged) {
        double seconds = run.run().measuredSeconds();
        operations.forEach((name, o) -> {
            String at = at(path, name);
            double rate = seconds == 0 ? 0 : o.okInWindow() / seconds;
            if (isKnown) {
                // hosts that are merged are added up, and the time is that of the longest
                check(
                        isMerged ? o.opsPerSecond() >= rate * (1 - ROUNDING) : isNear(o.opsPerSecond(), rate, ROUNDING),
                        at,
                        "opsPerSecond",
                        o.opsPerSecond(),
                        "okInWindow in " + seconds + " s is",
                        rate);
            }
            for (String kind : List.of("total", "response", "service")) {
                Latency times = o.latencyMicros().get(kind);
                if (times != null) {
                    check(
                            times.count() >= o.ok() && times.count() <= o.ok() + o.unfinished(),
                            at,
                            "latencyMicros." + kind + ".count",
                            times.count(),
                            "ok is",
                            o.ok());
                }
            }
            Latency failed = o.latencyMicros().get("failed");
            if (failed != null) {
                long empty = o.misses() + o.duplicates();
                check( // an error after the drain is of an unfinished operation
                        failed.count() >= empty && failed.count() <= empty + o.failed(),
                        at,
                        "latencyMicros.failed.count",
                        failed.count(),
                        "misses, duplicates and errors together are",
                        empty + o.failed());
            }
        });
    }

    /** A node whose share is unknown has no operations. */
    private void ofNodes(String path, RunResult run) {
        if (run.nodes().isEmpty()
                || run.nodes().stream().anyMatch(node -> node.operations().isEmpty())) {
            return;
        }
        run.operations().forEach((name, o) -> {
            ofNodes(path, run, name, "ok", OperationResult::ok);
            ofNodes(path, run, name, "okInWindow", OperationResult::okInWindow);
            ofNodes(path, run, name, "misses", OperationResult::misses);
            ofNodes(path, run, name, "duplicates", OperationResult::duplicates);
        });
    }

    private void ofNodes(
            String path, RunResult run, String operation, String figure, ToLongFunction<OperationResult> count) {
        long all = count.applyAsLong(run.operations().getOrDefault(operation, OperationResult.NONE));
        long nodes = run.nodes().stream()
                .flatMap(node -> Stream.ofNullable(node.operations().get(operation)))
                .mapToLong(count)
                .sum();
        check(all == nodes, at(path, "operations." + operation), figure, all, "all nodes together have", nodes);
    }

    /** A result may be without intervals. */
    private void ofIntervals(String path, RunResult run, boolean isKnown) {
        List<IntervalResult> measured =
                run.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
        for (int n = 0; n < run.intervals().size(); n++) {
            ofInterval(at(path, "intervals[" + n + "]"), run, run.intervals().get(n));
        }
        if (isKnown && !measured.isEmpty()) {
            long ok = measured.stream().mapToLong(i -> i.counts().ok()).sum();
            long all = run.window().ok();
            check(all == ok, path, "okInWindow of all operations", all, "the intervals of the measurement have", ok);
        }
    }

    private void ofInterval(String path, RunResult run, IntervalResult interval) {
        long ok = interval.operations().values().stream()
                .mapToLong(IntervalResult.OperationInterval::ok)
                .sum();
        long isOk = interval.counts().ok();
        check(isOk == ok, path, "ok", isOk, "its operations together have", ok);
        if (run.hosts().isEmpty() && interval.in(Phase.MEASURE) && interval.seconds() > 0) {
            double rate = isOk / interval.seconds();
            double isRate = interval.rates().opsPerSecond();
            check(isNear(isRate, rate, ROUNDING), path, "opsPerSecond", isRate, "ok in its seconds is", rate);
        }
    }

    private void ofHosts(String path, RunResult run) {
        long ok = run.hosts().stream().mapToLong(HostResult::ok).sum();
        long all = run.window().ok();
        check(all == ok, path, "okInWindow of all operations", all, "the hosts together have", ok);
        double rate = run.hosts().stream().mapToDouble(HostResult::opsPerSecond).sum();
        double isRate = run.operations().values().stream()
                .mapToDouble(OperationResult::opsPerSecond)
                .sum();
        check(
                isNear(isRate, rate, HOSTS),
                path,
                "opsPerSecond of all operations",
                isRate,
                "the hosts together have",
                rate);
    }

    private void ofComparison(Comparison comparison) {
        for (int n = 0; n < comparison.variants().size(); n++) {
            Comparison.Variant variant = comparison.variants().get(n);
            double[] rates = comparison.blocks().stream()
                    .filter(block -> block.variant().equals(variant.name()))
                    .mapToDouble(Comparison.Block::opsPerSecond)
                    .sorted()
                    .toArray();
            if (rates.length > 0) { // an earlier result has none
                double most = rates[rates.length - 1];
                double is = variant.opsPerSecond();
                check(
                        is >= rates[0] * (1 - BLOCKS) && is <= most * (1 + BLOCKS),
                        "variants[" + n + "]",
                        "opsPerSecond",
                        is,
                        "its blocks have",
                        rates[0] + " to " + most);
            }
        }
        for (int n = 0; n < comparison.effects().size(); n++) {
            Comparison.Effect effect = comparison.effects().get(n);
            check(
                    effect.ratio() >= effect.low() && effect.ratio() <= effect.high(),
                    "effects[" + n + "]",
                    "ratio",
                    effect.ratio(),
                    "its interval is",
                    effect.low() + " to " + effect.high());
        }
    }
}
