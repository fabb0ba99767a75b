package io.pgstress.runner;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.operation.Afterwards;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects what is to be known about a result before it is believed. Not thread-safe. */
final class Validity {
    private static final double MOST_CPU = 0.7;
    private static final double MOST_GC = 0.01;
    private static final double LEAST_BEGUN = 0.99;
    private static final double LEAST_IDLE = 0.05;
    private static final double LATE_WAKE_MICROS = 1_000;
    private static final double LATE_READING = 0.05;
    private static final double LATE_READING_SECONDS = 0.25;
    private static final double STOOD_STILL_MICROS = 100_000;
    private static final double LEAST_BUSY = 0.9;
    private static final double CLOCK_SECONDS = 0.1;
    private static final double CLOCK_SHARE = 0.01;
    private static final int FEW_BETWEEN_HALTS = 10;
    private static final double STALL_SECONDS = 0.5;
    private static final double MOST_TREND = 0.1;
    private static final double FEW_FAILED = 0.01;
    private static final double MOST_OUTAGE = 0.1;
    private static final double LEAST_OUTAGE_SECONDS = 1;

    private final List<String> warnings = new ArrayList<>();
    private boolean valid = true;

    private void warn(String format, Object... values) {
        warnings.add(String.format(Locale.ROOT, format, values));
    }

    private void invalid(String format, Object... values) {
        warn(format, values);
        valid = false;
    }

    void reason(Stop.@Nullable Reason reason) {
        if (reason != null) {
            warn("ended early: %s", reason.text());
            valid &= reason.isValid();
        }
    }

    /**
     * @param cores that the client used, of so many
     * @param collecting the collector's share of the time, 0 to 1
     * @param busy share of the host, 0 to 1; below 0: not known
     */
    void machine(double cores, int cpus, double collecting, double busy, boolean sharesHost) {
        if (cores > MOST_CPU * cpus) {
            warn("the client used %.2f of %d cores: it may be the limit, not the server", cores, cpus);
        }
        if (collecting > MOST_GC) {
            warn("the client's garbage collector paused %.1f%% of the time", 100 * collecting);
        }
        if (busy > 1 - LEAST_IDLE) {
            warn("the client's host was idle under 5%% of the time");
        }
        if (sharesHost) {
            warn("client and server share a host: they compete for its cores");
        }
    }

    /**
     * CPU and traffic are read at the measurement's start and end; read late, they are another span's.
     *
     * @param read seconds between the readings
     * @param measured seconds of the measurement
     */
    void readings(double read, double measured) {
        double off = Math.abs(read - measured);
        if (off > Math.max(LATE_READING_SECONDS, LATE_READING * measured)) {
            invalid(
                    "the run's own thread was held up: CPU and network are of %.1f s, not of the %.1f s that were measured",
                    read, measured);
        }
    }

    void operations(RunSpec spec, Map<String, OperationResult> operations) {
        long ok = 0;
        long failed = 0;
        for (Map.Entry<String, OperationResult> one : operations.entrySet()) {
            OperationResult o = one.getValue();
            ok += o.ok();
            failed += o.failed();
            if (o.ok() == 0 && o.failed() > 0 && operations.size() > 1) {
                invalid("no %s succeeded: %,d failed", one.getKey(), o.failed());
            }
        }
        double limit = spec.failures().maxErrorRate();
        double share = failed == 0 ? 0 : (double) failed / (ok + failed);
        if (share > limit) {
            invalid("%.2f%% of the operations failed, more than the limit of %.2f%%", 100 * share, 100 * limit);
        } else if (share > FEW_FAILED) {
            warn("%.2f%% of the operations failed: rates and times are those of the others", 100 * share);
        }
        if (ok == 0) {
            invalid("no operation succeeded");
        }
    }

    /**
     * An open load has to begin what is due, whatever becomes of it.
     *
     * @param due operations within the measurement of so many seconds
     * @param backlog those of them that were not begun at its end; null in a closed load
     */
    void rate(long due, double seconds, @Nullable Long backlog) {
        if (backlog == null || due == 0 || seconds == 0) {
            return;
        }
        long begun = Math.max(0, due - backlog);
        if (begun < LEAST_BEGUN * due) {
            invalid(
                    "the load fell behind: %.1f of %.1f operations/s (%.1f%%) were begun in time, %d were due and not"
                            + " begun at the end",
                    begun / seconds, due / seconds, 100.0 * begun / due, backlog);
        }
    }

    /** A closed load shows a stall as a few slow operations: say so. */
    void stalls(RunSpec spec, List<Outage> outages, LatencyHistogram total, List<IntervalResult> intervals) {
        for (Outage outage : outages) {
            warn(
                    "no operation succeeded from %.1f s to %.1f s%s",
                    outage.fromSeconds(), outage.toSeconds(), outage.node() == null ? "" : " on " + outage.node());
        }
        double max = total.maxMicros() / 1e6;
        if (spec.load() instanceof Load.Closed && max > STALL_SECONDS && max > 100 * total.micros(50) / 1e6) {
            warn(
                    "a stall: the slowest operation took %.1f s, %.0f times the median; a closed load counts it once a"
                            + " client, where users would have queued (see --rate)",
                    max, max * 1e6 / total.micros(50));
        }
        long measured =
                intervals.stream().filter(i -> i.phase().equals("measure")).count();
        if (measured < 3) {
            warn("measured for %d intervals only", measured);
        }
    }

