package io.pgstress.verdict;

import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Percent;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.text.Counted;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares a run's overall figures with limits. Times are response times of an open loop, total times of a closed one. */
public final class FigureLimits {
    private final OperationResult all;
    private final @Nullable Latency times;

    private FigureLimits(RunResult result) {
        this.all = result.total();
        this.times = all.times();
    }

    /** The result with the outcome of these limits, which replaces earlier ones. */
    public static RunResult checked(RunResult result, List<FigureLimit> limits) {
        FigureLimits figures = new FigureLimits(result);
        return result.withLimits(limits.stream().map(figures::check).toList());
    }

    /** The result of a run in progress with these limits, which are not checked yet. */
    public static RunResult unchecked(RunResult known, List<FigureLimit> limits) {
        return known.withLimits(
                limits.stream().map(limit -> check(limit, false, "")).toList());
    }

    private static LimitCheck check(FigureLimit limit, boolean broken, String words) {
        return new LimitCheck(
                limit.text(),
                broken,
                words,
                FigureLimit.TIMES.contains(limit.metric()) ? limit.value() : null,
                limit.metric().equals(FigureLimit.RATE) ? limit.value() : null);
    }

    private LimitCheck check(FigureLimit limit) {
        if (FigureLimit.TIMES.contains(limit.metric()) && (times == null || times.count() == 0)) {
            return check(limit, true, limit.metric() + " is unknown: no operation succeeded");
        }
        double value = value(limit);
        boolean broken = limit.isAbove() ? value > limit.value() : value < limit.value();
        return check(limit, broken, limit.metric() + (isPlural(limit) ? " were " : " was ") + words(limit, value));
    }

    private static boolean isPlural(FigureLimit limit) {
        return FigureLimit.COUNTS.contains(limit.metric()) && !limit.isShare();
    }

    private String words(FigureLimit limit, double value) {
        if (FigureLimit.TIMES.contains(limit.metric())) {
            return Durations.text(value) + percentileWords(limit.metric());
        }
        return limit.isShare()
                ? Percent.text(value)
                : String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
    }

    /** Says that a percentile of so few times is the longest one. */
    private String percentileWords(String metric) {
        Latency known = times;
        boolean isLongest = known != null
                && switch (metric) {
                    case "p99" -> known.knownP99() == null;
                    case "p99.9" -> known.knownP999() == null;
                    default -> false;
                };
        return known != null && isLongest ? ", the longest of " + Counted.of(known.count(), "operation") : "";
    }

    private double value(FigureLimit limit) {
        if (limit.metric().equals(FigureLimit.RATE)) {
            return all.opsPerSecond();
        }
        if (FigureLimit.TIMES.contains(limit.metric()) && times != null) {
            return times.figure(limit.metric());
        }
        long count = count(limit.metric());
        long ended = all.ok() + all.misses() + all.duplicates() + all.failed() + all.unfinished();
        return limit.isShare() ? (ended == 0 ? 0 : (double) count / ended) : count;
    }

    private long count(String metric) {
        return switch (metric) {
            case "errors" -> all.failed();
            case "misses" -> all.misses();
            case "duplicates" -> all.duplicates();
            case "retries" -> all.retries();
            case "late" -> all.late();
            case "unfinished" -> all.unfinished();
            default -> throw new IllegalArgumentException(metric);
        };
    }
}
