package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.IntervalResult.Usage;
import io.pgstress.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every figure of the two intervals differs, so that none can be confused with another. */
final class IntervalResultTest {
    private static final IntervalResult ONE = new IntervalResult(
            3,
            1,
            "measure",
            new Counts(100, 1, 2, 3, 4),
            new Rates(100, 150.0, 50L),
            new Usage(10.0, 20.0, 0.5),
            new Times(latency(1), latency(2), latency(3), latency(4), latency(5)),
            Map.of("40001", 1L),
            Map.of("find", new OperationInterval(100, 1, 200, 300L, 8, 9, Map.of("40001", 1L))),
            new Places(
                    Map.of("a", 100L),
                    Map.of("h1", 100L),
                    Map.of("a", Set.of("40001")),
                    Map.of("a", Set.of("08001")),
                    Map.of("08006", Set.of("w1"))));

    private static final IntervalResult OTHER = new IntervalResult(
            4,
            3,
            "measure",
            new Counts(1000, 10, 20, 30, 40),
            new Rates(1100, 250.0, 7L),
            new Usage(30.0, 40.0, 1.5),
            new Times(latency(10), latency(20), latency(30), latency(40), latency(50)),
            Map.of("40001", 9L, "57P01", 1L),
            Map.of("find", new OperationInterval(900, 10, 100, 30L, 18, 7, Map.of("57P01", 1L))),
            new Places(
                    Map.of("a", 900L, "b", 100L),
                    Map.of("h2", 1000L),
                    Map.of("a", Set.of("57P01")),
                    Map.of("a", Set.of("08003")),
                    Map.of()));

    private static Latency latency(int millis) {
        LatencyHistogram times = new LatencyHistogram();
        times.record(millis * 1_000_000L);
        return Latency.of(times);
    }

    private static Latency both(int millis, int others) {
        return Sum.latency(Stream.of(latency(millis), latency(others)));
    }

    @Test
    void theSumHasAllOperationsAndTheLongestTime() {
        IntervalResult sum = IntervalResult.sum(List.of(ONE, OTHER));

        assertThat(sum)
                .isEqualTo(new IntervalResult(
                        3,
                        3,
                        "measure",
                        new Counts(1100, 11, 22, 33, 44),
                        new Rates(1200, 400.0, 57L),
                        new Usage(40.0, 60.0, 2.0),
                        new Times(both(1, 10), both(2, 20), both(3, 30), both(4, 40), both(5, 50)),
                        Map.of("40001", 10L, "57P01", 1L),
                        Map.of(
                                "find",
                                new OperationInterval(1000, 11, 300, 330L, 17, 9, Map.of("40001", 1L, "57P01", 1L))),
                        new Places(
                                Map.of("a", 1000L, "b", 100L),
                                Map.of("h1", 100L, "h2", 1000L),
                                Map.of("a", Set.of("40001", "57P01")),
                                Map.of("a", Set.of("08001", "08003")),
                                Map.of("08006", Set.of("w1")))));
    }

    @Test
    void joinedIntervalsHaveMeanRatesAndTheLastBacklog() {
        IntervalResult joined = IntervalResult.joined(List.of(ONE, OTHER));

        assertThat(joined.seconds()).isEqualTo(4);
        assertThat(joined.counts()).isEqualTo(new Counts(1100, 11, 22, 33, 44));
        assertThat(joined.rates()).isEqualTo(new Rates((100 + 3 * 1100) / 4.0, (150 + 3 * 250) / 4.0, 7L));
        assertThat(joined.usage()).isEqualTo(new Usage((10 + 3 * 30) / 4.0, (20 + 3 * 40) / 4.0, (0.5 + 3 * 1.5) / 4));
        assertThat(joined.times().totalMicros()).isEqualTo(both(1, 10));
    }

    @Test
    void whatIsUnknownOfOneIntervalIsAddedOnlyWhereTheRestIsStillTrue() {
        IntervalResult unknown = new IntervalResult(
                5, 1, "measure", Counts.NONE, Rates.NONE, Usage.UNKNOWN, Times.NONE, Map.of(), Map.of(), Places.NONE);

        IntervalResult sum = IntervalResult.sum(List.of(unknown, ONE));
        assertThat(sum.rates()).isEqualTo(ONE.rates());
        assertThat(sum.usage()).isEqualTo(ONE.usage());
        assertThat(sum.times()).isEqualTo(ONE.times());
        assertThat(sum.places().hostsOk()).isEqualTo(ONE.places().hostsOk());
        assertThat(sum.places().nodesErrors()).isNull();
        assertThat(IntervalResult.joined(List.of(unknown, ONE)).usage()).isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void timesAreUnknownIfOneOfThemHasNoHistogram() {
        List<IntervalResult> parts = List.of(ONE, OTHER.withoutHistograms(), OTHER);

        assertThat(IntervalResult.sum(parts).times()).isEqualTo(Times.NONE);
    }

    /** The file has no level for the parts. */
    @Test
    void savedIntervalsAreFlat() {
        Map<String, Object> json = Json.readMap(Json.writeLine(ONE));

        assertThat(json.keySet())
                .containsExactlyInAnyOrder(
                        "atSeconds",
                        "seconds",
                        "phase",
                        "ok",
                        "failed",
                        "misses",
                        "duplicates",
                        "late",
                        "opsPerSecond",
                        "targetRate",
                        "backlog",
                        "inMbitPerSecond",
                        "outMbitPerSecond",
                        "clientCpuCores",
                        "totalMicros",
                        "acquireMicros",
                        "serviceMicros",
                        "responseMicros",
                        "lagMicros",
                        "errors",
                        "operations",
                        "nodesOk",
                        "hostsOk",
                        "nodesErrors",
                        "brokenSessions",
                        "remoteErrors");
        assertThat(Json.read(Json.writeLine(ONE), IntervalResult.class)).isEqualTo(ONE);
    }
}
