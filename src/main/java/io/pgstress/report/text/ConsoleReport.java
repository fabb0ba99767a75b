package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The final report for people. Its last line is the result: the figures and their validity. */
public final class ConsoleReport implements ReportWriter {
    /** The note on latencies of a closed load; see Tene's "coordinated omission". */
    static final String CLOSED =
            "closed load: a stall shows only once per client; use --rate to see what users would feel";

    /** The note on latencies of an open load. */
    static final String OPEN = "response time: from the scheduled start of each operation, including any wait";

    private static final int LABEL = 12;

    private final boolean isVerbose;

    /** @param isVerbose whether to show details: settings, waits, statements, plans, machines */
    public ConsoleReport(boolean isVerbose) {
        this.isVerbose = isVerbose;
    }

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String description() {
        return "A summary for people.";
    }

    @Override
    public boolean takesRunsOnly() {
        return false;
    }

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        for (int i = 0; i < findings.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(findings.get(i), out);
        }
    }

    private void write(Result finding, Appendable out) throws IOException {
        TextReport telling = TextReport.of(finding);
        out.append(telling.title()).append('\n');
        facts(telling.head(), out);
        tables(telling, out);
        out.append('\n');
        facts(telling.end(), out);
        for (String sentence : telling.verdict()) {
            out.append(sentence).append('\n');
        }
        if (finding.reasons().size() > 1) { // the last line contains the first one
            for (String reason : finding.reasons()) {
                out.append("not valid: ").append(reason).append('\n');
            }
        }
        for (String warning : finding.warnings()) {
            out.append("warning: ").append(warning).append('\n');
        }
        out.append(ResultLine.of(finding)).append('\n');
    }

    private void tables(TextReport telling, Appendable out) throws IOException {
        List<TextTable> tables = new ArrayList<>(telling.tables());
        if (isVerbose) {
            tables.addAll(telling.details());
        }
        String note = telling.note() + "\n";
        for (TextTable table : tables) {
            if (!table.isEmpty()) {
                out.append('\n');
                table.appendTo(out);
                out.append(note);
                note = "";
            }
        }
    }

    private void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            if (isVerbose || !fact.isDetail()) {
                String label = fact.label();
                out.append("  ").append(label).append(" ".repeat(Math.max(1, LABEL - label.length())));
                out.append(fact.text()).append('\n');
            }
        }
    }
}