    /** @param cut what the warm-up had not reached at its limit; null where it was whole */
    void warmup(@Nullable String cut, double seconds) {
        if (cut != null) {
            warn("%s after a warm-up of %.1f s (see --warmup-limit)", cut, seconds);
        }
    }

    /** A closed load that gets faster or slower over the measurement has no single rate. */
    void trend(RunSpec spec, List<Outage> outages, List<IntervalResult> intervals) {
        if (!(spec.load() instanceof Load.Closed) || !outages.isEmpty()) {
            return;
        }
        double change = Trend.of(intervals.stream()
                .filter(i -> i.phase().equals("measure"))
                .mapToDouble(IntervalResult::opsPerSecond)
                .toArray());
        if (Math.abs(change) > MOST_TREND) {
            warn(
                    "throughput %s by %.0f%% from the first to the last third of the measurement: it is no steady state",
                    change > 0 ? "rose" : "fell", 100 * Math.abs(change));
        }
    }

    /** What operations found in tables of their own. */
    void afterwards(List<Afterwards> found) {
        for (Afterwards one : found) {
            if (!one.holds()) {
                invalid("%s", one.text());
            }
        }
    }

    /** Times on the client's side hold what its threads waited for a core. */
    void canary(@Nullable Canary canary) {
        if (canary != null && canary.micros(50) > LATE_WAKE_MICROS) {
            warn(
                    "the client's threads woke up late, by %.1f ms at the median and %.1f ms at p99: times hold waits for the"
                            + " client's own cores",
                    canary.micros(50) / 1e3, canary.micros(99) / 1e3);
        } else if (canary != null && canary.micros(100) > STOOD_STILL_MICROS) {
            warn(
                    "the client itself stood still for up to %.0f ms: the longest times are its own, not the server's",
                    canary.micros(100) / 1e3);
        }
    }

    /**
     * By Little's law the operations' times add up to those of all clients, where none does anything else.
     *
     * @param inOperations seconds of all operations together
     * @param clients in a closed load without failures, for so many seconds
     */
    void busy(double inOperations, int clients, double seconds) {
        double share = inOperations / (clients * seconds);
        if (share < LEAST_BUSY) {
            warn(
                    "the clients were within operations for %.0f%% of the time only: the load is that of fewer clients",
                    100 * share);
        }
    }

    /** @param ahead seconds that the wall clock moved more than the other over the measurement */
    void clock(double ahead, double measured) {
        if (Math.abs(ahead) > Math.max(CLOCK_SECONDS, CLOCK_SHARE * measured)) {
            warn(
                    "the host's wall clock moved by %.1f s against its steady clock: it was set, or the host was paused",
                    ahead);
        }
    }

    /**
     * @param halts in which all clients stood still while ids were made available again
     * @param operations that ended, of any outcome
     */
    void halts(int halts, long operations, int clients) {
        if (halts > 0 && operations < (long) FEW_BETWEEN_HALTS * clients * halts) {
            warn(
                    "the ids were used up every %,d operations, and %,d clients waited for each other: a larger table lets"
                            + " them run",
                    operations / halts, clients);
        }
    }

    /** Operations that found or inserted nothing are in no rate. */
    void emptyHanded(Map<String, OperationResult> operations) {
        operations.forEach((name, o) -> {
            long all = o.ok() + o.misses() + o.duplicates();
            if (o.misses() > FEW_FAILED * all) {
                warn("%.1f%% of %s found nothing: they are in no rate", 100.0 * o.misses() / all, name);
            }
            if (o.duplicates() > FEW_FAILED * all) {
                warn("%.1f%% of %s met a duplicate: they are in no rate", 100.0 * o.duplicates() / all, name);
            }
        });
    }

    /**
     * @param servers how many the cluster has
     * @param hint what to look at where all are silent at once; empty: nothing in particular
     */
    void nodes(List<Silence> silences, int servers, String hint) {
        silences.forEach(silence -> warn("%s", silence.words()));
        for (CommonSilence common : CommonSilence.of(silences, servers)) {
            warn(
                    "all %d servers of the cluster were silent at once, from %.1f s to %.1f s%s",
                    servers, common.from(), common.to(), hint.isEmpty() ? "" : ": " + hint);
        }
    }

    /** A rate that holds a long time of nothing is not that of a server that works. */
    void idle(List<Outage> outages, double seconds) {
        double without = outages.stream()
                .filter(o -> o.node() == null)
                .mapToDouble(o -> Math.min(seconds, o.toSeconds()) - o.fromSeconds())
                .sum();
        if (without >= LEAST_OUTAGE_SECONDS && without > MOST_OUTAGE * seconds) {
            invalid(
                    "no operation succeeded in %.0f%% of the measurement: rates are not those of a server that answers",
                    100 * without / seconds);
        }
    }

    /** @param hung clients that still did what they had begun before the measurement */
    void unfinished(long unfinished, int hung) {
        if (unfinished > 0) {
            warn("%d operations had not ended at the end of the drain", unfinished);
        }
        if (hung > 0) {
            invalid(
                    "%d clients took no part in the measurement: what they had begun before it had not ended at the end of"
                            + " the drain",
                    hung);
        }
    }

    boolean isValid() {
        return valid;
    }

    List<String> warnings() {
        return warnings;
    }
}
