package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Utils;

/** String literals for the session's {@code standard_conforming_strings}, escaped by the driver's own rules. */
public final class Literals {
    private final boolean standardConforming;

    /** The rules of this connection, possibly wrapped by a pool. */
    public Literals(Connection connection) throws SQLException {
        this.standardConforming = connection.unwrap(BaseConnection.class).getStandardConformingStrings();
        if (!connection.isWrapperFor(PGConnection.class)) {
            throw new SQLException("no connection of the PostgreSQL driver", "08001");
        }
    }

    /** Appends the value in quotes. */
    public void append(StringBuilder sql, String value) throws SQLException {
        sql.append('\'');
        Utils.escapeLiteral(sql, value, standardConforming);
        sql.append('\'');
    }
}
