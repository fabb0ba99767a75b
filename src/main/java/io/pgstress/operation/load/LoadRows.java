package io.pgstress.operation.load;

import io.pgstress.target.statement.CopyPortions;
import java.sql.SQLException;

/** The rows of one client's COPYs, one after another. Belongs to its client's thread. */
interface LoadRows extends CopyPortions {
    /** Goes to the beginning of a COPY's rows, by its number within the table. */
    void begin(int copy);

    /**
     * An error with its place in the input, where rows are to blame.
     *
     * @param ofIndexes whether it is one of indexes on all rows, and not of the COPY
     */
    default SQLException placed(SQLException e, boolean ofIndexes) {
        return e;
    }
}
