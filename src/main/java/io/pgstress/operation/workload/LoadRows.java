package io.pgstress.operation.workload;

import io.pgstress.target.statement.CopyPortions;

/** The rows of one client's COPYs, one after another. Belongs to its client's thread. */
interface LoadRows extends CopyPortions {
    /** Goes to the beginning of a COPY's rows, by its number within the table. */
    void begin(int copy);
}
