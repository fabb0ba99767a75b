package io.pgstress.report;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A distribution as a curve for the page, which cannot read histograms.
 *
 * @param points pairs of a percentile (0 to below 100) and microseconds, rising
 */
record Spectrum(Latency latency, List<List<Double>> points) {
    private static final List<String> KINDS = List.of("response", "total", "service", "acquire");

    /** Points between 1 - 1/2^n and 1 - 1/2^(n+1): as HdrHistogram's own percentile output has them. */
    private static final int TICKS = 5;

    /** Up to 99.99%, or as far as there are times to tell. */
    private static final double LAST = 99.99;

    /** The spectra of a run: by kind for all operations, and the headline by operation. */
    record OfRun(Map<String, Spectrum> all, Map<String, Spectrum> operations) {
        static OfRun of(RunResult result) {
            Map<String, Spectrum> all = new LinkedHashMap<>();
            for (String kind : KINDS) {
                add(all, kind, result.operations().values(), kind);
            }
            Map<String, Spectrum> operations = new LinkedHashMap<>();
            result.operations().forEach((name, o) -> add(operations, name, List.of(o), new Asked(result).headline()));
            return new OfRun(all, operations);
        }

        private static void add(
                Map<String, Spectrum> spectra, String name, Collection<OperationResult> parts, String kind) {
            Latency latency = OperationMerge.of(parts).latencyMicros().get(kind);
            if (latency != null && latency.count() > 0) {
                spectra.put(name, Spectrum.of(latency));
            }
        }
    }

    static Spectrum of(Latency latency) {
        LatencyHistogram histogram = latency.decoded();
        List<List<Double>> points = new ArrayList<>();
        double rest = 1;
        while (rest > 0) {
            for (int tick = 0; tick < TICKS; tick++) {
                double percentile = 100 * (1 - rest + rest / 2 * tick / TICKS);
                if (percentile > LAST || (1 - percentile / 100) * histogram.count() < 1) {
                    return new Spectrum(latency.withoutHistogram(), points);
                }
                points.add(List.of(rounded(percentile), histogram.micros(percentile)));
            }
            rest /= 2;
        }
        return new Spectrum(latency.withoutHistogram(), points);
    }

    private static double rounded(double percentile) {
        return Math.round(percentile * 1e6) / 1e6;
    }
}
