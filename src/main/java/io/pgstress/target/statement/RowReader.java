package io.pgstress.target.statement;

import java.sql.ResultSet;
import java.sql.SQLException;

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
