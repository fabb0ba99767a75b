package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.format.Style;
import io.pgstress.report.format.TextTable;
import io.pgstress.report.format.WrappedText;
import io.pgstress.report.text.Facts.Fact;
import io.pgstress.report.text.Facts.Weight;
import io.pgstress.report.text.TextReport.Kind;
import io.pgstress.report.text.TextReport.Statement;
import io.pgstress.report.text.TextReport.Statements;
import io.pgstress.result.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The final report for people. Its last line is the result: the figures and their validity, or the validity of all results. */
public final class ConsoleReport implements ReportWriter {
    /** The note on latencies of an open loop. */
    static final String OPEN = "Response times count from the scheduled start of each operation and include any wait.";

    private static final int LABEL = 12;

    private final boolean isVerbose;
    private final Style style;
    private final int width;

    /** A report for files and pipes: without colors, and as wide as it is. */
    public ConsoleReport(boolean isVerbose) {
        this(isVerbose, Style.PLAIN, Integer.MAX_VALUE);
    }

    /**
     * A report for a terminal.
     *
     * @param isVerbose whether to show details: settings, waits, statements, plans, machines
     * @param width characters in a line
     */
    public ConsoleReport(boolean isVerbose, Style style, int width) {
        this.isVerbose = isVerbose;
        this.style = style;
        this.width = width;
    }

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        for (int i = 0; i < findings.size(); i++) {
            out.append(i == 0 ? "" : "\n");
            write(findings.get(i), out);
        }
        if (findings.size() > 1) {
            out.append('\n').append(ResultLine.of(findings, style)).append('\n');
        }
    }

    private void write(Result finding, Appendable out) throws IOException {
        TextReport telling = TextReport.of(finding);
        line(telling.title(), out);
        out.append('\n');
        for (String sentence : telling.verdict()) {
            line(sentence, out);
        }
        out.append(telling.verdict().isEmpty() ? "" : "\n");
        facts(telling.result(), out);
        tables(telling, out);
        out.append('\n');
        boolean hasRemarks = remarks(TextReport.statements(finding), out);
        if (!telling.note().isEmpty()) {
            line("note: " + telling.note(), out);
        }
        out.append(hasRemarks || !telling.note().isEmpty() ? "\n" : "");
        facts(telling.setup(), out);
        out.append(ResultLine.of(finding, style, width)).append('\n');
    }

    /** Returns whether there are any. */
    private boolean remarks(Statements statements, Appendable out) throws IOException {
        List<Statement> shown = isVerbose ? statements.all() : statements.first();
        for (Statement statement : shown) {
            String text = wrapped(statement.toString());
            out.append(statement.kind() == Kind.WARNING ? style.warning(text) : style.error(text))
                    .append('\n');
        }
        if (!isVerbose && !statements.more().isEmpty()) {
            out.append(style.warning(statements.moreWords() + ": --verbose")).append('\n');
        }
        return !shown.isEmpty();
    }

    private void tables(TextReport telling, Appendable out) throws IOException {
        List<TextTable> tables = new ArrayList<>(telling.tables());
        if (isVerbose) {
            tables.addAll(telling.details());
        }
        List<String> omitted = new ArrayList<>();
        for (TextTable table : tables) {
            if (!table.isEmpty()) {
                out.append('\n');
                table.appendTo(out, width).stream()
                        .filter(name -> !omitted.contains(name))
                        .forEach(omitted::add);
            }
        }
        if (!omitted.isEmpty()) {
            line("not shown in " + width + " columns: " + String.join(", ", omitted), out);
        }
    }

    private void facts(List<Fact> facts, Appendable out) throws IOException {
        for (Fact fact : facts) {
            if (isVerbose || fact.weight() != Weight.DETAIL) {
                String label = "  " + fact.label();
                String pad = " ".repeat(Math.max(1, LABEL + 2 - label.length()));
                String text = WrappedText.of(label + pad + fact.text(), LABEL + 2, width);
                out.append(fact.weight() == Weight.ERROR ? style.error(text) : text)
                        .append('\n');
            }
        }
    }

    private void line(String text, Appendable out) throws IOException {
        out.append(wrapped(text)).append('\n');
    }

    private String wrapped(String text) {
        return WrappedText.of(text, 2, width);
    }
}
