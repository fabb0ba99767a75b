package io.pgstress.cli;

import io.pgstress.metrics.MetricsServer;
import io.pgstress.metrics.RunMetrics;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.ParseResult;

/** Whether and where a run's metrics are served. Not thread-safe. */
final class MetricsOptions implements AutoCloseable {
    private static final int MOST = 65_535;

    private int port = -1;
    private String host = "";
    private @Nullable RunMetrics metrics;
    private @Nullable MetricsServer server;

    void addTo(ArgGroupSpec.Builder group) {
        group.addArg(ReportTargets.value(
                "--prometheus", "PORT", "Serves metrics there while the run lasts; 0: on any free port."));
        group.addArg(ReportTargets.value(
                "--prometheus-host", "HOST", "Where to listen. Default: the loopback interface only."));
    }

    void read(ParseResult parsed, List<String> problems) {
        String text = parsed.matchedOptionValue("--prometheus", "");
        host = parsed.matchedOptionValue("--prometheus-host", "");
        if (text.isEmpty()) {
            if (!host.isEmpty()) {
                problems.add("--prometheus-host: needs --prometheus");
            }
            return;
        }
        try {
            port = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            port = -1;
        }
        if (port < 0 || port > MOST) {
            problems.add("--prometheus: must be a port from 0 to " + MOST + ", was '" + text + "'");
        }
    }

    /** Starts to serve where it was asked for; returns what to feed, null where nothing was. */
    @Nullable
    RunMetrics start(Streams streams) throws IOException {
        if (port < 0) {
            return null;
        }
        RunMetrics started = new RunMetrics();
        metrics = started;
        server = MetricsServer.start(host, port, started);
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
