package io.pgstress.target.statement;

/** Is told of each statement that ended well; on the client's thread. */
@FunctionalInterface
public interface StatementTimes {
    /**
     * @param operation, statement the numbers that the statement was made with
     * @param nanos from before its first byte was sent to after its last row was read
     * @param rows read or changed
     */
    void ended(int operation, int statement, long nanos, long rows);
}
