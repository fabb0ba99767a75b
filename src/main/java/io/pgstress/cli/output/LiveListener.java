package io.pgstress.cli.output;

import io.pgstress.metrics.RunMetrics;
import io.pgstress.report.live.LiveView;
import io.pgstress.result.IntervalResult;
import io.pgstress.runner.RunListener;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hands a run's intervals to a view, and to the metrics where there are any. */
public final class LiveListener implements RunListener {
    private final LiveView view;
    private final @Nullable RunMetrics metrics;
    private final PrintStream err;

    LiveListener(LiveView view, @Nullable RunMetrics metrics, PrintStream err) {
        this.err = err;
        this.view = view;
        this.metrics = metrics;
    }

    /** Before anything is shown live. */
    @Override
    public void warning(String text) {
        err.println("stress: warning: " + text);
    }

    @Override
    public void phase(String name, double seconds) {
        view.phase(name, seconds);
    }

    @Override
    public void pool(String node, Supplier<Map<String, Number>> gauges) {
        if (metrics != null) {
            metrics.pool(node, gauges);
        }
    }

    @Override
    public void interval(String phase, IntervalResult result) {
        view.interval(result);
        if (metrics != null) {
            metrics.interval(result);
        }
    }
}
