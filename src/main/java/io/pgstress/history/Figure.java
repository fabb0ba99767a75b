package io.pgstress.history;

import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A figure that is followed from run to run. */
public enum Figure {
    OPS("ops/s", "opsPerSecond", true, run -> run.total().opsPerSecond()),
    P50("p50", "p50Micros", false, run -> time(run, Latency::p50)),
    P99("p99", "p99Micros", false, run -> time(run, Latency::p99));

    private final String label;
    private final String json;
    private final boolean higherIsBetter;
    private final ToDoubleFunction<RunResult> value;

    Figure(String label, String json, boolean higherIsBetter, ToDoubleFunction<RunResult> value) {
        this.label = label;
        this.json = json;
        this.higherIsBetter = higherIsBetter;
        this.value = value;
    }

    /** The figures of a run; in an open load, the rate is given. */
    static List<Figure> of(boolean hasRate) {
        return hasRate ? List.of(P50, P99) : List.of(values());
    }

    private static double time(RunResult run, ToDoubleFunction<Latency> percentile) {
        Latency latency = run.headline(run.total());
        return latency == null ? Double.NaN : percentile.applyAsDouble(latency);
    }

    public String label() {
        return label;
    }

    /** Its name in JSON. */
    @Override
    public String toString() {
        return json;
    }

    /** Whether a ratio of the figure after a change to that before is a change for the worse. */
    boolean isWorse(double ratio) {
        return higherIsBetter == ratio < 1;
    }

    /** Its value in a run, times in microseconds; NaN if there is none. */
    double of(RunResult run) {
        return value.applyAsDouble(run);
    }
}
