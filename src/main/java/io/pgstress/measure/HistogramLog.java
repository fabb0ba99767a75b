package io.pgstress.measure;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A log of histograms in HdrHistogram's format, which {@code HistogramLogProcessor} and similar tools read. Values are
 * nanoseconds, the column of maxima milliseconds. Not thread-safe.
 */
public final class HistogramLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final HistogramLogWriter writer =
            new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    /** Begins the log. Writes the start line itself, because the library's depends on locale and time zone. */
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
     * @param tag empty for none; commas and spaces become underscores, because the format does not allow them
     * @param at start in seconds since the log's start
     */
    public void add(String tag, double at, double seconds, LatencyHistogram times) {
        Histogram histogram = times.copy();
        histogram.setTag(tag.isEmpty() ? null : tag.replaceAll("[,\\s]", "_"));
        writer.outputIntervalHistogram(at, at + seconds, histogram);
    }

    /** The whole log. */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
