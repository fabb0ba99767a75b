package io.pgstress.measure;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A log of histograms in HdrHistogram's own format, as {@code HistogramLogProcessor} and the like read it. Values are
 * nanoseconds, the column of maxima milliseconds. Not thread-safe.
 */
public final class HistogramLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final HistogramLogWriter writer =
            new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    /** Begins the log. The start's line is written here, for the library's own depends on locale and time zone. */
    public HistogramLog(String comment, Instant start) {
        writer.outputComment("[" + comment.replaceAll("\\R", " ") + "]");
        writer.outputLogFormatVersion();
        writer.outputComment(String.format(
                Locale.ROOT, "[StartTime: %.3f (seconds since epoch), %s]", start.toEpochMilli() / 1e3, start));
        writer.outputLegend();
    }

    /**
     * Adds a line.
     *
     * @param tag an empty string for none; commas and spaces, which the format cannot hold, become underscores
     * @param at seconds since the log's start
     */
    public void add(String tag, double at, double seconds, LatencyHistogram times) {
        Histogram histogram = times.copy();
        histogram.setTag(tag.isEmpty() ? null : tag.replaceAll("[,\\s]", "_"));
        writer.outputIntervalHistogram(at, at + seconds, histogram);
    }

    /** All that was added. */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
