package io.pgstress.metrics;

import com.sun.net.httpserver.HttpHandler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run as metrics, updated once per interval, so that it costs the load nothing. Warm-up and drain are included and have a
 * {@code phase} of their own. One thread updates it; any thread may scrape it.
 */
public final class RunMetrics implements AutoCloseable {
    private static final double BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;
    private static final double MICROS = 1e6;

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
            Map.entry("pgstress.errors", "Failed operations, by SQLSTATE."),
            Map.entry("pgstress.misses", "Reads that found no row."),
            Map.entry("pgstress.duplicates", "Inserts of a key that already existed."),
            Map.entry("pgstress.late", "Operations that took longer than --latency-limit."),
            Map.entry("pgstress.network.bytes", "Bytes that the client sockets carried."),
            Map.entry("pgstress.client.cpu.seconds", "CPU time that the load tester used."),
            Map.entry("pgstress.target.rate", "Target rate of an open loop, in operations per second."),
            Map.entry("pgstress.backlog", "Operations that are due but not started; only in an open loop."),
            Map.entry("pgstress.pool", "Connections of the pool, by state, and clients that wait for one."));

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LatencyCollector latency = new LatencyCollector();
    private final Map<String, AtomicReference<Double>> levels = new ConcurrentHashMap<>();

    public RunMetrics() {
        registry.getPrometheusRegistry().register(latency);
        new ProcessorMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
    }

    /** Adds an interval that has ended. */
    public void interval(IntervalResult i) {
        String phase = i.phase();
        i.operations().forEach((name, o) -> {
            add("pgstress.operations", o.ok(), "operation", name, "outcome", "ok", "phase", phase);
            add("pgstress.operations", o.failed(), "operation", name, "outcome", "failed", "phase", phase);
            add("pgstress.rows", o.rows(), "operation", name, "phase", phase);
            if (o.bytes() != null) {
                add("pgstress.row.bytes", o.bytes(), "operation", name, "phase", phase);
            }
            // not 0, which would be the best value possible
            level(
                    "pgstress.operation.p99.seconds",
                    o.ok() == 0 ? Double.NaN : o.p99Micros() / MICROS,
                    "operation",
                    name);
        });
        i.nodesOk().forEach((node, ok) -> add("pgstress.node.operations", ok, "node", node, "phase", phase));
        if (i.hostsOk() != null) {
            i.hostsOk().forEach((host, ok) -> add("pgstress.host.operations", ok, "host", host, "phase", phase));
        }
        i.errors().forEach((state, n) -> add("pgstress.errors", n, "sqlstate", state, "phase", phase));
        add("pgstress.misses", i.misses(), "phase", phase);
        add("pgstress.duplicates", i.duplicates(), "phase", phase);
        add("pgstress.late", i.late(), "phase", phase);
        double bytesPerMegabit = MEGA / BITS_PER_BYTE * i.seconds();
        addKnown("pgstress.network.bytes", i.inMbitPerSecond(), bytesPerMegabit, "direction", "in");
        addKnown("pgstress.network.bytes", i.outMbitPerSecond(), bytesPerMegabit, "direction", "out");
        addKnown("pgstress.client.cpu.seconds", i.clientCpuCores(), i.seconds());
        level("pgstress.target.rate", i.targetRate());
        level("pgstress.backlog", i.backlog());
        i.times().forEach((kind, times) -> latency.add(kind, phase, times));
    }

    private void addKnown(String name, @Nullable Double rate, double factor, String... tags) {
        if (rate != null) {
            add(name, rate * factor, tags);
        }
    }

    /** Adds a node's pool: connections by state, and waiting clients. {@code gauges} is called at each scrape, by any thread. */
    public void pool(String node, Supplier<Map<String, Number>> gauges) {
        gauges.get()
                .keySet()
                .forEach(state -> Gauge.builder("pgstress.pool", gauges, g -> value(g, state))
                        .description(help("pgstress.pool"))
                        .tags("node", node, "state", state)
                        .strongReference(true)
                        .register(registry));
    }

    private static double value(Supplier<Map<String, Number>> gauges, String state) {
        Number value = gauges.get().get(state);
        return value == null ? Double.NaN : value.doubleValue();
    }

    private void add(String name, Number amount, String... tags) {
        Counter.builder(name)
                .description(help(name))
                .tags(tags)
                .register(registry)
                .increment(amount.doubleValue());
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
        return registry.scrape();
    }

    /** Answers the requests of Prometheus with all metrics. */
    public HttpHandler handler() {
        return new MetricsHandler(registry.getPrometheusRegistry());
    }

    @Override
    public void close() {
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
        private static final double NANOS_PER_SECOND = 1e9;
        private static final double MICROS_PER_SECOND = 1e6;

        /** 1, 2 and 5 in each decade from 10 microseconds to 50 seconds, and infinity. */
        private static final double[] BOUNDS = Stream.of("1e-5 2e-5 5e-5 1e-4 2e-4 5e-4 1e-3 2e-3 5e-3 1e-2 2e-2 5e-2"
                        .concat(" 0.1 0.2 0.5 1 2 5 10 20 50 Infinity")
                        .split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();

        private final Map<Labels, Sum> sums = new TreeMap<>();

        /** The times of one kind in one phase. */
        private static final class Sum {
            private final long[] counts = new long[BOUNDS.length];
            private double seconds;
        }

        /** Adds an interval's times, except times without a histogram. */
        synchronized void add(String kind, String phase, Latency latency) {
            if (latency.histogram() == null) {
                return;
            }
            LatencyHistogram histogram = latency.decoded();
            Sum sum = sums.computeIfAbsent(Labels.of("kind", kind, "phase", phase), l -> new Sum());
            histogram.forEachBucket((nanos, count) -> sum.counts[bucket(nanos / NANOS_PER_SECOND)] += count);
            sum.seconds += histogram.meanMicros() * histogram.count() / MICROS_PER_SECOND;
        }

        private static int bucket(double seconds) {
            int i = 0;
            while (seconds > BOUNDS[i]) {
                i++;
            }
            return i;
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
}
