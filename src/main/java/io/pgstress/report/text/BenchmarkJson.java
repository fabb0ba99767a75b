package io.pgstress.report.text;

import io.pgstress.measure.Phase;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.file.ReportFormat.Content;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.Comparison;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.text.Json;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Figures for services that keep the history of benchmarks: Bencher's metric format (https://bencher.dev/docs/reference/bencher-metric-format) and
 * {@code customBiggerIsBetter} of github-action-benchmark. The name of a benchmark is the title of the result, so that only equal loads have one
 * history. Results that are not valid are left out.
 */
public final class BenchmarkJson {
    /** Throughput in operations per second and latencies in nanoseconds, which are the units of these measures there. */
    public static final ReportFormat BENCHER = new ReportFormat(
            "bench-bmf",
            "Bencher's metric format",
            Content.RESULTS,
            (results, out) -> out.append(Json.write(bencher(results))));

    /** Throughput only, because all its figures have to be better if they are bigger. */
    public static final ReportFormat GITHUB = new ReportFormat(
            "bench-github",
            "github-action-benchmark's JSON",
            Content.RESULTS,
            (results, out) -> out.append(Json.write(github(results))));

    /** Shorter intervals, as the last one may be, are not compared with the others. */
    private static final double WHOLE = 0.9;

    private static final double NANOS = 1000;

    private BenchmarkJson() {}

    /**
     * A throughput, and the latency with it.
     *
     * @param least the lowest throughput of an interval or block, or the lower end of its confidence interval; null if unknown
     */
    private record Benchmark(
            String name,
            double opsPerSecond,
            @Nullable Double least,
            @Nullable Double most,
            @Nullable Latency latency,
            String words) {}

    private static Map<String, Object> bencher(List<? extends Result> results) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (Benchmark b : benchmarks(results)) {
            Map<String, Object> measures = new LinkedHashMap<>();
            measures.put("throughput", metric(b.opsPerSecond, b.least, b.most));
            Latency times = b.latency;
            if (times != null && times.count() > 0) {
                Double p99 = times.knownP99();
                measures.put(
                        "latency",
                        metric(times.p50() * NANOS, nanos(times.min()), nanos(p99 == null ? times.max() : p99)));
                if (p99 != null) {
                    measures.put("latency-p99", metric(p99 * NANOS, null, null));
                }
            }
            json.put(b.name, measures);
        }
        return json;
    }

    private static @Nullable Double nanos(@Nullable Double micros) {
        return micros == null ? null : Double.valueOf(micros * NANOS);
    }

    private static Map<String, Object> metric(double value, @Nullable Double lower, @Nullable Double upper) {
        Map<String, Object> metric = new LinkedHashMap<>();
        metric.put("value", value);
        if (lower != null && upper != null) {
            metric.put("lower_value", lower);
            metric.put("upper_value", upper);
        }
        return metric;
    }

    private static List<Map<String, Object>> github(List<? extends Result> results) {
        List<Map<String, Object>> json = new ArrayList<>();
        for (Benchmark b : benchmarks(results)) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", b.name);
            one.put("unit", "ops/s");
            one.put("value", b.opsPerSecond);
            if (b.least != null && b.most != null) {
                one.put("range", Figures.rate(b.least) + " to " + Figures.rate(b.most));
            }
            one.put("extra", b.words);
            json.add(one);
        }
        return json;
    }

    /** The benchmarks of the valid results; those of equal names are numbered. */
    private static List<Benchmark> benchmarks(List<? extends Result> results) {
        Map<String, Benchmark> all = new LinkedHashMap<>();
        for (Result result : results) {
            for (Benchmark b : result.valid() ? of(result) : List.<Benchmark>of()) {
                String name = b.name;
                for (int number = 2; all.containsKey(name); number++) {
                    name = b.name + " (" + number + ")";
                }
                all.put(name, new Benchmark(name, b.opsPerSecond, b.least, b.most, b.latency, b.words));
            }
        }
        return List.copyOf(all.values());
    }

    private static List<Benchmark> of(Result result) {
        String title = TextReport.of(result).title();
        String words = ResultLine.of(result);
        if (result instanceof Comparison comparison) {
            return comparison.variants().stream()
                    .map(v -> variant(comparison, v, title, words))
                    .toList();
        }
        if (result instanceof Scaling scaling) {
            return scaling(scaling, title, words);
        }
        if (result instanceof RateSearch search) {
            return search.rate() == null
                    ? List.of()
                    : List.of(new Benchmark(title, search.rate(), search.low(), search.high(), null, words));
        }
        return result instanceof RunResult run ? run(run, title, words) : List.of(); // a rehearsal is no benchmark
    }

    /** The whole run, and each operation of a mix. */
    private static List<Benchmark> run(RunResult run, String title, String words) {
        List<Benchmark> all = new ArrayList<>();
        OperationResult total = run.total();
        all.add(benchmark(title, total, run, i -> i.rates().opsPerSecond(), words));
        if (run.operations().size() > 1) {
            run.operations()
                    .forEach((name, operation) -> all.add(benchmark(
                            title + " | " + name,
                            operation,
                            run,
                            i -> {
                                IntervalResult.OperationInterval own =
                                        i.operations().get(name);
                                return own == null ? 0 : own.ok() / i.seconds();
                            },
                            words)));
        }
        return all;
    }

    private static Benchmark benchmark(
            String name, OperationResult of, RunResult run, ToDoubleFunction<IntervalResult> rate, String words) {
        List<IntervalResult> measured =
                run.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
        double longest =
                measured.stream().mapToDouble(IntervalResult::seconds).max().orElse(0);
        DoubleSummaryStatistics rates = measured.stream()
                .filter(i -> i.seconds() >= WHOLE * longest)
                .mapToDouble(rate)
                .summaryStatistics();
        return benchmark(name, of.opsPerSecond(), rates, run.headline(of), words);
    }

    private static Benchmark variant(Comparison comparison, Comparison.Variant variant, String title, String words) {
        DoubleStream blocks = comparison.blocks().stream()
                .filter(block -> block.variant().equals(variant.name()))
                .mapToDouble(Comparison.Block::opsPerSecond);
        return benchmark(
                title + " | " + variant.name(),
                variant.opsPerSecond(),
                blocks.summaryStatistics(),
                ComparisonText.times(variant),
                words);
    }

    private static Benchmark benchmark(
            String name, double opsPerSecond, DoubleSummaryStatistics rates, @Nullable Latency latency, String words) {
        boolean isKnown = rates.getCount() > 1;
        return new Benchmark(
                name, opsPerSecond, isKnown ? rates.getMin() : null, isKnown ? rates.getMax() : null, latency, words);
    }

    /** The knee, or else the highest throughput. */
    private static List<Benchmark> scaling(Scaling scaling, String title, String words) {
        Scaling.Point point = scaling.knee() == null ? scaling.peak() : scaling.knee();
        return scaling.steps().stream()
                .filter(step -> point != null && step.clients() == point.clients())
                .limit(1)
                .map(step ->
                        new Benchmark(title, step.opsPerSecond(), step.low(), step.high(), step.latencyMicros(), words))
                .toList();
    }
}
