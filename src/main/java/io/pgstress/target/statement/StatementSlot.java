package io.pgstress.target.statement;

import io.pgstress.target.driver.CopyStream;
import io.pgstress.target.statement.SqlSession.StatementTimes;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The common parts of statements in all modes: number, fetch size and recorder of times.
 *
 * @param fetchSize rows per fetch; 0: all at once
 */
record StatementSlot(int operation, int statement, int fetchSize, StatementTimes times) {
    /** Reads all rows. */
    static long read(ResultSet rows, RowReader reader) throws SQLException {
        long count = 0;
        while (rows.next()) {
            reader.row(rows);
            count++;
        }
        return count;
    }

    /** Sends portions as a COPY; its time includes their production. */
    long copy(Connection connection, String sql, CopyPortions portions) throws SQLException {
        long start = System.nanoTime();
        CopyStream stream = CopyStream.open(connection, sql);
        long count;
        try {
            for (int length = portions.next(); length > 0; length = portions.next()) {
                stream.write(portions.bytes(), 0, length);
            }
            count = stream.end();
        } finally {
            stream.cancel();
        }
        ended(start, count);
        return count;
    }

    /** Runs a driver's batch. */
    long batch(Statement statement) throws SQLException {
        long start = System.nanoTime();
        long count = statement.executeBatch().length;
        ended(start, count);
        return count;
    }

    /** Records a query whose first answer came at {@code answered}. */
    void ended(long start, long answered, long rows) {
        long end = System.nanoTime();
        times.ended(operation, statement, end - start, rows, end - answered);
    }

    /** Records a change. */
    void ended(long start, long rows) {
        times.ended(operation, statement, System.nanoTime() - start, rows, 0);
    }
}
