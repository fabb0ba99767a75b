package io.pgstress.operation.workload;

import io.pgstress.plan.option.Options;
import io.pgstress.text.Quoting;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The format of a file of rows, with COPY's names and meanings.
 *
 * @param isCsv whether it is CSV, not COPY's text format
 * @param hasHeader whether the first row is skipped
 * @param delimiter the character between two fields
 * @param quote the character around fields with line ends; {@link #NO_QUOTE}: there is none
 */
record RowFormat(boolean isCsv, boolean hasHeader, char delimiter, int quote) {
    /** Not a byte. */
    static final int NO_QUOTE = 256;

    static final RowFormat TEXT = new RowFormat(false, false, '\t', NO_QUOTE);

    /** The format of a file, by the options or else by its name. */
    static RowFormat of(Path file, Options options) {
        return isCsv(file, options)
                ? new RowFormat(
                        true,
                        options.get(LoadOptions.CSV_HEADER),
                        options.get(LoadOptions.CSV_DELIMITER),
                        options.get(LoadOptions.CSV_QUOTE))
                : TEXT;
    }

    static boolean isCsv(Path file, Options options) {
        return options.get(LoadOptions.INPUT_FORMAT)
                .map(format -> format == LoadOptions.Format.CSV)
                .orElseGet(() -> file.toString().toLowerCase(Locale.ROOT).endsWith(".csv"));
    }

    /** What follows {@code from stdin}. The header is not sent, because only the first COPY would have it. */
    String copyOptions() {
        return isCsv
                ? " with (format csv, delimiter " + Quoting.literal(String.valueOf(delimiter)) + ", quote "
                        + Quoting.literal(String.valueOf((char) quote)) + ")"
                : "";
    }

    String label() {
        return isCsv ? "CSV" : "COPY's text format";
    }

    RecordEnds ends() {
        return new RecordEnds(quote);
    }

    /**
     * Finds the ends of rows in COPY's input, byte by byte, as the server does: a line end within quotes is data, and a quote
     * doubled within quotes closes and reopens them (PostgreSQL's {@code CopyReadLineText}). Not thread-safe.
     */
    static final class RecordEnds {
        private final int quote;
        private boolean isQuoted;

        /** @param quote the quote character; {@link RowFormat#NO_QUOTE}: rows end at every line end */
        RecordEnds(int quote) {
            this.quote = quote;
        }

        /** Moves to a place in the input that is, or is not, within quotes. */
        void begin(boolean within) {
            isQuoted = within;
        }

        /** Whether the last byte is within quotes or opens them. */
        boolean isQuoted() {
            return isQuoted;
        }

        /** Takes the next byte; returns whether it ends a row. */
        boolean endsAt(int next) {
            if (next == quote) {
                isQuoted = !isQuoted;
            }
            return next == '\n' && !isQuoted;
        }
    }
}
