package io.pgstress.cli.output;

import io.pgstress.metrics.MetricsServer;
import io.pgstress.metrics.RunMetrics;
import io.pgstress.plan.option.Options;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Serves a run's metrics if that was requested. Not thread-safe. */
public final class MetricsEndpoint implements AutoCloseable {
    private final Optional<Integer> port;
    private final String host;
    private @Nullable RunMetrics metrics;
    private @Nullable MetricsServer server;

    MetricsEndpoint(Options options) {
        port = options.get(ReportOptions.PROMETHEUS);
        host = options.get(ReportOptions.PROMETHEUS_HOST).orElse("");
    }

    /** Starts to serve; returns what receives the metrics, null if none are requested. */
    @Nullable
    RunMetrics start(Streams streams) throws IOException {
        if (port.isEmpty()) {
            return null;
        }
        RunMetrics started = new RunMetrics();
        metrics = started;
        server = MetricsServer.start(host, port.get(), started);
        streams.err().println("stress: metrics at " + server.url());
        return started;
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
            server = null;
        }
        if (metrics != null) {
            metrics.close();
            metrics = null;
        }
    }
}
