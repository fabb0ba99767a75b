package io.pgstress.operation.oltp;

import io.pgstress.operation.Ending;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTally;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One client's update or delete of a row of one table, by its id. Not thread-safe. */
final class RowChange extends TalliedClient {
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
