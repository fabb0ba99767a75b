package io.pgstress.importer.table;

import java.util.ArrayList;
import java.util.List;

/** The typed columns of a table under import, with the numbers of their values. Thread-safe. */
public final class ColumnCounts {
    private final TypedColumns columns;
    private final ColumnTally tally;

    public ColumnCounts(TypedColumns columns) {
        this.columns = columns;
        this.tally = new ColumnTally(columns.all().size());
    }

    public TypedColumns columns() {
        return columns;
    }

    /** Adds the values of rows that were committed. */
    public synchronized void add(ColumnTally more) {
        tally.add(more);
    }

    /** What the import put into each column, in the order of the table. */
    public synchronized List<ColumnSummary> summaries() {
        List<ColumnSummary> summaries = new ArrayList<>();
        for (int i = 0; i < columns.all().size(); i++) {
            summaries.add(tally.summary(i, columns.all().get(i), columns.rejects()));
        }
        return summaries;
    }
}
