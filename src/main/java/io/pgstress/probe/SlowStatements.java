package io.pgstress.probe;

import io.pgstress.measure.Cell;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Time;
import io.pgstress.result.Explained.SlowStatement;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.statement.SlowPlans;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which statements are slow, by the operations of the warm-up, and collects their plans if the run requests them. */
public final class SlowStatements implements Probe {
    private static final double PERCENTILE = 99.9;

    /** The last part of the warm-up, in which the caches are warm. */
    private static final double LAST = 0.25;

    private final RunContext run;
    private final @Nullable SlowPlans plans;

    SlowStatements(RunContext run) {
        this.run = run;
        this.plans = run.slowPlans();
    }

    @Override
    public void measureStarts() {
        List<IntervalData> warmup = run.timeline().intervals(Phase.WARMUP);
        set(warmup.subList((int) (warmup.size() * (1 - LAST)), warmup.size()));
    }

    /** Without operations in the warm-up, the first interval of the measurement with some decides. */
    @Override
    public void intervalEnds(IntervalData interval) {
        if (interval.phase() == Phase.MEASURE) {
            set(List.of(interval));
        }
    }

    private void set(List<IntervalData> observed) {
        if (plans == null || plans.minMillis() >= 0) {
            return;
        }
        LatencyHistogram times = new LatencyHistogram();
        for (IntervalData interval : observed) {
            for (int operation = 0; operation < run.operations().size(); operation++) {
                Cell cell = interval.operation(operation);
                LatencyHistogram own = cell.times(Time.TOTAL);
                if (own != null) {
                    times.add(own);
                }
            }
        }
        if (times.count() > 0) {
            plans.setMinMillis((long) Math.ceil(times.micros(PERCENTILE) / 1e3));
        }
    }

    @Override
    public void contribute(Findings findings) {
        if (plans != null) {
            findings.slowStatements(plans.slowest().stream()
                    .map(slow -> new SlowStatement(slow.micros(), slow.plan()))
                    .toList());
        }
    }
}
