package io.pgstress.report.page;

import io.pgstress.report.format.ResultLine;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Result;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.util.List;
import java.util.Locale;

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

    /**
     * The badge at the top of a result's page.
     *
     * @param state {@code valid}, {@code valid_with_warnings} or {@code not_valid}
     * @param text the validity, with the number of warnings or the first reason why the result is not valid
     */
    record Badge(String state, String text) {
        static Badge of(Result finding) {
            Verdict verdict = finding.usability();
            String sign = switch (verdict) {
                case VALID -> "✓ ";
                case VALID_WITH_WARNINGS -> "⚠ ";
                case NOT_VALID -> "✗ ";
            };
            return new Badge(verdict.name().toLowerCase(Locale.ROOT), sign + capital(ResultLine.validity(finding)));
        }

        private static String capital(String words) {
            return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
        }
    }
}
