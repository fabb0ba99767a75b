package io.pgstress.operation.workload;

import io.pgstress.target.statement.SqlStatement.CopyPortions;
import java.sql.SQLException;

/** The rows of one client's COPYs, one COPY after another. Belongs to its client's thread. */
interface LoadRows extends CopyPortions {
    /**
     * Moves to the first row of a COPY.
     *
     * @param table the table, from 0
     * @param copy the COPY's number within the table, from 0
     */
    void begin(int table, int copy);

    /**
     * Adds the position in the input to an error caused by rows.
     *
     * @param ofIndexes whether creating indexes failed, not the COPY
     */
    default SQLException placed(SQLException e, boolean ofIndexes) {
        return e;
    }
}
