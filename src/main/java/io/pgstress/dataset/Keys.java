package io.pgstress.dataset;

import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** The ids of a table that are drawn from, in the order of the key. Immutable and thread-safe. */
public interface Keys {
    /** How many there are, at least 1. */
    int size();

    /** Whether they are whole numbers, which can be summed here as on the server. */
    default boolean areNumbers() {
        return false;
    }

    /** The id at this place where they are numbers; else 0. */
    default long number(int index) {
        return 0;
    }

    /** Sets the parameter to the id at this place, 0 to size - 1, as the key's own type. */
    void bind(SqlStatement statement, int parameter, int index) throws SQLException;
}
