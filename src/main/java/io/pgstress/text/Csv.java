package io.pgstress.text;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Pattern;

/** Comma-separated values as RFC 4180 defines them, except that lines end with a line feed. Thread-safe. */
public final class Csv {
    /** What a spreadsheet may take for a formula; a tab or a carriage return is dropped before one. */
    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\\t\\r].*", Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private Csv() {}

    /**
     * Writes one line per row; quotes cells that need it. A text that a spreadsheet would run as a formula is preceded by an
     * apostrophe (OWASP, "CSV injection"); numbers are not changed.
     */
    public static void write(List<List<String>> rows, Appendable out) throws IOException {
        StringWriter text = new StringWriter();
        try (CsvWriter writer =
                CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
            rows.forEach(
                    row -> writer.writeRecord(row.stream().map(Csv::harmless).toList()));
        }
        out.append(text.getBuffer());
    }

    private static String harmless(String cell) {
        boolean isFormula =
                FORMULA.matcher(cell).matches() && !NUMBER.matcher(cell).matches();
        return isFormula ? "'" + cell : cell;
    }
}
