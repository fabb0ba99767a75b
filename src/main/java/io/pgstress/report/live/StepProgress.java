package io.pgstress.report.live;

import io.pgstress.measure.NanoClock;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** How far a step has come, in words: a line that is redrawn on a terminal, otherwise a line every five seconds. Thread-safe. */
public final class StepProgress implements AutoCloseable {
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final NanoClock clock;
    private final @Nullable StatusLine line;
    private long next;

    /** @param format {@link ProgressFormat#NONE} shows nothing */
    public StepProgress(ProgressFormat format, Terminal terminal, PrintStream out, NanoClock clock) {
        this.out = out;
        this.clock = clock;
        this.line = format.on(terminal) == ProgressFormat.LINE ? new StatusLine(out, terminal) : null;
        this.next = format == ProgressFormat.NONE ? Long.MAX_VALUE : clock.nanoTime() + PAUSE_NANOS;
    }

    /** Shows the words instead of those before. */
    public synchronized void show(String words) {
        if (line != null) {
            line.show(words);
        } else if (next != Long.MAX_VALUE && clock.nanoTime() - next >= 0) {
            next = clock.nanoTime() + PAUSE_NANOS;
            out.println(words);
        }
    }

    /** Clears the line. */
    @Override
    public synchronized void close() {
        if (line != null) {
            line.clear();
        }
    }
}
