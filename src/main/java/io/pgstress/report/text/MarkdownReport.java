package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A report in GitHub Markdown, for issues and wikis. */
public final class MarkdownReport implements ReportWriter {
    @Override
    public String name() {
        return "markdown";
    }

    @Override
    public String description() {
        return "Tables for an issue or a wiki.";
    }

    @Override
    public boolean takesRunsOnly() {
        return false;
    }

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        List<RunResult> runs = findings.stream()
                .filter(RunResult.class::isInstance)
                .map(RunResult.class::cast)
                .toList();
        if (runs.size() == findings.size() && runs.size() > 1) {
            out.append("## Side by side\n\n");
            SideBySide.of(runs).appendMarkdown(out);
            out.append("\n*" + SideBySide.NOTE + "*\n\n");
        }
        for (int i = 0; i < findings.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(findings.get(i), out);
        }
    }

    private static void write(Result finding, Appendable out) throws IOException {
        TextReport telling = TextReport.of(finding);
        out.append("## ").append(TextTable.escape(telling.title())).append("\n\n");
        out.append("**").append(TextTable.escape(ResultLine.of(finding))).append("**\n\n");
        for (String sentence : telling.verdict()) {
            out.append(TextTable.escape(sentence)).append("\n\n");
        }
        String note = "\n*" + telling.note() + "*\n";
        List<TextTable> tables = new ArrayList<>(telling.tables());
        tables.addAll(telling.details());
        for (TextTable table : tables) {
            if (!table.isEmpty()) {
                table.appendMarkdown(out);
                out.append(note).append('\n');
                note = "";
            }
        }
        facts(telling.head(), out);
        facts(telling.end(), out);
        for (String reason : finding.reasons()) {
            out.append("- **not valid**: ").append(TextTable.escape(reason)).append('\n');
        }
        for (String warning : finding.warnings()) {
            out.append("- **warning**: ").append(TextTable.escape(warning)).append('\n');
        }
        facts(List.of(new Fact("run", finding.run().id() + ", " + finding.run().startedAt())), out);
    }

    private static void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            out.append("- ").append(TextTable.escape(fact.label())).append(": ");
            out.append(TextTable.escape(fact.text())).append('\n');
        }
    }
}
