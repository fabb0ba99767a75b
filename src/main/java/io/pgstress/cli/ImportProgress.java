package io.pgstress.cli;

import io.pgstress.importer.ImportListener;
import io.pgstress.measure.NanoClock;
import io.pgstress.report.live.ByteProgress;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.StepProgress;
import io.pgstress.report.live.Terminal;
import org.jspecify.annotations.Nullable;

/** Shows the progress of an import, or of another pass over a dump. Thread-safe. */
public final class ImportProgress implements ImportListener, AutoCloseable {
    private final Streams streams;
    private final ProgressFormat format;
    private final String what;
    private final StepProgress step;
    private @Nullable ByteProgress progress;

    /** @param what what is done with the documents */
    public ImportProgress(Streams streams, boolean quiet, String what) {
        this.what = what;
        this.streams = streams;
        this.format = quiet ? ProgressFormat.NONE : ProgressFormat.AUTO;
        this.step =
                new StepProgress(format, Terminal.stderrWithWidth(System.getenv()), streams.err(), NanoClock.SYSTEM);
    }

    @Override
    public synchronized void progress(long rows, long bytesRead, long bytesTotal) {
        if (progress == null) {
            progress = new ByteProgress(what, bytesTotal, step, NanoClock.SYSTEM);
        }
        progress.update(bytesRead, rows);
    }

    @Override
    public synchronized void step(String what) {
        end();
        if (format != ProgressFormat.NONE) {
            streams.progress(what);
        }
    }

    @Override
    public synchronized void note(String what) {
        end();
        streams.note(what);
    }

    @Override
    public synchronized void state(String words) {
        step.show(words);
    }

    /** Shows the last progress of a step that succeeded. */
    synchronized void end() {
        if (progress != null) {
            progress.close();
            progress = null;
        }
        step.close();
    }

    /** Clears the line. The progress of a step that failed is not shown: it tells what was read, not what was loaded. */
    @Override
    public synchronized void close() {
        step.close();
    }
}
