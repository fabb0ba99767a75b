package io.pgstress.metrics;

import com.sun.net.httpserver.HttpHandler;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run as metrics, updated once per interval, so that it costs the load nothing. An interval that is reported again, because clients
 * were still in operations at its end, replaces what it counted before, and the result replaces all intervals: in the end, the counters
 * have its totals. Warm-up and drain are included and have a {@code phase} of their own. One thread updates it; any thread may scrape it.
 */
public final class RunMetrics implements AutoCloseable {
    private static final double BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;
    private static final double MICROS = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /** The SQLSTATE of no error. */
    private static final String NO_ERROR = "none";

    /** An interval is reported again when the next one has ended. */
    private static final int MAX_LATEST = 3;

    /** The HELP text of each metric. */
    private static final Map<String, String> HELP = Map.ofEntries(
            Map.entry("pgstress.operations", "Operations that succeeded or failed."),
            Map.entry("pgstress.operation.p99.seconds", "p99 of the total time of an operation in the last interval."),
            Map.entry("pgstress.rows", "Rows that successful operations read or changed."),
            Map.entry(
                    "pgstress.row.bytes",
                    "Bytes of the values in these rows; only for bulk operations and whole scans."),
            Map.entry("pgstress.node.operations", "Successful operations, by node."),
            Map.entry(
                    "pgstress.host.operations",
                    "Successful operations, by load generator host; only with several hosts."),
            Map.entry("pgstress.errors", "Failed operations, by operation and SQLSTATE; none: 0, from the start."),
            Map.entry("pgstress.info", "The run; always 1."),
            Map.entry("pgstress.misses", "Reads that found no row."),
            Map.entry("pgstress.duplicates", "Inserts of a key that already existed."),
            Map.entry("pgstress.late", "Operations that took longer than --latency-limit."),
            Map.entry("pgstress.network.bytes", "Bytes that the client sockets carried."),
            Map.entry("pgstress.client.cpu.seconds", "CPU time that the load tester used."),
            Map.entry("pgstress.target.rate", "Target rate of an open loop, in operations per second."),
            Map.entry("pgstress.backlog", "Operations that are due but not started; only in an open loop."),
            Map.entry("pgstress.pool", "Connections of the pool, by state, and clients that wait for one."));

    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final @Nullable OtlpExport otlp;
    private final LatencyCollector latency = new LatencyCollector();
    private final Map<String, AtomicReference<Double>> levels = new ConcurrentHashMap<>();
    private final List<Gauge> pools = new ArrayList<>();
    private final Map<Series, AtomicReference<Double>> counters = new ConcurrentHashMap<>();

    /** What the latest intervals have counted; earlier ones are not reported again. */
    private final Map<IntervalId, Counts> latest = new LinkedHashMap<>();

    /** Metrics that are only served. */
    public RunMetrics() {
        this(null, failure -> {});
    }

    /**
     * @param receiver also gets them by OpenTelemetry's protocol; null: nobody does
     * @param failure receives the reason, at most once, if metrics cannot be sent
     */
    public RunMetrics(@Nullable URI receiver, Consumer<String> failure) {
        otlp = receiver == null ? null : new OtlpExport(receiver, failure);
        registry.add(prometheus);
        if (otlp != null) {
            registry.add(otlp.registry());
        }
        prometheus.getPrometheusRegistry().register(latency);
        new ProcessorMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
    }

    /** One line of a counter. */
    private record Series(String name, List<String> tags) {}

    private record IntervalId(String phase, double atSeconds) {}

    /** What one interval, or a whole run, adds to the counters. */
    private static final class Counts {
        private final Map<Series, Double> amounts = new LinkedHashMap<>();
        private final Map<Labels, LatencySum> times = new LinkedHashMap<>();

        void add(String name, Number amount, String... tags) {
            amounts.merge(new Series(name, List.of(tags)), amount.doubleValue(), Double::sum);
        }

        void addKnown(String name, @Nullable Double rate, double factor, String... tags) {
            if (rate != null) {
                add(name, rate * factor, tags);
            }
        }

