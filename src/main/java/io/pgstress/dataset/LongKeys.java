package io.pgstress.dataset;

import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** Ids of type bigint. */
final class LongKeys implements Keys {
    private final long[] ids;

    LongKeys(long[] ids) {
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
        statement.setLong(parameter, ids[index]);
    }
}
