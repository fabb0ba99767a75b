package io.pgstress.report.format;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Percent;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RateStep;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.result.Scaling;
import io.pgstress.text.Counted;
import io.pgstress.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A result in one line: its figures and its validity, so that this line alone does not mislead. */
public final class ResultLine {
    private static final double MIN_ACHIEVED = 0.99;

    /** Of the lines that continue it. */
    private static final int INDENT = 2;

    private static final Set<RemarkCode> OF_MISSES =
            EnumSet.of(RemarkCode.TOO_MANY_MISSES, RemarkCode.MISSES, RemarkCode.DUPLICATES);

    private ResultLine() {}

    /** The line, without a line break. */
    public static String of(Result finding) {
        return of(finding, Style.PLAIN);
    }

    /** The line in a style, without a line break. */
    public static String of(Result finding, Style style) {
        return of(finding, style, Integer.MAX_VALUE);
    }

    /** The line in a style, broken between words into lines of this width. */
    public static String of(Result finding, Style style, int width) {
        String words = Printable.line(figures(finding));
        String figures = words.isEmpty() ? "" : WrappedText.of(words + ":", INDENT, width);
        String validity = validity(finding);
        int last = figures.length() - figures.lastIndexOf('\n') - 1;
        boolean fits = last + 1 + validity.length() <= width;
        String gap = figures.isEmpty() ? "" : fits ? " " : "\n" + " ".repeat(INDENT);
        return figures + gap + style.validity(finding.usability(), validity);
    }

    /**
     * Several results in one line: how many are not valid or exceed a limit, and the worst validity, on which the exit code depends.
     *
     * @param findings at least one
     */
    public static String of(List<? extends Result> findings, Style style) {
        if (findings.size() == 1) {
            return of(findings.get(0), style);
        }
        long notValid = findings.stream().filter(f -> !f.valid()).count();
        long exceeding = findings.stream().filter(Result::exceedsLimit).count();
        int warnings = findings.stream().mapToInt(f -> f.warnings().size()).sum();
        String figures = findings.size() + " results"
                + (notValid > 0 ? ", " + notValid + " of them not valid" : "")
                + (exceeding > 0 ? ", limits exceeded in " + exceeding + " of them" : "");
        Verdict worst = findings.stream()
                .map(Result::usability)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return figures + ": " + style.validity(worst, state(worst, warnings));
    }

    private static String figures(Result finding) {
        if (finding instanceof Comparison comparison) {
            return verdicts(comparison);
        }
        if (finding instanceof RateSearch search) {
            return phrase(search.verdict().get(0));
        }
        if (finding instanceof Rehearsal rehearsal) {
            return rehearsal.headline();
        }
        return finding instanceof Scaling scaling ? knee(scaling) : run((RunResult) finding);
    }

    private static String run(RunResult result) {
        boolean isOpen = result.run().workload().hasRate();
        OperationResult all = result.total();
        List<String> parts = new ArrayList<>();
        early(result).ifPresent(parts::add);
        boolean isStepped =
                result.run().workload().rates().size() > 1 && !steps(result).isEmpty();
        parts.add(
                isStepped
                        ? steps(result)
                        : Figures.rate(all.opsPerSecond()) + target(result, all.opsPerSecond()) + " ops/s");
        Latency times = result.headline(all);
        if (times != null && times.count() > 0 && !isStepped) {
            Double p99 = times.knownP99();
            double unfinished = all.unfinished() / (double) times.count();
            parts.add(
                    (isOpen ? "response time p50 " : "p50 ") + atLeast(unfinished, 0.5) + Durations.text(times.p50()));
            parts.add(
                    p99 == null
                            ? "max " + atLeast(unfinished, 0) + Durations.text(times.max())
                            : "p99 " + atLeast(unfinished, 0.01) + Durations.text(p99));
        }
        if (all.failed() > 0) {
            parts.add(Counted.of(all.failed(), "error"));
        }
        boolean areMany = OF_MISSES.stream().anyMatch(code -> has(result.remarks(), code));
        if (areMany && all.misses() > 0) {
            parts.add(Counted.of(all.misses(), "miss"));
        }
        if (areMany && all.duplicates() > 0) {
            parts.add(Counted.of(all.duplicates(), "duplicate"));
        }
        List<LimitCheck> broken =
                result.limits().stream().filter(LimitCheck::broken).toList();
        if (!broken.isEmpty()) {
            parts.add("limit " + broken.stream().map(LimitCheck::limit).collect(Collectors.joining(" and "))
                    + " exceeded");
        }
        return String.join(", ", parts);
    }

