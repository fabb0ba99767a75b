package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** The ids of a table to draw from, in key order. Immutable and thread-safe. */
public interface Keys {
    /** The number of ids, at least 1. */
    long size();

    /** Whether they are integers, which can be summed here as on the server. */
    boolean areNumbers();

    /** The id at this index if they are numbers, otherwise 0. */
    long number(long index);

    /** The id at this index as the server writes it. */
    default String text(long index) {
        return Long.toString(number(index));
    }

    /** Differs, almost certainly, if any id or their order does. */
    long checksum();

    /** Sets the parameter to the id at this index, 0 to size - 1, with the type of the key. */
    void bind(SqlStatement statement, int parameter, long index) throws SQLException;

    /** Sets a parameter to an id of an integer type. */
    static void bindNumber(SqlStatement statement, int parameter, long id, KeyType type) throws SQLException {
        if (type == KeyType.INT) {
            statement.setInt(parameter, (int) id);
        } else {
            statement.setLong(parameter, id);
        }
    }

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
}
