package io.pgstress.report.text;

import io.pgstress.text.Printable;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * JUnit XML. Nobody owns the format. What this writes is valid in the two schemas in use: {@code junit-10.xsd} of Jenkins' xUnit plugin,
 * and {@code JUnit.xsd} of Windy Road for Ant's reports, which is the stricter one (no zone in times, every suite with id, package, host and
 * both outputs).
 */
public final class Junit {
    private Junit() {}

    /**
     * A suite.
     *
     * @param startedAt in UTC, as ISO 8601
     * @param output what a person would read
     */
    public record Suite(
            String name,
            String startedAt,
            double seconds,
            Map<String, String> properties,
            List<TestCase> cases,
            String output) {}

    /** What CI systems show. */
    public enum Outcome {
        PASSED("", ""),
        /** The measurement does not answer the question. */
        SKIPPED("skipped", ""),
        /** A limit is broken. */
        FAILURE("failure", "limit"),
        /** Data differ. */
        DIFFERENCE("failure", "difference"),
        /** The figures may not be used. */
        ERROR("error", "not valid"),
        /** Not everything was done. */
        INCOMPLETE("error", "incomplete");

        private final String element;
        private final String type;

        Outcome(String element, String type) {
            this.element = element;
            this.type = type;
        }
    }

    /**
     * A test case.
     *
     * @param name unique within the suite, and the same for each run of the same test
     * @param message the measured value or the reason in one line; empty if the case passed
     * @param text all of it
     */
    public record TestCase(String name, Outcome outcome, String message, String text) {
        static TestCase passed(String name) {
            return new TestCase(name, Outcome.PASSED, "", "");
        }

        static TestCase skipped(String name, String why) {
            return new TestCase(name, Outcome.SKIPPED, why, "");
        }

        /** A case that passes unless the limit is broken. */
        public static TestCase limit(String name, boolean broken, String words) {
            return broken ? new TestCase(name, Outcome.FAILURE, words, name + ": " + words) : passed(name);
        }

        /** A case that passes if there are no reasons against it; empty texts are none. */
        public static TestCase unless(String name, Outcome outcome, List<String> reasons) {
            List<String> against =
                    reasons.stream().filter(reason -> !reason.isEmpty()).toList();
            return against.isEmpty()
                    ? passed(name)
                    : new TestCase(name, outcome, against.get(0), String.join("\n", against));
        }
    }

    /** Writes the document. The names of suites have to differ. */
    public static void write(List<Suite> suites, Appendable out) throws IOException {
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        for (int i = 0; i < suites.size(); i++) {
            write(suites.get(i), i, out);
        }
        out.append("</testsuites>\n");
    }

    private static void write(Suite suite, int id, Appendable out) throws IOException {
        String seconds = Rounded.format("%.3f", suite.seconds);
        out.append("  <testsuite")
                .append(attribute("name", suite.name))
                .append(attribute("package", "pgstress"))
                .append(attribute("id", Integer.toString(id)))
                .append(attribute("tests", Integer.toString(suite.cases.size())))
                .append(attribute("failures", count(suite.cases, "failure")))
                .append(attribute("errors", count(suite.cases, "error")))
                .append(attribute("skipped", count(suite.cases, "skipped")))
                .append(attribute("time", seconds))
                .append(attribute("timestamp", suite.startedAt.replaceFirst("(\\.\\d+)?Z$", "")))
                .append(attribute("hostname", "localhost"))
                .append(">\n    <properties>\n");
        for (Map.Entry<String, String> property : suite.properties.entrySet()) {
            out.append("      <property")
                    .append(attribute("name", property.getKey()))
                    .append(attribute("value", property.getValue()))
                    .append("/>\n");
        }
        out.append("    </properties>\n");
        String className =
                "pgstress." + suite.name.replace('.', '_'); // Jenkins takes what precedes the last period as a package
        for (int i = 0; i < suite.cases.size(); i++) {
            write(suite.cases.get(i), className, i == 0 ? seconds : "0", out);
        }
        out.append("    <system-out>").append(escape(suite.output)).append("</system-out>\n");
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

    private static String count(List<TestCase> cases, String element) {
        return Long.toString(
                cases.stream().filter(c -> c.outcome.element.equals(element)).count());
    }

    /**
     * The text for an element or an attribute in double quotes of XML 1.0. Line breaks and tabs become references, because a
     * parser would turn them into spaces in an attribute. A character that XML 1.0 cannot represent, not even as a reference (such
     * as U+001B), or that is not {@linkplain Printable plain}, becomes {@code \}{@code u001b} (<a href="https://www.w3.org/TR/xml/#charsets">section 2.2</a>).
     */
    private static String escape(String text) {
        return text.codePoints().mapToObj(Junit::escape).collect(Collectors.joining());
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
                boolean isCharacter = c >= ' ' && Printable.isPlain(c) && !isSurrogate && c != 0xFFFE && c != 0xFFFF;
                yield isCharacter ? Character.toString(c) : String.format(Locale.ROOT, "\\u%04x", c);
            }
        };
    }
}
