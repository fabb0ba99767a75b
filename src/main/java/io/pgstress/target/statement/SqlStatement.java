package io.pgstress.target.statement;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A statement of one client in one of the three modes. All parameters are set, numbered from 1, and then it is run; values
 * are kept until they are set again. Belongs to its client's thread.
 */
public interface SqlStatement {
    void setInt(int parameter, int value) throws SQLException;

    void setLong(int parameter, long value) throws SQLException;

    /** A value of type text. */
    void setText(int parameter, String value) throws SQLException;

    /** A value whose type the server infers from the context, such as jsonb, uuid or numeric; null is SQL's null. */
    void setUntyped(int parameter, @Nullable String value) throws SQLException;

    /** Runs it and reads every byte of every row; returns the number of rows. */
    long query(RowReader reader) throws SQLException;

    /** Keeps the parameters for {@link #updateBatch}. */
    void addBatch() throws SQLException;

    /** Runs it once for each kept set of parameters, as the driver's batch; returns their number. */
    long updateBatch() throws SQLException;

    /** Runs a {@code COPY ... FROM STDIN}; returns the number of rows that the server accepted. */
    long copy(CopyPortions portions) throws SQLException;

    /** Runs it; returns the number of rows it changed. */
    long update() throws SQLException;

    /** Whether it is only explained and therefore changes nothing. */
    default boolean isExplained() {
        return false;
    }

    /** Reports why it cannot be explained. */
    default void notExplained(String why) {}
}
