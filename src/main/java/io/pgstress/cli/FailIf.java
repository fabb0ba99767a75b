package io.pgstress.cli;

import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.LimitCheck;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.verdict.FigureLimits;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code --fail-if} of runs: limits of their overall figures. {@code compare} has one of its own, for changes. */
final class FailIf {
    static final String NAME = "--fail-if";

    private FailIf() {}

    static OptionSpec option() {
        return OptionSpec.builder(NAME)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel("LIMIT")
                .description("Ends with exit code 1 where a figure is beyond, e.g. 'p99>5ms', 'ops/s<1000' or"
                        + " 'errors>0.1%%'; may be repeated.")
                .build();
    }

    /** @throws InvalidPlanException that lists every limit that cannot be read */
    static List<FigureLimit> read(ParseResult parsed) {
        List<FigureLimit> limits = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String text : parsed.matchedOptionValue(NAME, List.<String>of())) {
            try {
                limits.add(FigureLimit.parse(text));
            } catch (IllegalArgumentException e) {
                problems.add(NAME + ": " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        return limits;
    }

    /**
     * The findings, held against the limits; as they are where there are none.
     *
     * @throws InvalidPlanException where one is no run, which has other figures
     */
    static List<Result> check(List<? extends Result> findings, List<FigureLimit> limits) {
        List<Result> checked = new ArrayList<>();
        for (Result finding : findings) {
            if (limits.isEmpty()) {
                checked.add(finding);
            } else if (finding instanceof RunResult run) {
                checked.add(FigureLimits.checked(run, limits));
            } else {
                throw new InvalidPlanException(NAME + ": limits the figures of runs, and "
                        + finding.run().id() + " is no run");
            }
        }
        return checked;
    }

    /** Whether a limit is broken. */
    static boolean isBroken(Result finding) {
        return finding instanceof RunResult run && run.limits().stream().anyMatch(LimitCheck::broken);
    }
}
