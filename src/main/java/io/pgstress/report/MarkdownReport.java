package io.pgstress.report;

import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/** For an issue or a wiki: GitHub's Markdown. */
final class MarkdownReport implements ReportWriter {
    @Override
    public String name() {
        return "markdown";
    }

    @Override
    public String description() {
        return "Tables for an issue or a wiki.";
    }

    @Override
    public void write(List<RunResult> results, Appendable out) throws IOException {
        for (int i = 0; i < results.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(results.get(i), out);
        }
    }

    private static void write(RunResult result, Appendable out) throws IOException {
        RunFacts head = new RunFacts(result);
        out.append("## ").append(TextTable.escape(head.title())).append("\n\n");
        out.append(result.valid() ? "" : "**Not valid**, see the warnings.\n\n");
        OperationTables tables = new OperationTables(result);
        tables.operations().appendMarkdown(out);
        out.append("\n*").append(new Asked(result).isOpen() ? ConsoleReport.OPEN : ConsoleReport.CLOSED);
        out.append("*\n\n");
        for (TextTable table : List.of(tables.parts(), tables.nodes())) {
            if (!table.isEmpty()) {
                table.appendMarkdown(out);
                out.append('\n');
            }
        }
        facts(head.all(), out);
        facts(new EndFacts(result).all(), out);
        for (String warning : result.warnings()) {
            out.append("- **warning**: ").append(TextTable.escape(warning)).append('\n');
        }
        facts(List.of(new Fact("run", result.run().id() + ", " + result.run().startedAt())), out);
    }

    private static void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            out.append("- ").append(TextTable.escape(fact.label())).append(": ");
            out.append(TextTable.escape(fact.text())).append('\n');
        }
    }
}
