package io.pgstress.importer.table;

import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The typed columns of a table under import, with the numbers of their values. Thread-safe. */
public final class ColumnCounts {
    private final ColumnOptions columns;
    private final ColumnTally tally;

    public ColumnCounts(ColumnOptions columns) {
        this.columns = columns;
        this.tally = new ColumnTally(columns.specs().size());
    }

    public ColumnOptions columns() {
        return columns;
    }

    /** Adds the values of rows that were committed. */
    public synchronized void add(ColumnTally more) {
        tally.add(more);
    }

    /** What the import put into each column, in the order of the table. */
    public synchronized List<ColumnSummary> summaries() {
        List<ColumnSummary> summaries = new ArrayList<>();
        for (int i = 0; i < columns.specs().size(); i++) {
            summaries.add(tally.summary(i, columns.specs().get(i), columns.rejects()));
        }
        return summaries;
    }

    /** The numbers of values of each column of a table, and an example of one that did not fit. Not thread-safe. */
    public static final class ColumnTally {
        private final long[] values;
        private final long[] nulls;
        private final long[] misfits;
        private final String[] examples;

        ColumnTally(int columns) {
            values = new long[columns];
            nulls = new long[columns];
            misfits = new long[columns];
            examples = new String[columns];
            Arrays.fill(examples, "");
        }

        void clear() {
            Arrays.fill(values, 0);
            Arrays.fill(nulls, 0);
            Arrays.fill(misfits, 0);
            Arrays.fill(examples, "");
        }

        void value(int column) {
            values[column]++;
        }

        void absent(int column) {
            nulls[column]++;
        }

        void misfit(int column) {
            misfits[column]++;
        }

        boolean hasExample(int column) {
            return !examples[column].isEmpty();
        }

        void example(int column, String example) {
            examples[column] = example;
        }

        void add(ColumnTally other) {
            for (int i = 0; i < values.length; i++) {
                values[i] += other.values[i];
                nulls[i] += other.nulls[i];
                misfits[i] += other.misfits[i];
                examples[i] = examples[i].isEmpty() ? other.examples[i] : examples[i];
            }
        }

        ColumnSummary summary(int i, ColumnSpec spec, boolean rejects) {
            return new ColumnSummary(
                    spec.name(),
                    spec.path().toString(),
                    spec.type().sql(),
                    values[i],
                    nulls[i],
                    rejects ? misfits[i] : 0,
                    rejects ? 0 : misfits[i],
                    examples[i]);
        }
    }

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
            String name,
            String path,
            String type,
            long values,
            long nulls,
            long rejected,
            long misfits,
            String example) {

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
}
