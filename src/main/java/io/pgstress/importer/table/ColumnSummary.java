package io.pgstress.importer.table;

import io.pgstress.text.Counted;
import java.util.Locale;

/**
 * What an import put into a typed column.
 *
 * @param values documents with a value
 * @param nulls documents in which the field is missing or null
 * @param rejected documents rejected because their value does not fit
 * @param misfits documents whose value does not fit, so that the column is null
 * @param example the first value that does not fit; empty if all fit
 */
public record ColumnSummary(
        String name, String path, String type, long values, long nulls, long rejected, long misfits, String example) {

    /** In one line, without the table's name. */
    public String text() {
        String odd = rejected > 0
                ? String.format(Locale.ROOT, ", %,d rejected", rejected)
                : misfits > 0 ? String.format(Locale.ROOT, ", %,d that do not fit are null", misfits) : "";
        return String.format(
                Locale.ROOT,
                "column %s (%s, generated from %s): %s, %,d missing or null%s%s",
                name,
                type,
                path,
                Counted.of(values, "value"),
                nulls,
                odd,
                example.isEmpty() ? "" : ", such as " + example);
    }
}