        /** Adds all that was counted in an interval. */
        void add(IntervalResult i) {
            String phase = i.phase();
            i.operations().forEach((name, o) -> {
                addOperations(name, phase, o.ok(), o.failed());
                add("pgstress.rows", o.rows(), "operation", name, "phase", phase);
                if (o.bytes() != null) {
                    add("pgstress.row.bytes", o.bytes(), "operation", name, "phase", phase);
                }
                o.errors().forEach((state, n) -> addError(name, phase, state, n));
            });
            i.places()
                    .nodesOk()
                    .forEach((node, ok) -> add("pgstress.node.operations", ok, "node", node, "phase", phase));
            if (i.places().hostsOk() != null) {
                i.places()
                        .hostsOk()
                        .forEach((host, ok) -> add("pgstress.host.operations", ok, "host", host, "phase", phase));
            }
            addEnded(
                    phase,
                    i.counts().misses(),
                    i.counts().duplicates(),
                    i.counts().late());
            double bytesPerMegabit = MEGA / BITS_PER_BYTE * i.seconds();
            addKnown("pgstress.network.bytes", i.usage().inMbitPerSecond(), bytesPerMegabit, "direction", "in");
            addKnown("pgstress.network.bytes", i.usage().outMbitPerSecond(), bytesPerMegabit, "direction", "out");
            addKnown("pgstress.client.cpu.seconds", i.usage().clientCpuCores(), i.seconds());
            i.times().byKind().forEach((kind, times) -> {
                if (times.histogram() != null) {
                    this.times
                            .computeIfAbsent(Labels.of("kind", kind, "phase", phase), labels -> new LatencySum())
                            .add(times.decoded());
                }
            });
        }

        void addOperations(String operation, String phase, long ok, long failed) {
            add("pgstress.operations", ok, "operation", operation, "outcome", "ok", "phase", phase);
            add("pgstress.operations", failed, "operation", operation, "outcome", "failed", "phase", phase);
        }

        void addEnded(String phase, long misses, long duplicates, long late) {
            add("pgstress.misses", misses, "phase", phase);
            add("pgstress.duplicates", duplicates, "phase", phase);
            add("pgstress.late", late, "phase", phase);
        }

        void addError(String operation, String phase, String state, long count) {
            add("pgstress.errors", count, "operation", operation, "phase", phase, "sqlstate", state);
        }
    }

    /** Names the run, whose counts of operations are 0 from now on, so that their first increase shows. */
    public void begins(RunResult known) {
        level(
                "pgstress.info",
                1,
                "version",
                known.header().tool().version(),
                "table",
                known.dataset().table(),
                "run",
                known.run().id());
        Counts none = new Counts();
        for (Phase phase : List.of(Phase.WARMUP, Phase.MEASURE, Phase.DRAIN)) {
            none.addEnded(phase.label(), 0, 0, 0);
            known.operations().keySet().forEach(operation -> {
                none.addOperations(operation, phase.label(), 0, 0);
                none.addError(operation, phase.label(), NO_ERROR, 0);
            });
        }
        count(none, new Counts());
    }

    /** Adds an interval that has ended, or what was added to it since it was reported. */
    public void interval(IntervalResult i) {
        Counts counts = new Counts();
        counts.add(i);
        Counts before = latest.put(new IntervalId(i.phase(), i.atSeconds()), counts);
        count(counts, before == null ? new Counts() : before);
        if (latest.size() > MAX_LATEST) {
            latest.remove(latest.keySet().iterator().next());
        }
        if (before == null) {
            levels(i);
        }
    }

    private void levels(IntervalResult i) {
        // not 0, which would be the best value possible
        i.operations()
                .forEach((name, o) -> level(
                        "pgstress.operation.p99.seconds",
                        o.ok() == 0 ? Double.NaN : o.p99Micros() / MICROS,
                        "operation",
                        name));
        level("pgstress.target.rate", i.rates().targetRate());
        level("pgstress.backlog", i.rates().backlog());
    }

    /** Completes the counters: those of intervals that were skipped or not complete, and of the drain. */
    public void ends(RunResult result) {
        Counts all = new Counts();
        result.load().warmupIntervals().forEach(all::add);
        result.intervals().forEach(all::add);
        all.amounts.forEach((series, amount) -> counter(series).accumulateAndGet(amount, Math::max));
        latency.complete(all.times);
        send(all);
    }

    /** Adds the difference of two counts of one interval. */
    private void count(Counts now, Counts before) {
        now.amounts.forEach((series, amount) -> {
            double difference = amount - before.amounts.getOrDefault(series, 0.0);
            counter(series).accumulateAndGet(difference, (sum, more) -> sum + Math.max(0, more));
        });
        latency.add(now.times, before.times);
        send(now);
    }

    private void send(Counts counts) {
        OtlpExport export = otlp;
        if (export != null) {
            counts.times
                    .keySet()
                    .forEach(labels -> export.times(labels, latency, l -> l.count(labels), l -> l.seconds(labels)));
        }
    }

    private AtomicReference<Double> counter(Series series) {
        return counters.computeIfAbsent(series, s -> {
            AtomicReference<Double> sum = new AtomicReference<>(0.0);
            FunctionCounter.builder(s.name(), sum, AtomicReference::get)
                    .description(help(s.name()))
                    .tags(s.tags().toArray(String[]::new))
                    .register(registry);
            return sum;
        });
    }

