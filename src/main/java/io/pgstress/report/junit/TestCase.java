package io.pgstress.report.junit;

import java.io.IOException;

/**
 * A test case: a limit, a verdict, or whether the result is valid.
 *
 * @param name unique within the suite, and the same for each run of the same test
 * @param message the measured value or the reason in one line; empty if the case passed
 * @param text all of it
 */
record TestCase(String name, Outcome outcome, String message, String text) {
    /** What CI systems show. */
    enum Outcome {
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

    boolean is(Outcome other) {
        return outcome == other;
    }

    void write(String className, String seconds, Appendable out) throws IOException {
        out.append("    <testcase name=\"").append(XmlText.escape(name));
        out.append("\" classname=\"").append(XmlText.escape(className));
        out.append("\" time=\"").append(seconds).append('"');
        if (is(Outcome.PASSED)) {
            out.append("/>\n");
            return;
        }
        out.append(">\n      <").append(outcome.element);
        if (!outcome.type.isEmpty()) {
            out.append(" type=\"").append(outcome.type).append('"');
        }
        out.append(" message=\"").append(XmlText.escape(message)).append('"');
        if (text.isEmpty()) {
            out.append("/>\n");
        } else {
            out.append('>').append(XmlText.escape(text)).append("</");
            out.append(outcome.element).append(">\n");
        }
        out.append("    </testcase>\n");
    }
}
