package io.pgstress.dataset;

import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** The ids of a table to draw from, in key order. Immutable and thread-safe. */
public interface Keys {
    /** The number of ids, at least 1. */
    int size();

    /** Whether they are integers, which can be summed here as on the server. */
    default boolean areNumbers() {
        return false;
    }

    /** The id at this index if they are numbers, otherwise 0. */
    default long number(int index) {
        return 0;
    }

    /** Differs, almost certainly, if any id or their order does. */
    default long checksum() {
        long sum = size();
        for (int i = 0; i < size(); i++) {
            sum = 31 * sum + number(i);
        }
        return sum;
    }

    /** Sets the parameter to the id at this index, 0 to size - 1, with the type of the key. */
    void bind(SqlStatement statement, int parameter, int index) throws SQLException;
}
