package io.pgstress.report.live;

import io.pgstress.measure.NanoClock;
import io.pgstress.report.format.Figures;
import io.pgstress.text.Counted;

/**
 * Progress of work measured in bytes: bar, rates and remaining time. Updates may be frequent; a terminal shows ten per second.
 * Thread-safe.
 */
public final class ByteProgress implements AutoCloseable {
    /** Rates of a shorter time say little. */
    private static final double MIN_SECONDS = 2;

    private final String what;
    private final long total;
    private final StepProgress shown;
    private final NanoClock clock;
    private final long start;
    private long bytes;
    private long documents;

    /**
     * Starts the clock.
     *
     * @param what the object of the work, e.g. a collection's name
     * @param total total bytes; 0 or less if unknown
     */
    public ByteProgress(String what, long total, StepProgress shown, NanoClock clock) {
        this.what = what;
        this.total = total;
        this.shown = shown;
        this.clock = clock;
        this.start = clock.nanoTime();
    }

    /** Sets the bytes and documents processed since the start. */
    public synchronized void update(long newBytes, long newDocuments) {
        bytes = newBytes;
        documents = newDocuments;
        if (shown.isDue()) {
            shown.show(words());
        }
    }

    /** What is left and what is done; the most important first. */
    private FittedLine words() {
        double seconds = Math.max(1e-9, (clock.nanoTime() - start) / 1e9);
        FittedLine words = shown.begin(what, total > 0 ? (double) bytes / total : -1);
        double toGo = secondsToGo(seconds);
        if (toGo > 0) {
            words.add(0, clock(toGo) + " to go,");
        }
        words.add(
                0,
                total > 0
                        ? Figures.percent(Math.min(1, (double) bytes / total)) + " of " + Figures.bytes(total)
                        : Figures.bytes(bytes));
        words.add(3, "", ", " + Counted.of(documents, "document"));
        if (seconds >= MIN_SECONDS) {
            words.add(1, "", ", " + Figures.rate(documents / seconds) + " documents/s");
            words.add(2, "", ", " + Figures.bytes((long) (bytes / seconds)) + "/s");
        }
        return words;
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
        shown.end(words());
    }
}
