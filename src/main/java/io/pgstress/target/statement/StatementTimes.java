package io.pgstress.target.statement;

/** Records each statement that succeeded; on the client's thread. */
@FunctionalInterface
public interface StatementTimes {
    /**
     * @param operation, statement the numbers of the operation and of the statement in it
     * @param nanos from before its first byte was sent to after its last row was read
     * @param rows read or changed
     * @param fetchNanos the part after the server's first answer, in which rows were read; 0 for a change
     */
    void statementEnded(int operation, int statement, long nanos, long rows, long fetchNanos);
}
