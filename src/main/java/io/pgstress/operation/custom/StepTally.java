package io.pgstress.operation.custom;

import io.pgstress.operation.WriteTally;

/**
 * One client's tally of one step.
 *
 * @param isRowDue whether success without a row means that the server discarded it
 */
record StepTally(WriteTally tally, boolean isRowDue) {
    void acknowledged(long rows) {
        tally.acknowledged(rows);
        if (rows == 0 && isRowDue) {
            tally.discarded(1);
        }
    }
}
