package io.pgstress.report.live;

import io.pgstress.measure.NanoClock;
import io.pgstress.report.format.Figures;
import io.pgstress.text.Json;
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

    private record Line(
            String event,
            String what,
            long bytes,
            @Nullable Long totalBytes,
            long rows,
            double seconds,
            @Nullable Double secondsToGo) {}

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
            String bar = total > 0 ? " " + Bar.progress((double) bytes / total, BAR, terminal.isUnicode()) : "";
            line.show(what + bar + " " + words(seconds));
        } else if (format == ProgressFormat.PLAIN) {
            out.println(what + ": " + words(seconds));
        } else if (format == ProgressFormat.JSON) {
            double toGo = secondsToGo(seconds);
            out.println(Json.writeLine(new Line(
                    "progress", what, bytes, total > 0 ? total : null, rows, seconds, toGo < 0 ? null : toGo)));
        }
    }

    private String words(double seconds) {
        double toGo = secondsToGo(seconds);
        return (total > 0
                        ? Figures.percent(Math.min(1, (double) bytes / total)) + " of " + Figures.bytes(total)
                        : Figures.bytes(bytes))
                + ", " + Figures.bytes((long) (bytes / seconds)) + "/s, " + Figures.count(rows) + " rows, "
                + Figures.rate(rows / seconds) + " rows/s"
                + (toGo < 0 ? "" : ", " + clock(toGo) + " to go");
    }

    /** Remaining seconds at the average pace so far; below 0 if unknown. */
    private double secondsToGo(double seconds) {
        return total <= 0 || bytes <= 0 ? -1 : Math.max(0, (total - bytes) * seconds / bytes);
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