    /** Adds a node's pool: connections by state, and waiting clients. {@code gauges} is called at each scrape, by any thread. */
    public void pool(String node, Supplier<Map<String, Number>> gauges) {
        gauges.get()
                .keySet()
                .forEach(state -> pools.add(Gauge.builder("pgstress.pool", gauges, g -> value(g, state))
                        .description(help("pgstress.pool"))
                        .tags("node", node, "state", state)
                        .strongReference(true)
                        .register(registry)));
    }

    /** Removes the pools, which are closed with the load. */
    public void loadEnds() {
        pools.forEach(registry::remove);
        pools.clear();
    }

    private static double value(Supplier<Map<String, Number>> gauges, String state) {
        Number value = gauges.get().get(state);
        return value == null ? Double.NaN : value.doubleValue();
    }

    private void level(String name, @Nullable Number value, String... tags) {
        if (value == null) {
            return;
        }
        levels.computeIfAbsent(name + String.join(",", tags), key -> {
                    AtomicReference<Double> held = new AtomicReference<>(0.0);
                    Gauge.builder(name, held, AtomicReference::get)
                            .description(help(name))
                            .tags(tags)
                            .register(registry);
                    return held;
                })
                .set(value.doubleValue());
    }

    /** All metrics in Prometheus's text format. */
    String scrape() {
        return prometheus.scrape();
    }

    /** Answers the requests of Prometheus with all metrics. */
    public HttpHandler handler() {
        return new MetricsHandler(prometheus.getPrometheusRegistry());
    }

    @Override
    public void close() {
        if (otlp != null) {
            otlp.close();
        }
        prometheus.close();
        registry.close();
    }

    private static String help(String name) {
        return HELP.getOrDefault(name, "");
    }

    /**
     * The run's histograms as a Prometheus histogram of fixed buckets. Micrometer's timers record one time after the other;
     * these times come as whole histograms, so they go directly to the Prometheus registry under Micrometer. Thread-safe.
     */
    static final class LatencyCollector implements Collector {
        private static final String NAME = "pgstress_latency_seconds";

        /** 1, 2 and 5 in each decade from 10 microseconds to 50 seconds, and infinity. */
        private static final double[] BOUNDS = Stream.of("1e-5 2e-5 5e-5 1e-4 2e-4 5e-4 1e-3 2e-3 5e-3 1e-2 2e-2 5e-2"
                        .concat(" 0.1 0.2 0.5 1 2 5 10 20 50 Infinity")
                        .split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();

        private final Map<Labels, LatencySum> sums = new TreeMap<>();

        /** Adds the differences of two counts of an interval. */
        synchronized void add(Map<Labels, LatencySum> now, Map<Labels, LatencySum> before) {
            now.forEach((labels, sum) ->
                    sums.computeIfAbsent(labels, l -> new LatencySum()).add(sum, before.get(labels)));
        }

        /** Replaces what was added by all that there was. */
        synchronized void complete(Map<Labels, LatencySum> all) {
            sums.putAll(all);
        }

        synchronized long count(Labels labels) {
            LatencySum sum = sums.get(labels);
            return sum == null ? 0 : LongStream.of(sum.counts).sum();
        }

        synchronized double seconds(Labels labels) {
            LatencySum sum = sums.get(labels);
            return sum == null ? 0 : sum.seconds;
        }

        @Override
        public synchronized MetricSnapshot collect() {
            HistogramSnapshot.Builder snapshot =
                    HistogramSnapshot.builder().name(NAME).help("Times of operations, by kind.");
            sums.forEach((labels, sum) -> snapshot.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(labels)
                    .sum(sum.seconds)
                    .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS.clone(), sum.counts.clone()))
                    .build()));
            return snapshot.build();
        }
    }

    /** The times of one kind in one phase. */
    private static final class LatencySum {
        private final long[] counts = new long[LatencyCollector.BOUNDS.length];
        private double seconds;

        void add(LatencyHistogram histogram) {
            histogram.forEachBucket((nanos, count) -> counts[bucket(nanos / NANOS_PER_SECOND)] += count);
            seconds += histogram.meanMicros() * histogram.count() / MICROS;
        }

        void add(LatencySum now, @Nullable LatencySum before) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += now.counts[i] - (before == null ? 0 : before.counts[i]);
            }
            seconds += now.seconds - (before == null ? 0 : before.seconds);
        }

        private static int bucket(double seconds) {
            int i = 0;
            while (seconds > LatencyCollector.BOUNDS[i]) {
                i++;
            }
            return i;
        }
    }
}
