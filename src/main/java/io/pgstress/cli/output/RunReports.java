package io.pgstress.cli.output;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.live.LiveView;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.Terminal;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import java.io.IOException;
import java.util.List;

/** Shows a run's progress, serves its metrics, and writes its result. Not thread-safe. */
public final class RunReports implements AutoCloseable {
    private final Streams streams;
    private final ResultOutput output;
    private final ProgressFormat progress;
    private final MetricsEndpoint metrics;
    private LiveView view = LiveView.NONE;

    public RunReports(Streams streams, Options options, Problems problems) {
        this.streams = streams;
        this.output = ResultOutput.ofRuns(options, problems);
        this.progress =
                options.get(ReportOptions.QUIET) ? ProgressFormat.NONE : options.get(ReportOptions.PROGRESS_FORMAT);
        this.metrics = new MetricsEndpoint(options);
    }

    /** Ensures that all files can be written. */
    public void prepare() throws IOException {
        output.prepare();
    }

    /** Shows the progress of a run on stderr and serves its metrics. */
    public RunListener live() throws IOException {
        view = progress.view(Terminal.stderr(System.getenv()), streams.err());
        return new LiveListener(view, metrics.start(streams), streams.err());
    }

    /** Writes the result to every requested output. */
    public void write(RunResult result) throws IOException {
        close();
        output.write(List.of(result), streams);
    }

    /** Ends the showing of progress and the serving of metrics. */
    @Override
    public void close() {
        metrics.close();
        view.close();
        view = LiveView.NONE;
    }
}
