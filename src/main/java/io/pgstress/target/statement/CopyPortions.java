package io.pgstress.target.statement;

import java.sql.SQLException;

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
