package io.pgstress.target.statement;

import java.sql.Connection;
import java.sql.ResultSet;
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

    /**
     * Runs it, whatever it returns, and however many statements it has.
     *
     * @return the number of rows that it read and changed
     */
    long run(ResultReader reader) throws SQLException;

    /**
     * Takes the place of its SQL from now on; has no parameters.
     *
     * @throws IllegalStateException if its SQL is parsed by the server in advance, as with bind parameters
     */
    default void setSql(String sql) {
        throw new IllegalStateException("this statement has parameters");
    }

    /** Whether it is only explained and therefore changes nothing. */
    default boolean isExplained() {
        return false;
    }

    /** Reports why it cannot be explained. */
    default void notExplained(String why) {}

    /** A statement that can be moved to another connection. */
    interface SessionStatement extends SqlStatement {
        void attach(Connection connection) throws SQLException;

        void detach() throws SQLException;
    }

    /** The input of a COPY, portion by portion. Belongs to its client's thread. */
    public interface CopyPortions {
        /** Produces the next portion and returns its length in {@link #bytes}; 0 at the end. */
        int next() throws SQLException;

        /** The bytes of the last portion, from index 0. */
        byte[] bytes();

        /** The whole input in one portion. */
        static CopyPortions of(byte[] bytes, int length) {
            return new CopyPortions() {
                private int rest = length;

                @Override
                public int next() {
                    int portion = rest;
                    rest = 0;
                    return portion;
                }

                @Override
                public byte[] bytes() {
                    return bytes;
                }
            };
        }
    }

    /** Takes the results of a statement, in their order. */
    public interface ResultReader {
        /**
         * A row of a result.
         *
         * @param isLast whether it is the last result
         */
        void row(ResultSet row, boolean isLast) throws SQLException;

        /**
         * The end of a result.
         *
         * @param rows the number of its rows; -1: it has none by nature
         */
        void end(long rows, boolean isLast) throws SQLException;
    }

    /** Reads every column of a row. */
    @FunctionalInterface
    public interface RowReader {
        /** Reads both columns of {@code _id, data} as bytes, unconverted. */
        RowReader ID_AND_DATA = row -> {
            row.getBytes(1);
            row.getBytes(2);
        };

        void row(ResultSet row) throws SQLException;
    }
}
