package io.pgstress.runner;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.verdict.OutageWords;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether the load was what was asked for, and a steady one. Not thread-safe. */
final class LoadChecks {
    private static final double MIN_BEGUN = 0.99;
    private static final int FEW_BETWEEN_HALTS = 10;
    private static final double STALL_SECONDS = 0.5;

    private final Validity validity;

    LoadChecks(Validity validity) {
        this.validity = validity;
    }

    /**
     * An open load has to begin what is due, whatever becomes of it. Several rates are a search for the highest that is kept up
     * with: to fall behind in a later one is what it looks for.
     *
     * @param due operations within the measurement
     * @param ended operations of any outcome that ended within it
     * @param seconds its length
     * @param steps of the target rate
     * @param backlog operations that were due and not begun at its end; null in a closed load
     */
    void rate(long due, long ended, double seconds, List<RateStep> steps, @Nullable Long backlog) {
        if (backlog == null || due == 0 || seconds == 0) {
            return;
        }
        if (due - backlog >= MIN_BEGUN * due) {
            if (ended < MIN_BEGUN * due) {
                validity.warn(
                        "%,d of the %,d operations that were due ended within the measurement; the others were still under way at"
                                + " its end",
                        ended, due);
            }
            return;
        }
        String served = String.format(
                Locale.ROOT,
                "overload: served %,.0f of %,.0f operations per second; the backlog grew by %,.0f per second, to %,d",
                ended / seconds,
                due / seconds,
                backlog / seconds,
                backlog);
        RateStep knee = steps.stream().filter(RateStep::knee).findFirst().orElse(null);
        if (knee == null) {
            validity.invalid("%s", served);
        } else {
            validity.warn("%s; the load was kept up with at %,.0f per second", served, knee.targetRate());
        }
    }

    /**
     * @param halts in which all clients stood still while ids were made available again
     * @param operations that ended, of any outcome
     */
    void halts(int halts, long operations, int clients) {
        if (halts > 0 && operations < (long) FEW_BETWEEN_HALTS * clients * halts) {
            validity.warn(
                    "the ids were used up every %,d operations, and %,d clients waited for each other: a larger table lets"
                            + " them run",
                    operations / halts, clients);
        }
    }

    /** @param cut what the warm-up had not reached at its limit; null where it was whole */
    void warmup(@Nullable String cut, double seconds) {
        if (cut != null) {
            validity.warn("%s after a warm-up of %.1f s (see --warmup-limit)", cut, seconds);
        }
    }

    /** A closed load shows a stall as a few slow operations: say so. */
    void stalls(RunSpec spec, List<Outage> outages, LatencyHistogram total, List<IntervalResult> intervals) {
        outages.stream().filter(o -> !o.silent()).forEach(o -> validity.warn("%s", OutageWords.of(o)));
        double max = total.maxMicros() / 1e6;
        if (spec.load() instanceof Load.Closed && max > STALL_SECONDS && max > 100 * total.micros(50) / 1e6) {
            validity.warn(
                    "a stall: the slowest operation took %.1f s, %.0f times the median; a closed load counts it once a"
                            + " client, where users would have queued (see --rate)",
                    max, max * 1e6 / total.micros(50));
        }
        long measured =
                intervals.stream().filter(i -> i.phase().equals("measure")).count();
        if (measured < 3) {
            validity.warn(
                    "measured for only %d interval%s: too few to show a trend", measured, measured == 1 ? "" : "s");
        }
    }
}
