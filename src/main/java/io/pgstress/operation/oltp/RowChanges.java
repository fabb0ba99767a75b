package io.pgstress.operation.oltp;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that changes one row of one of several tables at a time. Not thread-safe. */
abstract class RowChanges implements ClientOperation {
    private final List<RowChange> changes;
    private RowChange current;

    /** @param changes one per table */
    RowChanges(List<RowChange> changes) {
        this.changes = changes;
        this.current = changes.get(0);
    }

    final int tables() {
        return changes.size();
    }

    /**
     * Sets the next row.
     *
     * @param table from 0
     * @param text the first parameter, before the id; null: there is none
     */
    final void draw(int table, int id, @Nullable String text) {
        current = changes.get(table);
        current.draw(id, text);
    }

    @Override
    public final Ending execute() throws SQLException {
        return current.execute();
    }

    @Override
    public final void committed() {
        current.committed();
    }

    @Override
    public final void notCommitted(SQLException e) {
        current.notCommitted(e);
    }

    @Override
    public final long rows() {
        return 1;
    }
}
