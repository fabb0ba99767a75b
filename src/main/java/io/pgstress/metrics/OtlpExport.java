package io.pgstress.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import io.prometheus.metrics.model.snapshots.Labels;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends metrics to a receiver of OpenTelemetry's protocol over HTTP, every five seconds and when it is closed. Times are sent as counts and
 * sums, because Micrometer's timers for this protocol take no whole histograms. The environment can have further attributes and headers, in
 * OpenTelemetry's variables. A receiver that is away or slow costs the run nothing but the metrics, and its end at most two {@link #PATIENCE}s.
 * Loaded only by runs that ask for it.
 */
final class OtlpExport implements AutoCloseable {
    private static final Duration STEP = Duration.ofSeconds(5);

    /** How long the receiver may take to accept a connection, and to answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** The path of metrics in the protocol. */
    private static final String PATH = "/v1/metrics";

    private final MeterRegistry registry;
    private final Set<Labels> timed = new HashSet<>();

    /**
     * @param receiver its URL; without a path, that of the protocol
     * @param failure receives the reason, at most once, if metrics cannot be sent
     */
    OtlpExport(URI receiver, Consumer<String> failure) {
        String path = receiver.getRawPath();
        String url = path == null || path.isEmpty() || path.equals("/")
                ? receiver.resolve(PATH).toString()
                : receiver.toString();
        OtlpMetricsSender sender = new OtlpHttpMetricsSender(new HttpUrlConnectionSender(PATIENCE, PATIENCE));
        AtomicBoolean hasFailed = new AtomicBoolean();
        registry = OtlpMeterRegistry.builder(new Config(url))
                .clock(Clock.SYSTEM)
                .metricsSender(request -> {
                    try {
                        sender.send(request);
                    } catch (Exception e) {
                        if (!hasFailed.getAndSet(true)) {
                            failure.accept("metrics cannot be sent to " + receiver.getHost() + ": "
                                    + rootCause(e).getMessage());
                        }
                    }
                })
                .build();
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : rootCause(cause);
    }

    private record Config(String receiver) implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return receiver;
        }

        @Override
        public Duration step() {
            return STEP;
        }

        @Override
        public TimeUnit baseTimeUnit() {
            return TimeUnit.SECONDS;
        }

        @Override
        public Map<String, String> resourceAttributes() {
            Map<String, String> attributes = new HashMap<>(OtlpConfig.super.resourceAttributes());
            attributes.putIfAbsent("service.name", "pgstress");
            return attributes;
        }
    }

    MeterRegistry registry() {
        return registry;
    }

    /** Sends the number and the sum of times with these labels from now on; a repeated call has no effect. */
    <T> void times(Labels labels, T source, ToLongFunction<T> count, ToDoubleFunction<T> seconds) {
        if (timed.add(labels)) {
            FunctionTimer.Builder<T> timer =
                    FunctionTimer.builder("pgstress.latency", source, count, seconds, TimeUnit.SECONDS);
            labels.forEach(label -> timer.tag(label.getName(), label.getValue()));
            timer.register(registry);
        }
    }

    /** Sends all metrics for the last time. */
    @Override
    public void close() {
        registry.close();
    }
}
