package io.pgstress.report.format;

import io.pgstress.result.Latency;
import io.pgstress.text.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** A text table: leading columns are left-aligned, the others, with numbers, right-aligned. Not thread-safe. */
public final class TextTable {
    private static final String ABSENT = "-";
    private static final String GAP = "  ";

    /** The times of operations, in milliseconds. */
    public static final Columns<Latency> TIMES = new Columns<Latency>()
            .add("mean ms", Latency::mean, Figures::millis)
            .add("stddev ms", Latency::stddev, Figures::millis)
            .add("min ms", Latency::min, Figures::millis)
            .add("p50 ms", Latency::p50, Figures::millis)
            .add("p95 ms", Latency::p95, Figures::millis)
            .add("p99 ms", Latency::knownP99, Figures::millis)
            .add("p99.9 ms", Latency::knownP999, Figures::millis)
            .add("max ms", Latency::max, Figures::millis);

    private final int leftColumns;
    private final List<List<String>> rows;
    private List<String> optional = List.of();

    /**
     * A table of cells.
     *
     * @param leftColumns number of left-aligned columns
     * @param rows the first one is the header
     */
    public TextTable(int leftColumns, List<List<String>> rows) {
        this.leftColumns = leftColumns;
        this.rows = rows.stream()
                .map(row -> row.stream().map(Printable::line).toList())
                .toList();
    }

    /** A table of columns; a cell without a value is {@value #ABSENT}. */
    public static <R> TextTable of(int leftColumns, Columns<R> columns, Collection<? extends R> rows) {
        List<List<String>> cells = new ArrayList<>(List.of(columns.names()));
        rows.forEach(row -> cells.add(columns.cells(row, ABSENT)));
        return new TextTable(leftColumns, cells);
    }

    /** Number of left-aligned columns, with words. */
    public int leftColumns() {
        return leftColumns;
    }

    /** The cells; the first row is the header. */
    public List<List<String>> rows() {
        return rows;
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The columns to omit if the table is too wide, the least important first. */
    public TextTable optional(String... headers) {
        optional = List.of(headers);
        return this;
    }

    /** Appends aligned lines, each with a line break. */
    public void appendTo(Appendable out) throws IOException {
        appendTo(out, Integer.MAX_VALUE);
    }

    /**
     * Appends aligned lines without the optional columns that do not fit this number of characters.
     *
     * @return the headers of the omitted columns
     */
    public List<String> appendTo(Appendable out, int width) throws IOException {
        int[] widths = widths();
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            shown.add(i);
        }
        List<String> omitted = new ArrayList<>();
        for (String header : optional) {
            if (width(shown, widths) > width
                    && shown.remove((Integer) rows.get(0).indexOf(header))) {
                omitted.add(header);
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i : shown) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(line.isEmpty() ? "" : GAP).append(i < leftColumns ? row.get(i) + pad : pad + row.get(i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return omitted;
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static int width(List<Integer> shown, int[] widths) {
        return shown.stream().mapToInt(i -> widths[i] + GAP.length()).sum() - GAP.length();
    }

    /** Appends the table as GitHub Markdown. */
    public void appendMarkdown(Appendable out) throws IOException {
        for (int i = 0; i < rows.size(); i++) {
            out.append(rows.get(i).stream().map(TextTable::escape).collect(Collectors.joining(" | ", "| ", " |\n")));
            if (i == 0) {
                for (int column = 0; column < rows.get(0).size(); column++) {
                    out.append(column < leftColumns ? "| :-- " : "| --: ");
                }
                out.append("|\n");
            }
        }
    }

    /** Escapes text for Markdown and HTML within it. */
    public static String escape(String text) {
        return Printable.line(text)
                .replaceAll("([\\\\`*_{}\\[\\]<>|~])", "\\\\$1")
                .replace("&", "&amp;")
                .replaceAll("\\R", " ");
    }
}
