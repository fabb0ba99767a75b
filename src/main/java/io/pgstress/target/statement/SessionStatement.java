package io.pgstress.target.statement;

import java.sql.Connection;
import java.sql.SQLException;

/** A statement that can change its connection. */
interface SessionStatement extends SqlStatement {
    void attach(Connection connection) throws SQLException;

    void detach() throws SQLException;
}
