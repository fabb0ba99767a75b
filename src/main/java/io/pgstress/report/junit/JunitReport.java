package io.pgstress.report.junit;

import io.pgstress.plan.option.Durations;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ComparisonVerdict;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.junit.TestCase.Outcome;
import io.pgstress.report.text.TextReport;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.ServerInfo;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * JUnit XML: one suite per result, one test case per limit and verdict. Nobody owns the format. What this writes is valid in the two
 * schemas in use: {@code junit-10.xsd} of Jenkins' xUnit plugin, and {@code JUnit.xsd} of Windy Road for Ant's reports, which is the
 * stricter one (no zone in times, every suite with id, package, host and both outputs).
 */
public final class JunitReport implements ReportWriter {
    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        Map<String, Integer> names = new HashMap<>();
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        for (int i = 0; i < findings.size(); i++) {
            String title = TextReport.of(findings.get(i)).title();
            int same = names.merge(title, 1, Integer::sum);
            suite(findings.get(i), i, same == 1 ? title : title + " (" + same + ")", out);
        }
        out.append("</testsuites>\n");
    }

    private static void suite(Result result, int id, String name, Appendable out) throws IOException {
        List<TestCase> cases = Cases.of(result);
        String seconds = seconds(result.run());
        out.append("  <testsuite name=\"").append(XmlText.escape(name));
        out.append("\" package=\"pgstress\" id=\"").append(Integer.toString(id));
        out.append("\" tests=\"").append(Integer.toString(cases.size()));
        out.append("\" failures=\"").append(count(cases, Outcome.FAILURE));
        out.append("\" errors=\"").append(count(cases, Outcome.ERROR));
        out.append("\" skipped=\"").append(count(cases, Outcome.SKIPPED));
        out.append("\" time=\"").append(seconds).append("\" timestamp=\"");
        out.append(XmlText.escape(result.run().startedAt().replaceFirst("(\\.\\d+)?Z$", "")));
        out.append("\" hostname=\"localhost\">\n    <properties>\n");
        for (Map.Entry<String, String> property : properties(result).entrySet()) {
            out.append("      <property name=\"").append(property.getKey()).append("\" value=\"");
            out.append(XmlText.escape(property.getValue())).append("\"/>\n");
        }
        out.append("    </properties>\n");
        String className =
                "pgstress." + name.replace('.', '_'); // Jenkins takes what precedes the last period as a package
        for (int i = 0; i < cases.size(); i++) {
            cases.get(i).write(className, i == 0 ? seconds : "0", out);
        }
        out.append("    <system-out>").append(XmlText.escape(output(result))).append("</system-out>\n");
        out.append("    <system-err/>\n  </testsuite>\n");
    }

    private static String seconds(RunInfo run) {
        double sum =
                run.phases().stream().mapToDouble(RunInfo.PhaseLength::seconds).sum();
        return Rounded.format("%.3f", sum);
    }

    private static String count(List<TestCase> cases, Outcome outcome) {
        return Long.toString(cases.stream().filter(c -> c.is(outcome)).count());
    }

    private static Map<String, String> properties(Result result) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("run", result.run().id());
        all.put("version", result.header().tool().version());
        all.put("commit", result.header().tool().commit());
        all.put("driver", result.header().tool().driver());
        all.put("jvm", result.client().jvm());
        all.put("os", result.client().os());
        all.put("cpus", Integer.toString(result.client().cpus()));
        all.put("server", servers(result, ServerInfo::version));
        all.put("server.kind", servers(result, ServerInfo::kind));
        all.put("server.url", servers(result, ServerInfo::url));
        all.values().removeIf(value -> value == null || value.isEmpty()); // what is unknown
        return all;
    }

    private static String servers(Result result, Function<ServerInfo, String> property) {
        return result.servers().stream().map(property).distinct().collect(Collectors.joining(", "));
    }

    private static String output(Result result) {
        StringBuilder lines = new StringBuilder(ResultLine.of(result));
        TextReport.of(result).verdict().forEach(sentence -> lines.append('\n').append(sentence));
        TextReport.statements(result).stream()
                .filter(statement -> statement.kind() == TextReport.Kind.WARNING) // the others are test cases
                .forEach(statement -> lines.append('\n').append(statement));
        return lines.toString();
    }

    /**
     * The test cases of results: whether the result is valid, its limits, and its verdicts. A case that failed or has an error
     * corresponds to exit code 1. A verdict alone fails no case, because a difference is no fault without a limit.
     */
    static final class Cases {
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
                        limit.checked()
                                ? TestCase.limit(name, limit.broken(), limit.words())
                                : TestCase.skipped(name, limit.words()));
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
                        "a load within " + Durations.text(limit),
                        scaling.withinLimit() == null,
                        ResultLine.knee(scaling));
            }
            return scaling.knee() == null
                    ? TestCase.skipped("knee", ResultLine.knee(scaling))
                    : TestCase.passed("knee");
        }
    }
}
