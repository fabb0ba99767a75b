package io.pgstress.report.live;

import io.pgstress.measure.NanoClock;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * How far a step has come: a line that is redrawn on a terminal, otherwise a line every five seconds. Thread-safe.
 */
public final class StepProgress implements AutoCloseable {
    private static final long LINE_NANOS = 100_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;
    private static final int BAR = 20;

    private final PrintStream out;
    private final NanoClock clock;
    private final boolean isUnicode;
    private final @Nullable StatusLine line;
    private final long pause;
    private long next;

    /** @param format {@link ProgressFormat#NONE} shows nothing */
    public StepProgress(ProgressFormat format, Terminal terminal, PrintStream out, NanoClock clock) {
        this.out = out;
        this.clock = clock;
        this.isUnicode = terminal.isUnicode();
        this.line = format.on(terminal) == ProgressFormat.LINE ? new StatusLine(out, terminal) : null;
        this.pause = line == null ? PLAIN_NANOS : LINE_NANOS;
        this.next = format == ProgressFormat.NONE ? Long.MAX_VALUE : clock.nanoTime() + pause;
    }

    /** Shows the words instead of those before. */
    public synchronized void show(String words) {
        if (line != null || isDue()) {
            show(new FittedLine().add(0, words));
        }
    }

    /** Whether what changes all the time is to be shown again. */
    synchronized boolean isDue() {
        return next != Long.MAX_VALUE && clock.nanoTime() - next >= 0;
    }

    synchronized void show(FittedLine words) {
        next = clock.nanoTime() + pause;
        if (line != null) {
            line.show(words.in(line.columns()));
        } else {
            out.println(words.in(Integer.MAX_VALUE));
        }
    }

    /** What the step is about, and a bar if the line is redrawn; {@code share} is below 0 if unknown. */
    FittedLine begin(String what, double share) {
        return line == null
                ? new FittedLine().add(0, what + ":")
                : new FittedLine().add(0, what).add(4, share < 0 ? "" : Bar.progress(share, BAR, isUnicode));
    }

    /** Shows the last words, unless the line is redrawn: then it is cleared. */
    synchronized void end(FittedLine words) {
        if (line == null && next != Long.MAX_VALUE) {
            show(words);
        }
        close();
    }

    /** Clears the line. */
    @Override
    public synchronized void close() {
        if (line != null) {
            line.clear();
        }
    }
}
