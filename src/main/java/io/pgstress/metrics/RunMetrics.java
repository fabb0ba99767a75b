package io.pgstress.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.pgstress.result.IntervalResult;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as metrics, updated once per interval, so that it costs the load nothing. Warm-up and drain are included and have a
 * {@code phase} of their own. One thread updates it; any thread may scrape it.
 */
public final class RunMetrics implements AutoCloseable {
    private static final double BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;
    private static final double MICROS = 1e6;

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
        addTimes(i);
    }

    private void addKnown(String name, @Nullable Double rate, double factor, String... tags) {
        if (rate != null) {
            add(name, rate * factor, tags);
        }
    }

    private void addTimes(IntervalResult i) {
        latency.add("total", i.phase(), i.totalMicros());
        latency.add("acquire", i.phase(), i.acquireMicros());
        latency.add("service", i.phase(), i.serviceMicros());
        latency.add("response", i.phase(), i.responseMicros());
        latency.add("lag", i.phase(), i.lagMicros());
    }

    /** Adds a node's pool: connections by state, and waiting clients. {@code gauges} is called at each scrape, by any thread. */
    public void pool(String node, Supplier<Map<String, Number>> gauges) {
        gauges.get()
                .keySet()
                .forEach(state -> Gauge.builder("pgstress.pool", gauges, g -> value(g, state))
                        .description(MetricHelp.of("pgstress.pool"))
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
                .description(MetricHelp.of(name))
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
                            .description(MetricHelp.of(name))
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

    /** The registry under Micrometer's, with all metrics. */
    PrometheusRegistry prometheus() {
        return registry.getPrometheusRegistry();
    }

    @Override
    public void close() {
        registry.close();
    }
}
