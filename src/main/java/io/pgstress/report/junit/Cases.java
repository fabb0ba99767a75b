package io.pgstress.report.junit;

import io.pgstress.plan.option.Durations;
import io.pgstress.report.format.ComparisonVerdict;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.junit.TestCase.Outcome;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The test cases of results: whether the result is valid, its limits, and its verdicts. A case that failed or has an error
 * corresponds to exit code 1. A verdict alone fails no case, because a difference is no fault without a limit.
 */
final class Cases {
    private static final String VALID = "valid";

    private Cases() {}

    static List<TestCase> of(Result result) {
        List<TestCase> cases = new ArrayList<>();
        cases.add(validity(result));
        if (result instanceof Comparison comparison) {
            limits(comparison, cases);
            verdicts(comparison, cases);
        } else if (result instanceof Scaling scaling) {
            cases.add(load(scaling));
        } else {
            ((RunResult) result).limits().forEach(l -> cases.add(TestCase.limit(l.limit(), l.broken(), l.words())));
        }
        return cases;
    }

    private static TestCase validity(Result result) {
        if (result.valid()) {
            return TestCase.passed(VALID);
        }
        return new TestCase(
                VALID,
                Outcome.ERROR,
                result.reasons().get(0).text(),
                result.reasons().stream()
                        .map(reason -> reason.code() + ": " + reason.text())
                        .collect(Collectors.joining("\n")));
    }

    private static void limits(Comparison comparison, List<TestCase> cases) {
        for (Comparison.LimitCheck limit : comparison.limits()) {
            String name = limit.variant() + ": " + limit.limit();
            cases.add(
                    limit.unanswered()
                            ? TestCase.skipped(name, limit.words())
                            : TestCase.limit(name, limit.broken(), limit.words()));
        }
    }

    private static void verdicts(Comparison comparison, List<TestCase> cases) {
        for (Comparison.Variant variant : comparison.variants()) {
            if (variant.name().equals(comparison.baseline())) {
                continue;
            }
            String name = variant.name() + " compared with " + comparison.baseline();
            cases.add(comparison.effects().stream()
                    .filter(e ->
                            e.variant().equals(variant.name()) && e.metric().equals(comparison.primary()))
                    .findFirst()
                    .map(e -> e.verdict().equals("undecided")
                            ? TestCase.skipped(name, ComparisonVerdict.of(e, comparison))
                            : TestCase.passed(name))
                    .orElseGet(() -> TestCase.skipped(name, String.join(" ", comparison.verdict()))));
        }
    }

    private static TestCase load(Scaling scaling) {
        Double limit = scaling.latencyLimitMicros();
        if (limit != null) {
            return TestCase.limit(
                    "a load within " + Durations.text(limit), scaling.withinLimit() == null, ResultLine.knee(scaling));
        }
        return scaling.knee() == null ? TestCase.skipped("knee", ResultLine.knee(scaling)) : TestCase.passed("knee");
    }
}
