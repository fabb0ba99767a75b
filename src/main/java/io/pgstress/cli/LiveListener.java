package io.pgstress.cli;

import io.pgstress.report.LiveView;
import io.pgstress.result.IntervalResult;
import io.pgstress.runner.RunListener;

/** Hands a run's intervals to a view. */
final class LiveListener implements RunListener {
    private final LiveView view;

    LiveListener(LiveView view) {
        this.view = view;
    }

    @Override
    public void phase(String name, double seconds) {
        view.phase(name, seconds);
    }

    @Override
    public void interval(String phase, IntervalResult result) {
        view.interval(result);
    }
}
