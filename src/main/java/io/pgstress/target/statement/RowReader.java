package io.pgstress.target.statement;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Takes in a row; it reads every column. */
@FunctionalInterface
public interface RowReader {
    /** Reads both columns of {@code _id, data} as they came over the wire. */
    RowReader ID_AND_DATA = row -> {
        row.getBytes(1);
        row.getBytes(2);
    };

    void row(ResultSet row) throws SQLException;
}
