package io.pgstress.report.page;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.util.List;

/**
 * What the page's scripts draw; each list has one element per result.
 *
 * @param results without the histograms of intervals
 * @param curves latency distributions, also over time, which the scripts cannot compute from histograms
 */
record PageData(List<? extends Result> results, List<?> curves, List<Badge> badges) {
    static PageData of(List<? extends Result> findings) {
        return new PageData(
                findings.stream().map(PageData::trimmed).toList(),
                findings.stream().map(PercentileCurve::of).toList(),
                findings.stream().map(Badge::of).toList());
    }

    private static Result trimmed(Result finding) {
        return finding instanceof RunResult run
                ? run.with(run.load()
                        .withIntervals(
                                trimmed(run.intervals()), trimmed(run.load().warmupIntervals())))
                : finding;
    }

    private static List<IntervalResult> trimmed(List<IntervalResult> intervals) {
        return intervals.stream().map(IntervalResult::withoutHistograms).toList();
    }

    /** One line. */
    String json() {
        return Json.writeLine(this);
    }
}
