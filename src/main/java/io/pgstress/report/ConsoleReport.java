package io.pgstress.report;

import io.pgstress.result.Finding;
import java.io.IOException;
import java.util.List;

/** The final report for people: what was run, the figures as tables, what else to know, and whether to trust it. */
final class ConsoleReport implements ReportWriter {
    /** What is said beside the times of a closed load: see Tene's "coordinated omission". */
    static final String CLOSED = "service time only: a closed load hides stalls (an open one, --rate, shows them)";

    /** What is said beside the times of an open load. */
    static final String OPEN = "response time: from the intended start, waiting included";

    private static final int LABEL = 12;

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String description() {
        return "The table for people.";
    }

    @Override
    public boolean takesRunsOnly() {
        return false;
    }

    @Override
    public void write(List<? extends Finding> findings, Appendable out) throws IOException {
        for (int i = 0; i < findings.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(findings.get(i), out);
        }
    }

    private static void write(Finding finding, Appendable out) throws IOException {
        Telling telling = Telling.of(finding);
        out.append(telling.title()).append('\n');
        facts(telling.head(), out);
        String note = telling.note() + "\n";
        for (TextTable table : telling.tables()) {
            if (!table.isEmpty()) {
                out.append('\n');
                table.appendTo(out);
                out.append(note);
                note = "";
            }
        }
        out.append('\n');
        facts(telling.end(), out);
        for (String sentence : telling.verdict()) {
            out.append(sentence).append('\n');
        }
        for (String reason : finding.reasons()) {
            out.append("not valid: ").append(reason).append('\n');
        }
        for (String warning : finding.warnings()) {
            out.append("warning: ").append(warning).append('\n');
        }
        out.append(finding.valid() ? "valid: yes\n" : "valid: NO\n");
    }

    private static void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            String label = fact.label();
            out.append("  ").append(label).append(" ".repeat(Math.max(1, LABEL - label.length())));
            out.append(fact.text()).append('\n');
        }
    }
}
