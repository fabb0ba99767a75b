package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.Comparison;
import io.pgstress.result.RateSearch;
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
import java.util.Locale;
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
        List<TestCase> cases = cases(result);
        String seconds = seconds(result.run());
        out.append("  <testsuite")
                .append(attribute("name", name))
                .append(attribute("package", "pgstress"))
                .append(attribute("id", Integer.toString(id)))
                .append(attribute("tests", Integer.toString(cases.size())))
                .append(attribute("failures", count(cases, Outcome.FAILURE)))
                .append(attribute("errors", count(cases, Outcome.ERROR)))
                .append(attribute("skipped", count(cases, Outcome.SKIPPED)))
                .append(attribute("time", seconds))
                .append(attribute("timestamp", result.run().startedAt().replaceFirst("(\\.\\d+)?Z$", "")))
                .append(attribute("hostname", "localhost"))
                .append(">\n    <properties>\n");
        for (Map.Entry<String, String> property : properties(result).entrySet()) {
            out.append("      <property")
                    .append(attribute("name", property.getKey()))
                    .append(attribute("value", property.getValue()))
                    .append("/>\n");
        }
        out.append("    </properties>\n");
        String className =
                "pgstress." + name.replace('.', '_'); // Jenkins takes what precedes the last period as a package
        for (int i = 0; i < cases.size(); i++) {
            write(cases.get(i), className, i == 0 ? seconds : "0", out);
        }
        out.append("    <system-out>").append(escape(output(result))).append("</system-out>\n");
        out.append("    <system-err/>\n  </testsuite>\n");
    }

    private static void write(TestCase test, String className, String seconds, Appendable out) throws IOException {
        out.append("    <testcase")
                .append(attribute("name", test.name))
                .append(attribute("classname", className))
                .append(attribute("time", seconds));
        Outcome outcome = test.outcome;
        if (outcome == Outcome.PASSED) {
            out.append("/>\n");
            return;
        }
        out.append(">\n      <")
                .append(outcome.element)
                .append(outcome.type.isEmpty() ? "" : attribute("type", outcome.type))
                .append(attribute("message", test.message))
                .append(test.text.isEmpty() ? "/>" : ">" + escape(test.text) + "</" + outcome.element + ">")
                .append("\n    </testcase>\n");
    }

    private static String attribute(String name, String value) {
        return " " + name + "=\"" + escape(value) + "\"";
    }

    private static String seconds(RunInfo run) {
        double sum =
                run.phases().stream().mapToDouble(RunInfo.PhaseLength::seconds).sum();
        return Rounded.format("%.3f", sum);
    }

    private static String count(List<TestCase> cases, Outcome outcome) {
        return Long.toString(cases.stream().filter(c -> c.outcome == outcome).count());
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
     * The test cases of a result: whether it is valid, its limits, and its verdicts. A case that failed or has an error
     * corresponds to exit code 1. A verdict alone fails no case, because a difference is no fault without a limit.
     */
    private static List<TestCase> cases(Result result) {
        List<TestCase> cases = new ArrayList<>(List.of(validity(result)));
        if (result instanceof Comparison comparison) {
            limits(comparison, cases);
            verdicts(comparison, cases);
        } else if (result instanceof Scaling scaling) {
            cases.add(load(scaling));
        } else if (result instanceof RateSearch search) {
            String limits =
                    search.limits().stream().map(RateSearch.KeptLimit::limit).collect(Collectors.joining(" and "));
            cases.add(TestCase.limit(
                    "a rate within " + limits,
                    search.rate() == null,
                    search.verdict().get(0)));
        } else {
            ((RunResult) result).limits().forEach(l -> cases.add(TestCase.limit(l.limit(), l.broken(), l.words())));
        }
        return cases;
    }

    private static TestCase validity(Result result) {
        return result.valid()
                ? TestCase.passed("valid")
                : new TestCase(
                        "valid",
                        Outcome.ERROR,
                        result.reasons().get(0).text(),
                        result.reasons().stream()
                                .map(reason -> reason.code() + ": " + reason.sentences())
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
            if (!variant.name().equals(comparison.baseline())) {
                String name = variant.name() + " compared with " + comparison.baseline();
                cases.add(comparison.effects().stream()
                        .filter(e ->
                                e.variant().equals(variant.name()) && e.metric().equals(comparison.primary()))
                        .findFirst()
                        .map(e -> e.verdict().equals("undecided")
                                ? TestCase.skipped(name, ResultLine.verdict(e, comparison))
                                : TestCase.passed(name))
                        .orElseGet(() -> TestCase.skipped(name, String.join(" ", comparison.verdict()))));
            }
        }
    }

    private static TestCase load(Scaling scaling) {
        return scaling.knee() == null ? TestCase.skipped("knee", ResultLine.knee(scaling)) : TestCase.passed("knee");
    }

    /** What CI systems show. */
    private enum Outcome {
        PASSED("", ""),
        /** The measurement does not answer the question. */
        SKIPPED("skipped", ""),
        /** A limit is broken. */
        FAILURE("failure", "limit"),
        /** The figures may not be used. */
        ERROR("error", "not valid");

        private final String element;
        private final String type;

        Outcome(String element, String type) {
            this.element = element;
            this.type = type;
        }
    }

    /**
     * A test case: a limit, a verdict, or whether the result is valid.
     *
     * @param name unique within the suite, and the same for each run of the same test
     * @param message the measured value or the reason in one line; empty if the case passed
     * @param text all of it
     */
    private record TestCase(String name, Outcome outcome, String message, String text) {
        static TestCase passed(String name) {
            return new TestCase(name, Outcome.PASSED, "", "");
        }

        static TestCase skipped(String name, String why) {
            return new TestCase(name, Outcome.SKIPPED, why, "");
        }

        /** A case that passes unless the limit is broken. */
        static TestCase limit(String name, boolean broken, String words) {
            return broken ? new TestCase(name, Outcome.FAILURE, words, name + ": " + words) : passed(name);
        }
    }

    /**
     * The text for an element or an attribute in double quotes of XML 1.0. Line breaks and tabs become references, because a
     * parser would turn them into spaces in an attribute. A character that XML 1.0 cannot represent, not even as a reference (such
     * as U+001B), becomes {@code \}{@code u001b} (<a href="https://www.w3.org/TR/xml/#charsets">section 2.2</a>).
     */
    private static String escape(String text) {
        return text.codePoints().mapToObj(JunitReport::escape).collect(Collectors.joining());
    }

    private static String escape(int c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\t', '\n', '\r' -> "&#" + c + ";";
            default -> {
                boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
                boolean isCharacter = c >= ' ' && !isSurrogate && c != 0xFFFE && c != 0xFFFF;
                yield isCharacter ? Character.toString(c) : String.format(Locale.ROOT, "\\u%04x", c);
            }
        };
    }
}
