package io.pgstress.importer.table;

import io.pgstress.bson.copy.DocumentField.Outcome;
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
        /** By the ordinal of the outcome, then by column. */
        private final long[][] counts;

        private final String[] examples;

        ColumnTally(int columns) {
            counts = new long[Outcome.values().length][columns];
            examples = new String[columns];
            clear();
        }

        void clear() {
            for (long[] each : counts) {
                Arrays.fill(each, 0);
            }
            Arrays.fill(examples, "");
        }

        void count(int column, Outcome outcome) {
            counts[outcome.ordinal()][column]++;
        }

        private long count(Outcome outcome, int column) {
            return counts[outcome.ordinal()][column];
        }

        boolean hasExample(int column) {
            return !examples[column].isEmpty();
        }

        void example(int column, String example) {
            examples[column] = example;
        }

        void add(ColumnTally other) {
            for (int i = 0; i < examples.length; i++) {
                for (int outcome = 0; outcome < counts.length; outcome++) {
                    counts[outcome][i] += other.counts[outcome][i];
                }
                examples[i] = examples[i].isEmpty() ? other.examples[i] : examples[i];
            }
        }

        ColumnSummary summary(int i, ColumnSpec spec, boolean rejects) {
            return new ColumnSummary(
                    spec.name(),
                    spec.path().toString(),
                    spec.type().sql(),
                    count(Outcome.VALUE, i),
                    count(Outcome.NULL, i),
                    rejects ? count(Outcome.MISFIT, i) : 0,
                    rejects ? 0 : count(Outcome.MISFIT, i),
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
