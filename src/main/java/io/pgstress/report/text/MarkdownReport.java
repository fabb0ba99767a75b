package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A report in GitHub Markdown, for issues, wikis and the pages of CI jobs: the result first, everything else folded up. */
public final class MarkdownReport implements ReportWriter {
    @Override
    public String name() {
        return "markdown";
    }

    @Override
    public String description() {
        return "Markdown for an issue, a wiki or the page of a CI job.";
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
        remarks(finding, out);
        tables(telling.tables(), "\n*" + telling.note() + "*\n", out);
        out.append("<details>\n<summary>Details</summary>\n\n");
        tables(telling.details(), "", out);
        facts(telling.head(), out);
        facts(telling.end(), out);
        facts(List.of(new Fact("run", finding.run().id() + ", " + finding.run().startedAt())), out);
        out.append("\n</details>\n");
    }

    /** What a reader must know before the figures. */
    private static void remarks(Result finding, Appendable out) throws IOException {
        List<String> lines = new ArrayList<>();
        brokenLimits(finding).forEach(words -> lines.add(line("limit exceeded", words)));
        finding.reasons().forEach(reason -> lines.add(line("not valid", reason.text())));
        finding.warnings().forEach(warning -> lines.add(line("warning", warning.text())));
        if (!lines.isEmpty()) {
            out.append(String.join("", lines)).append('\n');
        }
    }

    private static List<String> brokenLimits(Result finding) {
        if (finding instanceof Comparison comparison) {
            return comparison.limits().stream()
                    .filter(Comparison.LimitCheck::broken)
                    .map(l -> l.limit() + ", " + l.variant() + ": " + l.words())
                    .toList();
        }
        return finding instanceof RunResult run
                ? run.limits().stream()
                        .filter(LimitCheck::broken)
                        .map(l -> l.limit() + ": " + l.words())
                        .toList()
                : List.of();
    }

    private static String line(String kind, String words) {
        return "- **" + kind + "**: " + TextTable.escape(words) + "\n";
    }

    /** @param note note on the first table */
    private static void tables(List<TextTable> tables, String note, Appendable out) throws IOException {
        String next = note;
        for (TextTable table : tables) {
            if (!table.isEmpty()) {
                table.appendMarkdown(out);
                out.append(next).append('\n');
                next = "";
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
