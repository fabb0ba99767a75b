package io.pgstress.dataset;

import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** Ids of type integer. */
final class IntKeys implements Keys {
    private final int[] ids;

    IntKeys(int[] ids) {
        this.ids = ids;
    }

    @Override
    public int size() {
        return ids.length;
    }

    @Override
    public boolean areNumbers() {
        return true;
    }

    @Override
    public long number(int index) {
        return ids[index];
    }

    @Override
    public void bind(SqlStatement statement, int parameter, int index) throws SQLException {
        statement.setInt(parameter, ids[index]);
    }
}
