package io.pgstress.cli.output;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/** Shows a run's progress, serves its metrics, and writes its result. Not thread-safe. */
public final class RunReports {
    private final Streams streams;
    private final Options options;
    private final ResultOutput output;

    public RunReports(Streams streams, Options options, Problems problems) {
        this.streams = streams;
        this.options = options;
        this.output = ResultOutput.ofRuns(options, problems);
    }

    /** Ensures that all files can be written. */
    public void prepare() throws IOException {
        output.prepare();
    }

    /** Shows the progress of a run on stderr and serves its metrics until it is closed. */
    public LiveListener live() throws IOException {
        return new LiveListener(options, streams);
    }

    /** Writes the result to every requested output. */
    public void write(RunResult result) throws IOException {
        output.write(List.of(result), streams);
    }
}
