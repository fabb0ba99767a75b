package io.pgstress.importer.table;

import java.util.Arrays;

/** The numbers of values of each column of a table, and an example of one that did not fit. Not thread-safe. */
public final class ColumnTally {
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
