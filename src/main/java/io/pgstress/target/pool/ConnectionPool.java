package io.pgstress.target.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Lends connections to one endpoint. Thread-safe. */
public interface ConnectionPool extends AutoCloseable {
    /** Waits for a connection and lends it; closing the connection returns it. */
    Connection borrow() throws SQLException;

    /** Whether a client keeps its connection for the whole run, because there is no pool. */
    default boolean isKept() {
        return false;
    }

    /** Whether a connection that was returned is lent again, so that its session knows of earlier statements. */
    default boolean isReused() {
        return true;
    }

    /** Opens all connections and waits for them, so that none is opened under load. */
    void fill() throws SQLException;

    /** Borrows as many connections at once as the pool has, and returns them. */
    static void fill(DataSource pool, int size) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                all.add(pool.getConnection());
            }
        } catch (SQLException | RuntimeException e) {
            for (Connection connection : all) {
                try {
                    connection.close();
                } catch (SQLException other) {
                    e.addSuppressed(other); // the first failure is the one to know
                }
            }
            throw e;
        }
        for (Connection connection : all) {
            connection.close();
        }
    }

    /** The settings that are in force, read back from the pool. */
    Map<String, String> settings();

    /** The pool's current number of connections by state. */
    Map<String, Number> gauges();

    @Override
    void close();
}
