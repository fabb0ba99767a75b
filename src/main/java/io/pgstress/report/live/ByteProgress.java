package io.pgstress.report.live;

import io.pgstress.measure.NanoClock;
import io.pgstress.report.format.Figures;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Progress of work measured in bytes: bar, rates and remaining time. Updates may be frequent; it redraws ten times a
 * second on a terminal, otherwise every five seconds, and once at the end. Thread-safe.
 */
public final class ByteProgress implements AutoCloseable {
    private static final long LINE_NANOS = 100_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;
    private static final int BAR = 20;
    /** Rates of a shorter time say little. */
    private static final double MIN_SECONDS = 2;

    private final String what;
    private final long total;
    private final ProgressFormat format;
    private final Terminal terminal;
    private final PrintStream out;
    private final NanoClock clock;
    private final @Nullable StatusLine line;
    private final long start;
    private long next;
    private long bytes;
    private long rows;

    /**
     * Starts the clock.
     *
     * @param what the object of the work, e.g. a collection's name
     * @param total total bytes; 0 or less if unknown
     */
    public ByteProgress(
            String what, long total, ProgressFormat format, Terminal terminal, PrintStream out, NanoClock clock) {
        this.what = what;
        this.total = total;
        this.format = format.on(terminal);
        this.terminal = terminal;
        this.out = out;
        this.clock = clock;
        this.line = this.format == ProgressFormat.LINE ? new StatusLine(out, terminal) : null;
        this.start = clock.nanoTime();
        this.next = start + pause();
    }

    /** Sets the bytes and rows processed since the start. */
    public synchronized void update(long newBytes, long newRows) {
        bytes = newBytes;
        rows = newRows;
        if (clock.nanoTime() >= next) {
            next = clock.nanoTime() + pause();
            show();
        }
    }

    private long pause() {
        return line == null ? PLAIN_NANOS : LINE_NANOS;
    }

    private void show() {
        double seconds = Math.max(1e-9, (clock.nanoTime() - start) / 1e9);
        if (line != null) {
            String bar = total > 0 ? Bar.progress((double) bytes / total, BAR, terminal.isUnicode()) : "";
            FittedLine fitted = new FittedLine().add(0, what).add(4, bar);
            words(fitted, seconds);
            line.show(fitted.in(line.columns()));
        } else if (format == ProgressFormat.PLAIN) {
            FittedLine all = new FittedLine().add(0, what + ":");
            words(all, seconds);
            out.println(all.in(Integer.MAX_VALUE));
        }
    }

    /** Adds what is left and what is done; the most important first. */
    private void words(FittedLine to, double seconds) {
        double toGo = secondsToGo(seconds);
        boolean rates = seconds >= MIN_SECONDS;
        if (toGo > 0) {
            to.add(0, clock(toGo) + " to go,");
        }
        to.add(
                0,
                total > 0
                        ? Figures.percent(Math.min(1, (double) bytes / total)) + " of " + Figures.bytes(total)
                        : Figures.bytes(bytes));
        to.add(3, "", ", " + Figures.count(rows) + " rows");
        if (rates) {
            to.add(1, "", ", " + Figures.rate(rows / seconds) + " rows/s");
            to.add(2, "", ", " + Figures.bytes((long) (bytes / seconds)) + "/s");
        }
    }

    /** Remaining seconds at the average pace so far; below 0 if unknown. */
    private double secondsToGo(double seconds) {
        if (total <= 0 || bytes <= 0 || (seconds < MIN_SECONDS && bytes < total)) {
            return -1;
        }
        return Math.max(0, (total - bytes) * seconds / bytes);
    }

    private static String clock(double seconds) {
        long s = Math.round(seconds);
        String minutes = s / 60 % 60 + ":" + (s % 60 < 10 ? "0" : "") + s % 60;
        return s < 60 ? s + " s" : s < 3600 ? minutes : s / 3600 + ":" + (s / 60 % 60 < 10 ? "0" : "") + minutes;
    }

    /** Shows the final state, and leaves the cursor on an empty line. */
    @Override
    public synchronized void close() {
        if (line != null) {
            line.clear();
        } else {
            show();
        }
    }
}
