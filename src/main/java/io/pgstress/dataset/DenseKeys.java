package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** All integers from {@code first} on, so that no list of ids is needed. Immutable and thread-safe. */
record DenseKeys(long first, long size, KeyType type) implements Keys {
    /** No ids. */
    static final Keys NONE = new DenseKeys(0, 0, KeyType.INT);

    @Override
    public boolean areNumbers() {
        return true;
    }

    @Override
    public long number(long index) {
        return first + index;
    }

    @Override
    public long checksum() {
        return 31 * first + size;
    }

    @Override
    public void bind(SqlStatement statement, int parameter, long index) throws SQLException {
        Keys.bindNumber(statement, parameter, first + index, type);
    }
}
