package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.format.TextTable;
import io.pgstress.report.text.Facts.Fact;
import io.pgstress.report.text.Facts.Weight;
import io.pgstress.report.text.TextReport.Statement;
import io.pgstress.report.text.TextReport.Statements;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/** A report in GitHub Markdown, for issues, wikis and the pages of CI jobs: the result first, everything else folded up. */
public final class MarkdownReport implements ReportWriter {
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
        Statements statements = TextReport.statements(finding);
        statements(statements.first(), out);
        if (!statements.more().isEmpty()) {
            out.append("<details>\n<summary>").append(statements.moreWords()).append("</summary>\n\n");
            statements(statements.more(), out);
            out.append("</details>\n\n");
        }
        facts(telling.result(), out);
        out.append(telling.result().isEmpty() ? "" : "\n");
        tables(telling.tables(), out);
        if (!telling.note().isEmpty()) {
            out.append("*").append(TextTable.escape(telling.note())).append("*\n\n");
        }
        out.append("<details>\n<summary>Details</summary>\n\n");
        tables(telling.details(), out);
        facts(telling.setup(), out);
        facts(List.of(new Fact("run", finding.run().id() + ", " + finding.run().startedAt(), Weight.NORMAL)), out);
        out.append("\n</details>\n");
    }

    private static void statements(List<Statement> statements, Appendable out) throws IOException {
        for (Statement statement : statements) {
            out.append("- **" + statement.kind().label() + "**: " + TextTable.escape(statement.text()) + "\n");
        }
        out.append(statements.isEmpty() ? "" : "\n");
    }

    private static void tables(List<TextTable> tables, Appendable out) throws IOException {
        for (TextTable table : tables) {
            if (!table.isEmpty()) {
                table.appendMarkdown(out);
                out.append('\n');
            }
        }
    }

    private static void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            out.append("- ").append(TextTable.escape(fact.label())).append(": ");
            out.append(TextTable.escape(fact.text())).append('\n');
        }
    }
}
