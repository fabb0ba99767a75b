package io.pgstress.cli;

import io.pgstress.measure.Phase;
import io.pgstress.metrics.MetricsServer;
import io.pgstress.metrics.RunMetrics;
import io.pgstress.plan.option.Options;
import io.pgstress.report.live.LiveView;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.Terminal;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows a run's progress on stderr and, if requested, serves its metrics until it is closed; reports it to the live page, too. */
public final class LiveListener implements RunListener, AutoCloseable {
    private final Streams streams;
    private final LiveView view;
    private final RunListener page;
    private final @Nullable RunMetrics metrics;
    private final @Nullable MetricsServer server;

    public LiveListener(Options options, Streams streams, RunListener page) throws IOException {
        this.streams = streams;
        this.page = page;
        Optional<Integer> port = options.get(ReportOptions.PROMETHEUS);
        if (port.isPresent()) {
            metrics = new RunMetrics();
            server = MetricsServer.start(
                    options.get(ReportOptions.PROMETHEUS_HOST).orElse(""), port.get(), metrics);
            streams.err().println("stress: metrics at " + server.url());
        } else {
            metrics = null;
            server = null;
        }
        ProgressFormat progress =
                options.get(ReportOptions.QUIET) ? ProgressFormat.NONE : options.get(ReportOptions.PROGRESS_FORMAT);
        view = progress.view(Terminal.stderrWithWidth(System.getenv()), streams.err());
    }

    @Override
    public void warning(String text) {
        view.close(); // clears its line, which the next interval draws again
        streams.note("warning: " + text);
    }

    @Override
    public void progress(String text) {
        streams.err().println("stress: " + text);
    }

    @Override
    public void begins(RunResult known) {
        page.begins(known);
    }

    @Override
    public void phase(Phase phase, double seconds) {
        view.phase(phase.label(), seconds);
        page.phase(phase, seconds);
    }

    @Override
    public void pool(String node, Supplier<Map<String, Number>> gauges) {
        if (metrics != null) {
            metrics.pool(node, gauges);
        }
    }

    @Override
    public void interval(IntervalResult result) {
        view.interval(result);
        page.interval(result);
        if (metrics != null) {
            metrics.interval(result);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        if (metrics != null) {
            metrics.close();
        }
        view.close();
    }
}
