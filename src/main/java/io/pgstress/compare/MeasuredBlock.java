package io.pgstress.compare;

import io.pgstress.measure.Phase;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one block.
 *
 * @param cluster the number of the variant's database cluster; 0: the variants share servers
 * @param atSeconds its start, in seconds since the start of the comparison
 * @param metrics by name, see {@link Metrics}; figures with too few operations are omitted
 * @param change the natural logarithm of the rate in the last third of its intervals divided by that in the first; null if it is unknown
 */
public record MeasuredBlock(
        int round,
        String variant,
        int cluster,
        double atSeconds,
        double seconds,
        long errors,
        Map<String, Double> metrics,
        @Nullable Double change) {

    static MeasuredBlock of(int round, String variant, int cluster, double atSeconds, RunResult result) {
        OperationResult all = result.total();
        Map<String, Double> metrics = new LinkedHashMap<>();
        double rate = BlockRate.of(result, all);
        if (rate > 0) {
            metrics.put(Metrics.PRIMARY, rate);
        }
        Latency latency = all.times();
        if (latency != null) {
            Metrics.addTimes(latency, metrics);
        }
        double seconds = result.run().measuredSeconds();
        return new MeasuredBlock(round, variant, cluster, atSeconds, seconds, all.failed(), metrics, change(result));
    }

    private static @Nullable Double change(RunResult result) {
        if (result.run().workload().hasRate()) {
            return null; // it is given, and may have steps
        }
        double[] rates = result.intervals().stream()
                .filter(interval -> interval.in(Phase.MEASURE))
                .mapToDouble(interval -> interval.rates().opsPerSecond())
                .toArray();
        int third = rates.length / 3;
        double first = Arrays.stream(rates, 0, third).sum();
        double last = Arrays.stream(rates, rates.length - third, rates.length).sum();
        return first > 0 && last > 0 ? Math.log(last / first) : null;
    }

    /** The block as shown in reports. */
    Block block() {
        return new Block(
                round + 1,
                variant,
                cluster == 0 ? null : cluster,
                atSeconds,
                seconds,
                metrics.getOrDefault(Metrics.PRIMARY, 0.0),
                metrics.get(Metrics.PRIMARY_OF_OPEN),
                metrics.getOrDefault("p50", 0.0),
                metrics.getOrDefault("p99", 0.0),
                errors);
    }
}