    /** Before a percentile that is only a lower bound, because more operations were unfinished than it leaves out. */
    private static String atLeast(double unfinished, double share) {
        return unfinished > share ? "at least " : "";
    }

    /** Why the run ended early although its figures are valid, such as {@code interrupted after 4.2 s}. */
    private static Optional<String> early(RunResult result) {
        return result.warnings().stream()
                .filter(w -> result.run().partial() && w.code() == RemarkCode.STOPPED_EARLY)
                .findFirst()
                .map(w -> w.figures().get("why") + " after "
                        + Figures.seconds(result.run().measuredSeconds()));
    }

    /** What is known of a target rate with several steps, whose mean is the rate of none; empty if it is nothing. */
    private static String steps(RunResult result) {
        List<RateStep> steps = result.load().open().rateSteps();
        int knee = IntStream.range(0, steps.size())
                .filter(n -> steps.get(n).knee())
                .findFirst()
                .orElse(-1);
        if (knee >= 0) {
            return "kept up with " + Figures.rate(steps.get(knee).targetRate()) + " ops/s, not with "
                    + Figures.rate(steps.get(knee + 1).targetRate());
        }
        if (!steps.isEmpty() && has(result.remarks(), RemarkCode.OVERLOAD_IN_FIRST_STEP)) {
            return "did not keep up with " + Figures.rate(steps.get(0).targetRate()) + " ops/s";
        }
        boolean isWhole = steps.size() == result.run().workload().rates().size()
                && result.total().opsPerSecond() > 0
                && !has(result.remarks(), RemarkCode.OVERLOAD)
                && !has(result.remarks(), RemarkCode.BEHIND_AFTER_OUTAGE);
        double highest = steps.stream().mapToDouble(RateStep::targetRate).max().orElse(0);
        return isWhole ? "kept up with all steps, to " + Figures.rate(highest) + " ops/s" : "";
    }

    private static boolean has(List<Remark> remarks, RemarkCode code) {
        return remarks.stream().anyMatch(remark -> remark.code() == code);
    }

    /** {@code  of the target 60,000} if an open loop with a single rate did not reach it. */
    private static String target(RunResult result, double achieved) {
        List<Double> rates = result.run().workload().rates();
        return rates.size() == 1 && achieved < MIN_ACHIEVED * rates.get(0)
                ? " of the target " + Figures.rate(rates.get(0))
                : "";
    }

    private static String verdicts(Comparison c) {
        List<String> all = c.effects().stream()
                .filter(e -> e.metric().equals(c.primary()))
                .map(e -> verdictWithRatio(e, c))
                .toList();
        Stream<String> broken = c.limits().stream()
                .filter(Comparison.LimitCheck::broken)
                .map(l -> "limit " + l.limit() + " exceeded by " + l.variant());
        return Stream.concat((all.isEmpty() ? c.verdict().stream().map(ResultLine::phrase) : all.stream()), broken)
                .collect(Collectors.joining("; "));
    }

    private static String verdictWithRatio(Effect e, Comparison c) {
        return verdict(e, c) + ", ratio " + Figures.ratio(e.ratio()) + " (" + Figures.ratio(e.low()) + " to "
                + Figures.ratio(e.high()) + ")";
    }

    /** The knee, or why it is not determined. */
    public static String knee(Scaling s) {
        Scaling.Point knee = s.knee();
        if (knee != null) {
            return "knee at " + Counted.of(knee.clients(), "client") + ", " + Figures.rate(knee.opsPerSecond())
                    + " ops/s, p99 " + Durations.text(knee.p99Micros());
        }
        return s.verdict().isEmpty()
                ? "knee not determined"
                : phrase(s.verdict().get(0));
    }

    /** A sentence without its final period. */
    private static String phrase(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /** The short verdict on a variant. */
    public static String verdict(Effect effect, Comparison comparison) {
        return effect.words(comparison.baseline(), Percent.text(comparison.margin()));
    }

    /** {@code valid}, {@code valid, 2 warnings}, or {@code not valid, 1 reason}. */
    private static String validity(Result finding) {
        return state(finding)
                + (finding.usability() == Verdict.NOT_VALID
                        ? ", " + Counted.of(finding.reasons().size(), "reason")
                        : "");
    }

    /** {@code valid}, {@code valid, 2 warnings}, or {@code not valid}. */
    public static String state(Result finding) {
        return state(finding.usability(), finding.warnings().size());
    }

    private static String state(Verdict usability, int warnings) {
        return switch (usability) {
            case VALID -> "valid";
            case VALID_WITH_WARNINGS -> "valid, " + Counted.of(warnings, "warning");
            case NOT_VALID -> "not valid";
        };
    }
}
