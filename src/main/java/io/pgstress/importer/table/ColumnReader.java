package io.pgstress.importer.table;

import io.pgstress.bson.copy.DocumentField;
import io.pgstress.bson.copy.DocumentField.Outcome;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.IdJson;
import io.pgstress.importer.table.ColumnCounts.ColumnTally;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the values of a document's typed columns by the rules of the server's expressions, and counts them. Not thread-safe. */
public final class ColumnReader {
    private final List<ColumnSpec> columns;
    private final boolean rejects;
    private final DocumentField[] fields;
    private final Outcome[] outcomes;
    private final ColumnTally tally;
    private final IdJson ids = new IdJson();
    private @Nullable Reject reject;

    ColumnReader(ColumnOptions of) {
        columns = of.specs();
        rejects = of.rejects();
        fields = columns.stream()
                .map(column -> new DocumentField(column.path(), column.type()))
                .toArray(DocumentField[]::new);
        outcomes = new Outcome[fields.length];
        tally = new ColumnTally(fields.length);
    }

    /** Reads the values of the document of {@code size} bytes at {@code from}; false if it is rejected. */
    public boolean read(byte[] bytes, int from, int size) {
        reject = null;
        for (int i = 0; i < fields.length; i++) {
            outcomes[i] = fields[i].check(bytes, from, size);
            if (outcomes[i] == Outcome.MISFIT && (rejects || !tally.hasExample(i))) {
                misfit(i, bytes, from, size);
                if (rejects) {
                    return false;
                }
            }
        }
        return true;
    }

    private void misfit(int i, byte[] bytes, int from, int size) {
        String value = fields[i].misfit(bytes);
        if (!tally.hasExample(i)) {
            String id = ids.of(bytes, from, size);
            tally.example(i, value + (id.isEmpty() ? "" : " (_id " + id + ")"));
        }
        if (rejects) {
            ColumnSpec spec = columns.get(i);
            tally.count(i, Outcome.MISFIT);
            String detail = spec.path() + " is " + value + ", column " + spec.name() + " is of type "
                    + spec.type().sql() + " (--column)";
            reject = new Reject(Fault.COLUMN_NOT_FITTING, fields[i].offset(), detail);
        }
    }

    /** Counts the values of the last document, which became a row. */
    public void count() {
        for (int i = 0; i < outcomes.length; i++) {
            tally.count(i, outcomes[i]);
        }
    }

    /** Why the last document was rejected; null if it was not. */
    public @Nullable Reject reject() {
        return reject;
    }

    /** The counts since it was last cleared. */
    public ColumnTally tally() {
        return tally;
    }

    /** Begins to count anew. */
    public void clear() {
        tally.clear();
    }
}
