package io.pgstress.operation;

import java.sql.SQLException;

/** An operation as run repeatedly by one client on its own thread. */
public interface ClientOperation {
    /** Draws the ids for the next execution; not timed. Returns false if no ids are left. */
    boolean draw();

    /** Whether a failed draw means that all work is done, rather than that the ids are used up. */
    default boolean isDone() {
        return false;
    }

    /** Executes the operation with the drawn ids. After a retryable error it is called again without a new draw. */
    Ending execute() throws SQLException;

    /** Called after the surrounding transaction has committed; never called without one. */
    default void committed() {}

    /** Called after the commit of the surrounding transaction failed; never called without one. */
    default void notCommitted(SQLException e) {}

    /** Rows read or changed by the last execution, as counted in rows/s. */
    long rows();

    /** The outcome of an operation that did not fail. */
    public enum Ending {
        OK,
        /** A read found no row. */
        MISS,
        /** An insert met an existing key. */
        DUPLICATE
    }
}
