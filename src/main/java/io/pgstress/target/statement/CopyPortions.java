package io.pgstress.target.statement;

import java.sql.SQLException;

/** What a COPY takes, portion by portion. Belongs to its client's thread. */
public interface CopyPortions {
    /** Makes the next portion; its length in {@link #bytes}, 0 at the end. */
    int next() throws SQLException;

    /** The last portion, from the first byte on. */
    byte[] bytes();

    /** All of it in one portion. */
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
