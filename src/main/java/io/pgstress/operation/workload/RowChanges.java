package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.target.statement.SqlStatement;
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

    /** One client's update or delete of a row of one table, by its id. Not thread-safe. */
    static final class RowChange extends TalliedClient {
        private final SqlStatement statement;
        private final boolean isDense;
        private int id;
        private @Nullable String text;

        /** @param isDense whether every id has a row, so that a statement without effect is an error */
        RowChange(SqlStatement statement, WriteTally tally, boolean isDense) {
            super(tally);
            this.statement = statement;
            this.isDense = isDense;
        }

        @Override
        public boolean draw() {
            return true;
        }

        /** @param newText the first parameter, before the id; null: there is none */
        void draw(int newId, @Nullable String newText) {
            id = newId;
            text = newText;
        }

        @Override
        public Ending execute() throws SQLException {
            return sendNoted() == 0 ? Ending.MISS : Ending.OK;
        }

        @Override
        protected long send() throws SQLException {
            String first = text;
            if (first != null) {
                statement.setUntyped(1, first);
            }
            statement.setInt(first == null ? 1 : 2, id);
            return statement.update();
        }

        @Override
        protected long size() {
            return isDense ? 1 : 0;
        }

        @Override
        public long rows() {
            return 1;
        }
    }
}
