package io.pgstress.target.statement;

import java.sql.Connection;
import java.sql.SQLException;

/** A statement that can be moved to another connection. */
interface SessionStatement extends SqlStatement {
    void attach(Connection connection) throws SQLException;

    void detach() throws SQLException;
}
