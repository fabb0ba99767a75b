package io.pgstress.target.pool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Lends connections to one endpoint. Thread-safe. */
public interface ConnectionPool extends AutoCloseable {
    /** Waits for a connection and lends it; closing it gives it back. */
    Connection borrow() throws SQLException;

    /** Whether a client keeps what it borrowed for the whole run, as there is no pool. */
    default boolean isKept() {
        return false;
    }

    /** Opens all connections and waits until they are there, so that none is opened under load. */
    void fill() throws SQLException;

    /** The settings that are in force, read back from the pool. */
    Map<String, String> settings();

    /** What the pool says of itself at this moment: connections by state. */
    Map<String, Number> gauges();

    @Override
    void close();
}
