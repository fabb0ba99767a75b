package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram.HistogramLog;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HistogramLogTest {
    private final Locale before = Locale.getDefault();

    @AfterEach
    void localeAsBefore() {
        Locale.setDefault(before);
    }

    @Test
    void libraryReadsTheLogInEveryLocale() {
        Locale.setDefault(Locale.GERMANY);
        LatencyHistogram times = new LatencyHistogram();
        times.record(1_000);
        times.record(2_000_000);
        HistogramLog log = new HistogramLog("a run", Instant.parse("2026-11-21T10:00:00.500Z"));
        log.add("", 1.5, 0.5, times);
        log.add("find first,x", 2, 1, times);

        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.text().getBytes(StandardCharsets.UTF_8)));
        Histogram untagged = (Histogram) reader.nextIntervalHistogram();
        Histogram tagged = (Histogram) reader.nextIntervalHistogram();

        assertThat(reader.getStartTimeSec()).isEqualTo(1795255200.5);
        assertThat(untagged.getTag()).isNull();
        assertThat(untagged.getTotalCount()).isEqualTo(2);
        assertThat(untagged.getMaxValue()).isEqualTo(untagged.highestEquivalentValue(2_000_000));
        assertThat(untagged.getEndTimeStamp() - untagged.getStartTimeStamp()).isEqualTo(500);
        assertThat(tagged.getTag()).isEqualTo("find_first_x");
        assertThat(reader.nextIntervalHistogram()).isNull();
    }

    @Test
    void leavesTheHistogramUnchanged() {
        LatencyHistogram times = new LatencyHistogram();
        times.record(5);

        new HistogramLog("", Instant.EPOCH).add("tag", 0, 1, times);

        assertThat(LatencyHistogram.decode(times.encode()).count()).isEqualTo(1);
    }
}
