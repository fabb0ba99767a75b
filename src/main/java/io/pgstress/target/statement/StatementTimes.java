package io.pgstress.target.statement;

/** Is told of each statement that ended well; on the client's thread. */
@FunctionalInterface
public interface StatementTimes {
    /**
     * @param operation, statement the numbers that the statement was made with
     * @param nanos from before its first byte was sent to after its last row was read
     * @param rows read or changed
     * @param fetchNanos the part of it after the server's first answer, in which rows were read; 0 for a change
     */
    void ended(int operation, int statement, long nanos, long rows, long fetchNanos);
}
