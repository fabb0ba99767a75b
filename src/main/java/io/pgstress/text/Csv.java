package io.pgstress.text;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

/** Comma-separated values as RFC 4180 defines them, except that lines end with a line feed. Thread-safe. */
public final class Csv {
    private Csv() {}

    /** Writes one line per row; quotes cells that need it. */
    public static void write(List<List<String>> rows, Appendable out) throws IOException {
        StringWriter text = new StringWriter();
        try (CsvWriter writer =
                CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
            rows.forEach(writer::writeRecord);
        }
        out.append(text.getBuffer());
    }
}
