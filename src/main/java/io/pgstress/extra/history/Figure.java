package io.pgstress.extra.history;

import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import java.util.List;

/** A figure that is followed from run to run. */
public enum Figure {
    OPS("ops/s", "opsPerSecond", true),
    P50("p50", "p50Micros", false),
    P99("p99", "p99Micros", false);

    private final String label;
    private final String json;
    private final boolean higherIsBetter;

    Figure(String label, String json, boolean higherIsBetter) {
        this.label = label;
        this.json = json;
        this.higherIsBetter = higherIsBetter;
    }

    /** The figures of a run; in an open load, the rate is given. */
    static List<Figure> of(boolean hasRate) {
        return hasRate ? List.of(P50, P99) : List.of(values());
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
        if (this == OPS) {
            return run.total().opsPerSecond();
        }
        Latency latency = run.headline(run.total());
        return latency == null ? Double.NaN : this == P50 ? latency.p50() : latency.p99();
    }
}
